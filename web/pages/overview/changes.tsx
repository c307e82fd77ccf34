// The page of deploys that became blocked and integrations that were rejected, each at the time it happened.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { useNamedAssets } from '../../choices/assets.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/data-table.tsx'
import { Facet, Narrowed } from '../../table/filters.tsx'
import { Answered } from '../../ui/answered.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { Option } from '../../ui/search-offered.ts'
import { to } from '../../util/path-builder.ts'
import { moment, someOf, useUrlState } from '../../util/url-state.ts'
import { counted, exact, toolName, withGateWords } from '../../util/words.ts'
import { DAYS_KEPT, sinceKept, type TroubleKind, troubleKinds, troubleWords } from './happened.ts'
import styles from './overview.module.css'

const Changes = graphql(`
  query Changes($companyId: ID!, $kinds: [String!]!, $since: ISO8601DateTime!) {
    events(companyId: $companyId, kinds: $kinds, since: $since, limit: 900) {
      id
      kind
      at
      objectId
      data
    }
  }
`)

type Happened = ResultOf<typeof Changes>['events'][number]

const shape = { kind: someOf(troubleKinds), since: moment() }

/** The most that one answer holds. */
const MOST = 900

export function Component() {
  const companyId = useCompanyId()
  const [{ kind, since }, setState] = useUrlState(shape)
  // one moment while the page is open: a new one with each render would be a new query each time
  const from = useMemo(() => sinceKept(since), [since])
  const kinds = kind.length === 0 ? troubleKinds : kind
  const isNarrowed = kind.length > 0 || since !== ''
  const answer = useAsk(Changes, { companyId, kinds: [...kinds], since: from })
  const rows = answer.data?.events ?? []
  const assetIds = useMemo(() => assetsOf(answer.data?.events ?? []), [answer.data])
  const assets = useNamedAssets(companyId, assetIds)
  const columns = useMemo(() => columnsOf(companyId, assets), [companyId, assets])
  return (
    <Page
      title="Events"
      crumbs={[{ name: 'Overview', path: to.overview({ companyId }) }]}
      count={
        answer.data && (rows.length === MOST ? `the newest ${counted(MOST, 'event')}` : counted(rows.length, 'event'))
      }
      filters={
        <>
          <Facet
            name="Event"
            options={troubleKinds}
            chosen={kind}
            onChange={(chosen) => setState({ kind: chosen })}
            show={(one) => troubleWords[one]}
            wordOf={(one) => troubleWords[one]}
          />
          {since !== '' && <Narrowed to={`Since ${exact(since)}`} onClear={() => setState({ since: '' })} />}
        </>
      }
    >
      <Answered of={answer}>
        {() => (
          <div className={styles.happened}>
            <DataTable<Happened>
              label="Events"
              rows={rows}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ id }) => id}
              total={rows.length}
              empty={
                <Empty title={isNarrowed ? 'No events match the filters' : 'No events yet'}>
                  <p>Blocked deploys and refused credentials of integrations are listed here for {DAYS_KEPT} days.</p>
                  {isNarrowed ? (
                    <ButtonLink to={to.changes({ companyId })}>Show all events</ButtonLink>
                  ) : (
                    <ButtonLink to={to.deploys({ companyId })}>Go to deploys</ButtonLink>
                  )}
                </Empty>
              }
            />
          </div>
        )}
      </Answered>
    </Page>
  )
}

/** The most assets whose names are queried at once; assets of older deploys are shown by id. */
const MOST_NAMED = 200

const assetsOf = (events: readonly Happened[]): string[] =>
  [...new Set(events.map((one) => wordOf(one, 'assetId')))].filter((id) => id !== '').slice(0, MOST_NAMED)

function columnsOf(companyId: string, assets: readonly Option[]): Column<Happened>[] {
  return [
    {
      id: 'what',
      header: 'Event',
      meta: { width: 'clamp(116px, 14cqi, 140px)' },
      cell: ({ row: { original } }) => troubleWords[original.kind as TroubleKind],
    },
    {
      id: 'of',
      header: 'Subject',
      meta: { isSentence: true },
      cell: ({ row: { original } }) => (
        <>
          <Of one={original} companyId={companyId} assets={assets} />
          <Beneath of={[withGateWords(wordOf(original, 'sentence'))]} />
        </>
      ),
    },
    {
      id: 'why',
      header: 'Details',
      meta: { width: '45%', isExtra: true },
      cell: ({ row: { original } }) => withGateWords(wordOf(original, 'sentence')),
    },
    {
      id: 'at',
      header: 'When',
      meta: { width: 'clamp(92px, 12cqi, 112px)' },
      cell: ({ row }) => <Moment at={row.original.at} />,
    },
  ]
}

/** A text value from an event's data; empty if there is none. */
function wordOf({ data }: Happened, name: string): string {
  const found: unknown = (data as Record<string, unknown> | null)?.[name]
  return typeof found === 'string' ? found : ''
}

function Of({ one, companyId, assets }: { one: Happened; companyId: string; assets: readonly Option[] }) {
  if (one.kind === 'integration.broken') {
    return <Link to={to.integrations({ companyId })}>{toolName(wordOf(one, 'integrationType'))}</Link>
  }
  const assetId = wordOf(one, 'assetId')
  const asset = assets.find(({ id }) => id === assetId)
  return (
    <>
      <Link to={to.deploy({ companyId, deployId: one.objectId })}>
        {asset ? `${asset.name}, deploy` : 'Deploy'} {one.objectId}
      </Link>{' '}
      <span className="muted">{wordOf(one, 'branchName')}</span>
    </>
  )
}
