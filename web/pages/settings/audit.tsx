// The record of changes: who did what, when, from where, and what it was before and after.

import { useMemo, useState } from 'react'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import type { Column } from '../../table/data-table.tsx'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { text, useUrlState } from '../../util/url-state.ts'

const Records = graphql(`
  query Records($companyId: ID!, $after: String) {
    auditRecords(companyId: $companyId, pagination: { perPage: 100, after: $after }) {
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

const isAbout = ({ operation, object, portalUser, address }: AuditRow, words: string): boolean =>
  [operation, object, portalUser?.name, portalUser?.email, address].some((part) =>
    part?.toLowerCase().includes(words.toLowerCase()),
  )

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'audit:read')
  const [{ search }, setState] = useUrlState(shape)
  const box = (
    <SearchBox
      label="Search in the record"
      value={search}
      onChange={(typed) => setState({ search: typed }, { push: false })}
    />
  )
  return (
    <Page title="Record of changes" isFilled filters={mayNot === undefined ? box : undefined}>
      {mayNot === undefined ? <RecordsTable companyId={companyId} search={search} /> : <Empty title={mayNot} />}
    </Page>
  )
}

function RecordsTable({ companyId, search }: { companyId: string; search: string }) {
  const [open, setOpen] = useState<AuditRow | null>(null)
  const list = useList(Records, { companyId }, ({ auditRecords }) => auditRecords)
  const words = search.trim()
  const rows = useMemo(() => list.rows.filter((row) => words === '' || isAbout(row, words)), [list.rows, words])
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
        meta: { width: 'clamp(84px, 16cqi, 180px)' },
        cell: ({ row }) => row.original.portalUser?.name ?? <span className="muted">the platform</span>,
      },
      {
        id: 'what',
        header: 'What',
        meta: { width: 'clamp(130px, 26cqi, 340px)' },
        cell: ({ row }) => <span className="code">{row.original.operation}</span>,
      },
      { id: 'object', header: 'Of', meta: { isExtra: true }, cell: ({ row }) => row.original.object },
      {
        id: 'from',
        header: 'From',
        meta: { width: '130px', isExtra: true },
        cell: ({ row }) => <span className="code muted">{row.original.address}</span>,
      },
    ],
    [],
  )
  return (
    <>
      <ListTable<AuditRow>
        label="Record of changes"
        list={{ ...list, rows }}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ operation }) => operation}
        onOpen={(row) => setOpen(row)}
        empty={
          <Empty title={words ? 'Nothing that is loaded says so' : 'Nothing was changed yet'}>
            {list.hasMore && <p>Older records are looked through as they are loaded.</p>}
          </Empty>
        }
      />
      {open && <RecordDialog row={open} onClose={() => setOpen(null)} />}
    </>
  )
}

const shown = (value: unknown): string => JSON.stringify(value, null, 2)

function RecordDialog({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  return (
    <Dialog title={`${row.operation} – ${row.object}`} isOpen onClose={onClose}>
      <div className="stack">
        <Facts
          facts={[
            { name: 'When', fact: <Moment at={row.at} /> },
            { name: 'Who', fact: row.portalUser && `${row.portalUser.name}, ${row.portalUser.email}` },
            { name: 'Key', fact: row.keyPublicId && <span className="code">mrl_{row.keyPublicId}</span> },
            { name: 'From', fact: row.address },
            { name: 'Request', fact: row.requestId && <span className="code">{row.requestId}</span> },
          ]}
        />
        {row.before !== null && <CodeBlock text={shown(row.before)} label="Before" />}
        {row.after !== null && <CodeBlock text={shown(row.after)} label="After" />}
      </div>
    </Dialog>
  )
}
