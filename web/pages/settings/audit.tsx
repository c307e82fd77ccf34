// The audit log: who did what, when and from where, with the values before and after.

import { Fragment, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { text, useUrlState } from '../../util/url-state.ts'
import { countedUpTo } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'

const Records = graphql(`
  query Records($companyId: ID!, $search: String, $after: String) {
    auditRecords(companyId: $companyId, search: $search, pagination: { perPage: 100, after: $after }) {
      collection {
        id
        at
        operation
        object
        before
        after
        address
        keyPublicId
        requestId
        portalUser { name email }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

type AuditRow = ResultOf<typeof Records>['auditRecords']['collection'][number]

const shape = { search: text() }

/** The page of the changed object, if it has one; if the object is gone by now, that page says so. */
function pathOf(companyId: string, object: string): string | undefined {
  const [, kind, id = ''] = /^(\w+) (\d+)$/.exec(object) ?? []
  const at = { companyId }
  switch (kind) {
    case 'Issue':
      return to.finding({ ...at, issueId: id })
    case 'Asset':
      return to.asset({ ...at, assetId: id })
    case 'Deploy':
      return to.deploy({ ...at, deployId: id })
    case 'Import':
      return to.import({ ...at, importId: id })
    case 'Project':
      return to.project({ ...at, projectId: id })
    case 'Requirement':
      return to.requirement({ ...at, requirementId: id })
    case 'Ticket':
      return to.ticket({ ...at, ticketId: id })
    default:
      return undefined
  }
}

/** A name such as `cancelScan`, which on a narrow screen breaks before a capital letter. */
const Humps = ({ of: name }: { of: string }) =>
  name.split(/(?<=[a-z])(?=[A-Z])/).map((hump, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name keep their places
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {hump}
    </Fragment>
  ))

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'audit:read')
  if (mayNot === undefined) return <AllRecords companyId={companyId} />
  return (
    <Page title="Audit log" crumbs={inSettings(companyId)}>
      <Empty title={mayNot} />
    </Page>
  )
}

function AllRecords({ companyId }: { companyId: string }) {
  const [{ search }, setState] = useUrlState(shape)
  const [open, setOpen] = useState<AuditRow | null>(null)
  const words = search.trim()
  const list = useList(Records, { companyId, search: words || null }, ({ auditRecords }) => auditRecords)
  const columns = useMemo<Column<AuditRow>[]>(
    () => [
      {
        id: 'at',
        header: 'When',
        meta: { width: 'clamp(84px, 10cqi, 120px)' },
        cell: ({ row }) => <Moment at={row.original.at} />,
      },
      {
        id: 'who',
        header: 'Who',
        meta: { width: 'clamp(84px, 16cqi, 180px)', isSpare: true },
        cell: ({ row }) => row.original.portalUser?.name ?? <span className="muted">System</span>,
      },
      {
        id: 'what',
        header: 'Action',
        meta: { width: 'clamp(130px, 26cqi, 340px)', isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <span className="code">
              <Humps of={original.operation} />
            </span>
            <Beneath of={[original.object]} onPhone={[original.portalUser?.name ?? 'System']} />
          </>
        ),
      },
      {
        id: 'object',
        header: 'Object',
        meta: { isExtra: true },
        cell: ({ row: { original } }) => {
          const path = pathOf(companyId, original.object)
          return path === undefined ? (
            original.object
          ) : (
            <Link to={path} tabIndex={-1}>
              {original.object}
            </Link>
          )
        },
      },
      {
        id: 'from',
        header: 'IP address',
        meta: { width: '130px', isExtra: true },
        cell: ({ row }) => <span className="code muted">{row.original.address}</span>,
      },
    ],
    [companyId],
  )
  return (
    <Page
      title="Audit log"
      crumbs={inSettings(companyId)}
      isFilled
      count={list.total && countedUpTo(list.total, 'record')}
      filters={
        <SearchBox
          label="Search the audit log"
          value={search}
          onChange={(typed) => setState({ search: typed }, { push: false })}
        />
      }
    >
      <ListTable<AuditRow>
        label="Audit log"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ operation }) => operation}
        onOpen={(row) => setOpen(row)}
        empty={
          words === '' ? (
            <Empty title="No changes recorded yet" />
          ) : (
            <Empty title="No matching records">
              <p>Search covers actions, objects, people, IP addresses, API keys and request IDs.</p>
              <ButtonLink to={to.audit({ companyId })}>Show all records</ButtonLink>
            </Empty>
          )
        }
      />
      {open && <RecordDialog row={open} companyId={companyId} onClose={() => setOpen(null)} />}
    </Page>
  )
}

const shown = (value: unknown): string => JSON.stringify(value, null, 2)

function RecordDialog({ row, companyId, onClose }: { row: AuditRow; companyId: string; onClose: () => void }) {
  const path = pathOf(companyId, row.object)
  return (
    <Dialog title={`${row.operation} – ${row.object}`} isOpen onClose={onClose}>
      <div className="stack">
        <Facts
          facts={[
            { name: 'When', fact: <Moment at={row.at} /> },
            { name: 'Object', fact: path && <Link to={path}>{row.object}</Link> },
            { name: 'Who', fact: row.portalUser && `${row.portalUser.name}, ${row.portalUser.email}` },
            { name: 'API key', fact: row.keyPublicId && <span className="code">mrl_{row.keyPublicId}</span> },
            { name: 'IP address', fact: row.address },
            { name: 'Request ID', fact: row.requestId && <span className="code">{row.requestId}</span> },
          ]}
        />
        {row.before !== null && <CodeBlock text={shown(row.before)} label="Before" />}
        {row.after !== null && <CodeBlock text={shown(row.after)} label="After" />}
      </div>
    </Dialog>
  )
}
