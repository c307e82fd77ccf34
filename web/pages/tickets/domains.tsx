// How many tickets each domain has of those that the other filters keep; a domain is chosen by a press.

import { useAsk } from '../../api/ask.ts'
import type { VariablesOf } from '../../api/graphql.ts'
import { Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { count } from '../../util/words.ts'
import { DomainStats, type DomainStatsAnswer } from './documents.ts'
import styles from './tickets.module.css'
import type { types } from './words.ts'

type Props = {
  companyId: string
  type: (typeof types)[number] | 'any'
  /** what the list is narrowed by beside types and domains */
  params: VariablesOf<typeof DomainStats>['params']
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

type Counted = { id: string; name: string; count: number }

/** The domains of the type, or of all types, with those that have most first. */
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
  if (failure) return <Failed failure={failure} again={again} />
  const domains = data ? countedOf(data, type) : []
  if (domains.length === 0) return null
  return (
    <ul className={styles.domains} aria-label="Domains">
      {domains.map(({ id, name, count: many }) => (
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
    </ul>
  )
}
