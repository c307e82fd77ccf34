// The tickets of a company, with the number in each domain.

import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Facet, SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { ids, oneOf, someOf, text, useUrlState } from '../../util/url-state.ts'
import { counted, wordsOf } from '../../util/words.ts'
import { type TicketRow, Tickets } from './documents.ts'
import { Domains } from './domains.tsx'
import { TicketDialog } from './form.tsx'
import { priorities, statuses, types } from './words.ts'

const DomainsDialog = lateDialog(() => import('./domains-dialog.tsx'))

const shape = {
  search: text(),
  status: someOf(statuses, ['OPEN', 'IN_PROGRESS', 'WAITING']),
  priority: someOf(priorities),
  type: oneOf([...types, 'any'] as const, 'any'),
  domain: ids(),
}

export function Component() {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { session } = useSession()
  const [{ search, status, priority, type, domain }, setState] = useUrlState(shape)
  const [isAdding, setAdding] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const mayNot = whyNot(session, companyId, 'tickets:write')
  const narrowed = {
    search: search.trim() || undefined,
    statuses: status.length > 0 ? [...status] : undefined,
    priorities: priority.length > 0 ? [...priority] : undefined,
  }
  const params = {
    ...narrowed,
    types: type === 'any' ? undefined : [type],
    domainIds: domain.length > 0 ? [...domain] : undefined,
  }
  const list = useList(Tickets, { companyId, params }, ({ tickets }) => tickets)
  const columns = useColumns(companyId)
  return (
    <Page
      title="Tickets"
      isFilled
      count={list.total && counted(list.total.count, 'ticket')}
      actions={
        <>
          <Button onClick={() => setNaming(true)} disabledReason={mayNot}>
            Domains…
          </Button>
          <Button tone="main" onClick={() => setAdding(true)} disabledReason={mayNot}>
            New ticket
          </Button>
        </>
      }
      filters={
        <>
          <SearchBox
            label="Search tickets"
            value={search}
            onChange={(typed) => setState({ search: typed }, { push: false })}
          />
          <Facet
            name="Status"
            options={statuses}
            chosen={status}
            onChange={(chosen) => setState({ status: chosen })}
            show={wordsOf}
          />
          <Facet
            name="Priority"
            options={priorities}
            chosen={priority}
            onChange={(chosen) => setState({ priority: chosen })}
            show={(one) => one}
            wordOf={(one) => one}
          />
          <Facet
            name="Type"
            options={types}
            chosen={type === 'any' ? [] : [type]}
            onChange={(chosen) => setState({ type: chosen.find((one) => one !== type) ?? 'any' })}
            show={wordsOf}
          />
          <Domains
            companyId={companyId}
            type={type}
            params={narrowed}
            chosen={domain}
            onChoose={(chosen) => setState({ domain: chosen })}
          />
        </>
      }
    >
      <ListTable<TicketRow>
        label="Tickets"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        onOpen={({ id }) => navigate(to.ticket({ companyId, ticketId: id }))}
        empty={
          <Empty
            title="No tickets"
            command={`merlon ticket create "Test the new checkout" --description "All of it" --company ${companyId}`}
          >
            <p>Use tickets for requests other than findings: a project, a feature or support.</p>
          </Empty>
        }
      />
      {isNaming && <DomainsDialog companyId={companyId} onClose={() => setNaming(false)} />}
      {isAdding && (
        <TicketDialog
          companyId={companyId}
          onClose={() => setAdding(false)}
          onDone={(id) => navigate(to.ticket({ companyId, ticketId: id }))}
        />
      )}
    </Page>
  )
}

function useColumns(companyId: string): Column<TicketRow>[] {
  return useMemo(
    () => [
      {
        id: 'priority',
        header: 'Priority',
        meta: { width: 'clamp(72px, 9cqi, 84px)' },
        cell: ({ row }) => row.original.priority,
      },
      {
        id: 'title',
        header: 'Title',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.ticket({ companyId, ticketId: original.id })} tabIndex={-1}>
              {original.title}
            </Link>
            <Beneath of={[original.domain.name, wordsOf(original.type), original.assignee?.name]} />
          </>
        ),
      },
      {
        id: 'domain',
        header: 'Domain',
        meta: { width: '150px', isExtra: true },
        cell: ({ row }) => row.original.domain.name,
      },
      {
        id: 'type',
        header: 'Type',
        meta: { width: '130px', isExtra: true, isLast: true },
        cell: ({ row }) => wordsOf(row.original.type),
      },
      { id: 'status', header: 'Status', meta: { width: '110px' }, cell: ({ row }) => wordsOf(row.original.status) },
      {
        id: 'assignee',
        header: 'Assigned to',
        meta: { width: '150px', isExtra: true },
        cell: ({ row }) => row.original.assignee?.name ?? <span className="muted">unassigned</span>,
      },
      {
        id: 'at',
        header: 'Opened',
        meta: { width: '112px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
    ],
    [companyId],
  )
}
