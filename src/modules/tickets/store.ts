// The SQL of tickets and their attachments.

import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { boundedCount, newestFirst, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Database } from '../../core/db/tables.generated.ts'
import type { StoredFile } from '../../core/download.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { TicketImpactEnum, TicketPriorityEnum, TicketStatus, TicketTypeEnum } from '../api.generated.ts'
import type { Viewer } from '../context.ts'

type TicketFields = {
  title: string
  description: string
  type: TicketTypeEnum
  status: TicketStatus
  priority: TicketPriorityEnum | null
  impact: TicketImpactEnum | null
  domainId: Id
  assigneeId: Id | null
}

export type Ticket = TicketFields & {
  companyId: Id
  id: Id
  createdById: Id | null
  createdAt: string
  updatedAt: string
}

export type TicketAttachment = { id: Id; ticketId: Id; filename: string; contentType: string; size: number }

/** The filters of a list of tickets; moments are ISO 8601. */
export type TicketFilter = {
  search: string | null
  types: readonly string[] | null
  priorities: readonly string[] | null
  impacts: readonly string[] | null
  statuses: readonly string[] | null
  domainIds: readonly Id[] | null
  assigneeEmails: readonly string[] | null
  createdFrom: string | null
  createdTo: string | null
}

const sortings = {
  id: 'id',
  title: sql`lower(title)`,
  type: 'type',
  status: sql`array_position(array['OPEN', 'IN_PROGRESS', 'WAITING', 'RESOLVED', 'CLOSED'], status)`,
  priority: 'priority',
  impact: sql`array_position(array['LOW', 'MEDIUM', 'HIGH'], impact)`,
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const

type TicketSorting = keyof typeof sortings
export type TicketOrder = { by: TicketSorting; direction: 'asc' | 'desc' }

export const isTicketSorting = (name: string): name is TicketSorting => Object.hasOwn(sortings, name)
export const ticketSortings = Object.keys(sortings)

const columns = [
  'company_id as companyId',
  'id',
  'title',
  'description',
  sql<TicketTypeEnum>`type`.as('type'),
  sql<TicketStatus>`status`.as('status'),
  sql<TicketPriorityEnum | null>`priority`.as('priority'),
  sql<TicketImpactEnum | null>`impact`.as('impact'),
  'domain_id as domainId',
  'assignee_id as assigneeId',
  'created_by as createdById',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function listTickets(
  db: Db,
  companyId: Id,
  page: PageRequest,
  filter: TicketFilter,
  order: TicketOrder | null,
): Promise<Page<Ticket>> {
  const tickets = db
    .selectFrom('ticket')
    .select(columns)
    .where('company_id', '=', companyId)
    .$call((query) => matching(query, filter))
  if (order === null) return newestFirst(db, tickets, page, 'ticket.id')
  const rows = await tickets
    .orderBy(sortings[order.by], (sorting) =>
      order.direction === 'asc' ? sorting.asc().nullsLast() : sorting.desc().nullsLast(),
    )
    .orderBy('id', order.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return pageOf(page, rows, await boundedCount(db, tickets, rows.length, page), (ticket) => [ticket.id])
}

export async function countTicketsByDomain(
  db: Db,
  companyId: Id,
  type: TicketTypeEnum,
  filter: TicketFilter,
): Promise<{ count: number; domainId: Id }[]> {
  return db
    .selectFrom('ticket')
    .select([sql<number>`count(*)::int`.as('count'), 'domain_id as domainId'])
    .where('company_id', '=', companyId)
    .where('type', '=', type)
    .$call((query) => matching(query, filter))
    .groupBy('domain_id')
    .orderBy('count', 'desc')
    .orderBy('domain_id')
    .execute()
}

function matching<Row>(
  query: SelectQueryBuilder<Database, 'ticket', Row>,
  filter: TicketFilter,
): SelectQueryBuilder<Database, 'ticket', Row> {
  let found = query
  const hold = (condition: ReturnType<typeof sql<boolean>>) => {
    found = found.where(condition)
  }
  if (filter.search !== null) {
    const part = filter.search.toLowerCase()
    hold(sql<boolean>`(strpos(lower(title), ${part}) > 0 or strpos(lower(description), ${part}) > 0)`)
  }
  if (filter.types !== null) hold(sql<boolean>`type = any(${filter.types}::text[])`)
  if (filter.priorities !== null) hold(sql<boolean>`priority = any(${filter.priorities}::text[])`)
  if (filter.impacts !== null) hold(sql<boolean>`impact = any(${filter.impacts}::text[])`)
  if (filter.statuses !== null) hold(sql<boolean>`status = any(${filter.statuses}::text[])`)
  if (filter.domainIds !== null) hold(sql<boolean>`domain_id = any(${filter.domainIds}::bigint[])`)
  if (filter.assigneeEmails !== null) {
    const emails = filter.assigneeEmails.map((email) => email.toLowerCase())
    hold(sql<boolean>`assignee_id in (select id from portal_user where lower(email) = any(${emails}::text[]))`)
  }
  if (filter.createdFrom !== null) hold(sql<boolean>`created_at >= ${filter.createdFrom}::timestamptz`)
  if (filter.createdTo !== null) hold(sql<boolean>`created_at <= ${filter.createdTo}::timestamptz`)
  return found
}

export async function findTicket(db: Db, companyId: Id, id: Id): Promise<Ticket | null> {
  const tickets = db.selectFrom('ticket').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await tickets.executeTakeFirst()) ?? null
}

export async function findSeenTicket(db: Db, viewer: Viewer, id: Id): Promise<Ticket | null> {
  const tickets = db
    .selectFrom('ticket')
    .select(columns)
    .where(seenBy(viewer, 'ticket.company_id'))
    .where('id', '=', id)
  return (await tickets.executeTakeFirst()) ?? null
}

export async function lockTicket(trx: Trx, companyId: Id, id: Id): Promise<Ticket | null> {
  const tickets = trx.selectFrom('ticket').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await tickets.forUpdate().executeTakeFirst()) ?? null
}

export async function insertTicket(
  trx: Trx,
  companyId: Id,
  createdById: Id,
  fields: Omit<TicketFields, 'status'>,
): Promise<Ticket> {
  return trx
    .insertInto('ticket')
    .values({ company_id: companyId, created_by: createdById, ...rowOf(fields) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateTicket(trx: Trx, ticket: Ticket, fields: TicketFields): Promise<Ticket> {
  return trx
    .updateTable('ticket')
    .set({ ...rowOf(fields), status: fields.status, updated_at: sql`now()` })
    .where('company_id', '=', ticket.companyId)
    .where('id', '=', ticket.id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

const rowOf = (fields: Omit<TicketFields, 'status'>) => ({
  domain_id: fields.domainId,
  title: fields.title,
  description: fields.description,
  type: fields.type,
  priority: fields.priority,
  impact: fields.impact,
  assignee_id: fields.assigneeId,
})

/** Deletes a ticket and the records of its files; the files themselves are swept later. */
export async function deleteTicket(trx: Trx, { companyId, id }: Ticket): Promise<void> {
  await sql`
    delete from stored_object where company_id = ${companyId} and id = any(array(
      select object_id from ticket_attachment where company_id = ${companyId} and ticket_id = ${id}))`.execute(trx)
  await trx.deleteFrom('ticket').where('company_id', '=', companyId).where('id', '=', id).execute()
}

export async function insertAttachments(
  trx: Trx,
  companyId: Id,
  ticketId: Id,
  objectIds: readonly Id[],
): Promise<void> {
  await sql`
    insert into ticket_attachment (company_id, ticket_id, object_id)
    select ${companyId}, ${ticketId}, unnest(${objectIds}::bigint[])`.execute(trx)
}

export async function countAttachments(trx: Trx, companyId: Id, ticketId: Id): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_attachment
    where company_id = ${companyId} and ticket_id = ${ticketId}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** The files of tickets that the viewer sees, oldest first. */
export async function findAttachments(db: Db, viewer: Viewer, ticketIds: readonly Id[]): Promise<TicketAttachment[]> {
  const { rows } = await sql<TicketAttachment>`
    select o.id, a.ticket_id as "ticketId", o.filename, o.content_type as "contentType", o.size::float8 as size
    from ticket_attachment a join stored_object o on o.company_id = a.company_id and o.id = a.object_id
    where ${seenBy(viewer, 'a.company_id')} and a.ticket_id = any(${ticketIds}::bigint[])
    order by o.id`.execute(db)
  return rows
}

/** The file of a ticket by its id, if the viewer sees the ticket. */
export async function findFile(db: Db, viewer: Viewer, id: Id): Promise<(StoredFile & { companyId: Id }) | null> {
  const { rows } = await sql<StoredFile & { companyId: Id }>`
    select o.company_id as "companyId", o.object_key as "objectKey", o.filename, o.content_type as "contentType",
           o.size::float8 as size, encode(o.sha256, 'hex') as sha256
    from ticket_attachment a join stored_object o on o.company_id = a.company_id and o.id = a.object_id
    where ${seenBy(viewer, 'a.company_id')} and a.object_id = ${id}`.execute(db)
  return rows[0] ?? null
}
