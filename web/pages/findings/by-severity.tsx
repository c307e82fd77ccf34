// How many findings of each severity there are under the other filters, each a chip that narrows the list to it.

import { useEffect, useMemo, useState } from 'react'
import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { type Severity, SeverityMark, severities } from '../../ui/severity.tsx'
import { count } from '../../util/words.ts'
import styles from './by-severity.module.css'
import type { askedBy } from './filters.ts'

/** Each as far as lists are counted, which takes no longer where there are a million. */
const CountBySeverity = graphql(`
  query CountBySeverity(
    $companyId: ID!
    $critical: IssuesFiltersInput
    $high: IssuesFiltersInput
    $medium: IssuesFiltersInput
    $low: IssuesFiltersInput
    $notification: IssuesFiltersInput
  ) {
    CRITICAL: issues(companyId: $companyId, filters: $critical, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
    HIGH: issues(companyId: $companyId, filters: $high, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
    MEDIUM: issues(companyId: $companyId, filters: $medium, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
    LOW: issues(companyId: $companyId, filters: $low, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
    NOTIFICATION: issues(companyId: $companyId, filters: $notification, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
  }
`)

type Props = {
  companyId: string
  filters: ReturnType<typeof askedBy>['filters']
  chosen: readonly Severity[]
  onChange: (chosen: Severity[]) => void
  /** The rows and their count come first. */
  isWaiting: boolean
}

export function BySeverity({ companyId, filters, chosen, onChange, isWaiting }: Props) {
  const beside = useMemo(() => ({ ...filters, severities: undefined }), [filters])
  const isDue = useOnceReady(JSON.stringify(beside), !isWaiting)
  const of = (severity: Severity) => ({ ...beside, severities: [severity] })
  const { data } = useAsk(
    CountBySeverity,
    {
      companyId,
      critical: of('CRITICAL'),
      high: of('HIGH'),
      medium: of('MEDIUM'),
      low: of('LOW'),
      notification: of('NOTIFICATION'),
    },
    { pause: !isDue, affectedBy: ['Issue'] },
  )
  if (data === undefined) return null
  const shown = severities.filter((one) => data[one].metadata.totalCount > 0 || chosen.includes(one))
  return (
    <fieldset className={styles.chips} aria-label="By severity">
      {shown.map((one) => {
        const { totalCount, totalCountIsExact } = data[one].metadata
        const isChosen = chosen.includes(one)
        return (
          <button
            key={one}
            type="button"
            aria-pressed={isChosen}
            className={styles.chip}
            onClick={() => onChange(severities.filter((other) => (other === one ? !isChosen : chosen.includes(other))))}
          >
            <SeverityMark of={one} />
            <span className="number">
              {count(totalCount)}
              {!totalCountIsExact && '+'}
            </span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** Milliseconds without another filter: what takes longer than the rows is not to keep those of the next one waiting. */
const PAUSE = 400

/** Whether it was ready for a while for what `key` names: what was asked for that is not asked again when it is no longer. */
function useOnceReady(key: string, isReady: boolean): boolean {
  const [readyFor, setReadyFor] = useState<string>()
  useEffect(() => {
    if (!isReady) return
    const timer = setTimeout(() => setReadyFor(key), PAUSE)
    return () => clearTimeout(timer)
  }, [key, isReady])
  return readyFor === key
}
