// The number of tickets in each domain among those that the other filters match; clicking a domain filters by it.

import { useCallback, useMemo } from 'react'
import { useAsk } from '../../api/ask.ts'
import type { VariablesOf } from '../../api/graphql.ts'
import { FacetButton } from '../../table/filters.tsx'
import { Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { LateChoice } from '../../ui/late-choice.tsx'
import type { Found, Option } from '../../ui/search-offered.ts'
import { count } from '../../util/words.ts'
import { DomainStats, type DomainStatsAnswer } from './documents.ts'
import styles from './tickets.module.css'
import type { types } from './words.ts'

type Props = {
  companyId: string
  type: (typeof types)[number] | 'any'
  /** the filters of the list other than types and domains */
  params: VariablesOf<typeof DomainStats>['params']
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

type Counted = { id: string; name: string; count: number }

/** How many domains have a button of their own; the others are found by name. */
const SHOWN = 8
/** The most names that the choice lists at once. */
const LISTED = 50

const optionOf = ({ id, name, count: many }: Counted): Option => ({ id, name, beside: count(many) })

function foundIn(domains: readonly Counted[], words: string): Found {
  const having = domains.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
  return { options: having.slice(0, LISTED).map(optionOf), total: having.length, isExact: true }
}

/** The domains of one type of ticket or of all types, those with the most tickets first. */
function countedOf(found: DomainStatsAnswer, type: Props['type']): Counted[] {
  const byId = new Map<string, Counted>()
  for (const [of, stats] of Object.entries(found)) {
    if (type !== 'any' && of !== type) continue
    for (const { domain, count: many } of stats) {
      const before = byId.get(domain.id)?.count ?? 0
      byId.set(domain.id, { ...domain, count: before + many })
    }
  }
  return [...byId.values()].sort((one, other) => other.count - one.count || one.name.localeCompare(other.name))
}

export function Domains({ companyId, type, params, chosen, onChoose }: Props) {
  const { data, failure, again } = useAsk(DomainStats, { companyId, params }, { affectedBy: ['Ticket'] })
  const domains = useMemo(() => (data ? countedOf(data, type) : []), [data, type])
  const find = useCallback(async (words: string) => foundIn(domains, words), [domains])
  if (failure) return <Failed failure={failure} again={again} />
  if (domains.length === 0) return null
  // those with the most tickets, and those that are chosen
  const shown = domains.filter(({ id }, place) => place < SHOWN || chosen.includes(id))
  return (
    <ul className={styles.domains} aria-label="Domains">
      {shown.map(({ id, name, count: many }) => (
        <li key={id}>
          <Button
            size="small"
            tone={chosen.includes(id) ? 'plain' : 'quiet'}
            aria-pressed={chosen.includes(id)}
            onClick={() => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
          >
            <span className={styles.domain}>{name}</span> <span className="number muted">{count(many)}</span>
          </Button>
        </li>
      ))}
      {domains.length > SHOWN && (
        <li>
          <LateChoice
            kind="some"
            find={find}
            what="domains"
            none="Any"
            chosen={domains.filter(({ id }) => chosen.includes(id)).map(optionOf)}
            onChange={(taken) => onChoose(taken.map(({ id }) => id))}
            trigger={<FacetButton name={`All ${count(domains.length)} domains`} told={null} />}
          />
        </li>
      )}
    </ul>
  )
}
