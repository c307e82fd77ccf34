// What a mapping that is not made yet would do: which findings get cards by themselves, in which state, and which do not.

import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { useAssets } from '../../table/asset-facet.tsx'
import { Answered } from '../../ui/answered.tsx'
import { type Severity, severities } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { readAll } from '../../util/url-state.ts'
import { counted, wordsOf } from '../../util/words.ts'
import { askedBy, filterShape } from '../findings/filters.ts'
import { Integrations } from './documents.ts'
import { mappedOf } from './mapped.ts'
import type { StatusMap } from './status-map.tsx'

const Concerned = graphql(`
  query ConcernedFindings($companyId: ID!, $standing: IssuesFiltersInput, $fresh: IssuesFiltersInput) {
    standing: issuesStats(companyId: $companyId, filters: $standing) { total }
    fresh: issuesStats(companyId: $companyId, filters: $fresh) { total }
  }
`)

type Props = {
  companyId: string
  integrationId: string
  /** empty: every asset without a board of its own */
  assetId: string
  /** null: none by themselves */
  createFrom: Severity | null
  map: StatusMap
}

export function WouldMake({ companyId, integrationId, assetId, createFrom, map }: Props) {
  const concerned = useConcerned(companyId, integrationId, assetId)
  const severity = severities.slice(0, createFrom === null ? undefined : severities.indexOf(createFrom) + 1).join(',')
  const assets: Record<string, string> = concerned.length === 0 ? {} : { asset: concerned.join(',') }
  const standing = new URLSearchParams({ severity, ...assets })
  const fresh = new URLSearchParams({ severity, since: '30d', status: 'any', ...assets })
  const filtersOf = (search: URLSearchParams) => askedBy(companyId, readAll(filterShape, search)).filters
  const answer = useAsk(Concerned, { companyId, standing: filtersOf(standing), fresh: filtersOf(fresh) })
  const [first = 'the state of Identified'] = map.IDENTIFIED ?? []
  return (
    <section className="stack" aria-label="Preview">
      <h3>What this mapping would do</h3>
      <Answered of={answer} lines={2}>
        {(found) => {
          const open = (
            <Link to={to.findings({ companyId }, standing)} target="_blank">
              {counted(found.standing.total, 'open finding')}
            </Link>
          )
          if (createFrom === null) {
            return <p>No card is made by itself. {open} can get one by hand, each in the state of its status.</p>
          }
          return (
            <>
              <p>
                A finding that is {wordsOf(createFrom).toLowerCase()} or worse and reported from now on gets a card in{' '}
                {first}. In the last 30 days there {found.fresh.total === 1 ? 'was' : 'were'}{' '}
                <Link to={to.findings({ companyId }, fresh)} target="_blank">
                  {counted(found.fresh.total, 'such finding')}
                </Link>
                .
              </p>
              <p>{open} of before get none by themselves; by hand they do.</p>
            </>
          )
        }}
      </Answered>
      <Unmapped map={map} />
    </section>
  )
}

/** The assets whose findings go by the mapping; none named where it is all of them. */
function useConcerned(companyId: string, integrationId: string, assetId: string): readonly string[] {
  const assets = useAssets(companyId)
  const { data } = useAsk(Integrations, { companyId })
  if (assetId !== '') return [assetId]
  const own = new Set((data ? mappedOf(data, integrationId) : []).flatMap(({ asset }) => asset?.id ?? []))
  return own.size === 0 ? [] : assets.map(({ id }) => id).filter((id) => !own.has(id))
}

const told = ['IN_PROGRESS', 'AWAITING_VALIDATION', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE'] as const

function Unmapped({ map }: { map: StatusMap }) {
  const without = told.filter((status) => (map[status] ?? []).length === 0)
  if (without.length === 0) return <p>Each status moves the card to its state, and the card’s state its finding.</p>
  return (
    <p className="muted">
      Without a state, and so not told to the card: {without.map((status) => wordsOf(status)).join(', ')}.
    </p>
  )
}
