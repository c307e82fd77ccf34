// Previews a mapping before it is created: which findings would get cards automatically and in which state, and which would not.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { Answered } from '../../ui/answered.tsx'
import { type Severity, severities } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { readAll } from '../../util/url-state.ts'
import { counted, wordsOf } from '../../util/words.ts'
import { askedBy, filterShape } from '../findings/filters.ts'
import type { StatusMap } from './status-map.tsx'
import { useMapped } from './use-mapped.ts'

const Concerned = graphql(`
  query ConcernedFindings($companyId: ID!, $standing: IssuesFiltersInput, $fresh: IssuesFiltersInput) {
    standing: issuesStats(companyId: $companyId, filters: $standing) { total }
    fresh: issuesStats(companyId: $companyId, filters: $fresh) { total }
  }
`)

type Props = {
  companyId: string
  integrationId: string
  /** empty means every asset without a board of its own */
  assetId: string
  /** null means that no cards are created automatically */
  createFrom: Severity | null
  map: StatusMap
}

export function WouldMake({ companyId, integrationId, assetId, createFrom, map }: Props) {
  const own = useOwn(companyId, integrationId, assetId)
  const severity = severities.slice(0, createFrom === null ? undefined : severities.indexOf(createFrom) + 1).join(',')
  // memoised, because the time span ends now: it would differ, and query again, with every render
  const { standing, fresh, asked } = useMemo(() => {
    const only: Record<string, string> = assetId === '' ? {} : { asset: assetId }
    const standing = new URLSearchParams({ severity, ...only })
    const fresh = new URLSearchParams({ severity, since: '30d', status: 'any', ...only })
    const filtersOf = (search: URLSearchParams) => askedBy(companyId, readAll(filterShape, search)).filters
    return { standing, fresh, asked: { companyId, standing: filtersOf(standing), fresh: filtersOf(fresh) } }
  }, [companyId, severity, assetId])
  const answer = useAsk(Concerned, asked)
  const without = useAsk(
    Concerned,
    {
      companyId,
      standing: { ...asked.standing, assetIds: [...own] },
      fresh: { ...asked.fresh, assetIds: [...own] },
    },
    { pause: own.length === 0 },
  )
  const [first = 'the Identified state'] = map.IDENTIFIED ?? []
  return (
    <section className="stack" aria-label="Preview">
      <h3>Mapping preview</h3>
      <Answered of={own.length === 0 || without.data ? answer : without} lines={2}>
        {(found) => {
          const less = own.length === 0 ? undefined : without.data
          const standingCount = found.standing.total - (less?.standing.total ?? 0)
          const freshCount = found.fresh.total - (less?.fresh.total ?? 0)
          // the list's filters cannot exclude assets, so there is no list to link to
          const led = (words: string, search: URLSearchParams) =>
            less ? (
              words
            ) : (
              <Link to={to.findings({ companyId }, search)} target="_blank">
                {words}
              </Link>
            )
          const open = led(counted(standingCount, 'open finding'), standing)
          if (createFrom === null) {
            return (
              <p>
                Cards are not created automatically. {open} can get one manually, in the state mapped to its status.
              </p>
            )
          }
          return (
            <>
              <p>
                New findings of severity {wordsOf(createFrom).toLowerCase()} and above get a card in {first}. In the
                last 30 days there {freshCount === 1 ? 'was' : 'were'} {led(counted(freshCount, 'such finding'), fresh)}
                .
              </p>
              <p>Cards for {open} reported before must be created manually.</p>
            </>
          )
        }}
      </Answered>
      <Unmapped map={map} />
    </section>
  )
}

/** The assets with a board of their own, whose findings a mapping for all other assets does not cover. */
function useOwn(companyId: string, integrationId: string, assetId: string): readonly string[] {
  const { all } = useMapped(companyId, { isWhole: true })
  return useMemo(() => {
    if (assetId !== '') return []
    const own = all.filter((mapped) => mapped.integrationId === integrationId)
    return [...new Set(own.flatMap(({ asset }) => asset?.id ?? []))]
  }, [all, integrationId, assetId])
}

const told = ['IN_PROGRESS', 'AWAITING_VALIDATION', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE'] as const

function Unmapped({ map }: { map: StatusMap }) {
  const without = told.filter((status) => (map[status] ?? []).length === 0)
  if (without.length === 0) return <p>All statuses sync in both directions.</p>
  return (
    <p className="muted">
      Not synced to cards, as no state is mapped: {without.map((status) => wordsOf(status)).join(', ')}.
    </p>
  )
}
