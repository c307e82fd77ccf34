// Tickets and their domains: who may see, create, change and delete them.

import { type Trx, transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { StoredFile } from '../../core/download.ts'
import { badUserInput, conflict, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { keepUpload, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { audit, authorize, authorizeRecord, membersByEmail } from '../access/service.ts'
import type { TicketImpactEnum, TicketPriorityEnum, TicketStatus, TicketTypeEnum } from '../api.generated.ts'
import type { Context } from '../context.ts'
import { makeDomain, resolveDomain } from './domains.ts'
import * as store from './store.ts'
import * as domains from './store-domains.ts'

export type { Ticket, TicketAttachment, TicketFilter } from './store.ts'

const FILES_AT_ONCE = 20
const MOST_FILES = 100

export const loadDomains = async (context: Context, ids: readonly string[]) =>
  new Map((await domains.findDomains(context.db, context.viewer, ids)).map((domain) => [domain.id, domain]))

export async function loadAttachments(
  context: Context,
  ticketIds: readonly string[],
): Promise<Map<string, store.TicketAttachment[]>> {
  const found = await store.findAttachments(context.db, context.viewer, ticketIds)
  return Map.groupBy(found, ({ ticketId }) => ticketId)
}

/** A file of a ticket, for download. */
export const getAttachmentFile = (context: Context, id: Id): Promise<StoredFile> =>
  authorizeRecord(context, 'tickets:read', 'TicketAttachment', id, () => store.findFile(context.db, context.viewer, id))

type TicketOrder = { by: string; descending: boolean }

export async function listTickets(
  context: Context,
  companyId: Id,
  page: PageRequest,
  filter: store.TicketFilter,
  order: TicketOrder | null,
): Promise<Page<store.Ticket>> {
  await authorize(context, 'tickets:read', companyId)
  return store.listTickets(context.db, companyId, page, filter, readOrder(order, page))
}

export async function getTicket(context: Context, companyId: Id, id: Id): Promise<store.Ticket> {
  await authorize(context, 'tickets:read', companyId)
  const ticket = await store.findTicket(context.db, companyId, id)
  if (!ticket) throw notFound('Ticket', id)
  return ticket
}

/** The number of matching tickets of the type in each domain that has any, largest first. */
export async function countTicketsByDomain(
  context: Context,
  companyId: Id,
  type: TicketTypeEnum,
  filter: store.TicketFilter,
): Promise<{ count: number; domainId: Id }[]> {
  await authorize(context, 'tickets:read', companyId)
  return store.countTicketsByDomain(context.db, companyId, type, filter)
}

export async function listTicketDomains(context: Context, companyId: Id): Promise<domains.TicketDomain[]> {
  await authorize(context, 'tickets:read', companyId)
  return domains.listDomains(context.db, companyId)
}

type TicketInput = {
  type?: TicketTypeEnum | null
  title?: string | null
  description?: string | null
  status?: TicketStatus | null
  priority?: TicketPriorityEnum | null
  impact?: TicketImpactEnum | null
  attachments?: readonly UploadedFile[] | null
  domainId: Id | null
  domainName?: string | null
  assigneeEmail?: string | null
}

type NewTicket = TicketInput & { type: TicketTypeEnum; title: string; description: string }

export async function createTicket(context: Context, companyId: Id, input: NewTicket): Promise<store.Ticket> {
  await authorize(context, 'tickets:write', companyId)
  const title = readName(input.title, 'input.title')
  const description = readText(input.description, 'input.description')
  const domainName = readDomainName(input)
  const assigneeId = await readAssignee(context, companyId, input.assigneeEmail)
  const files = await storeFiles(context, input.attachments)
  const { type, priority = null, impact = null } = input
  return transaction(context.db, async (trx) => {
    const domain = await resolveDomain(trx, companyId, { id: input.domainId, name: domainName })
    const fields = { title, description, type, priority, impact, domainId: domain.id, assigneeId }
    const ticket = await store.insertTicket(trx, companyId, context.viewer.userId, fields)
    await keepFiles(trx, ticket, files)
    await audit(trx, context, { companyId, object: `Ticket ${ticket.id}`, after: withFiles(ticket, files) })
    return ticket
  })
}

export async function updateTicket(context: Context, id: Id, input: TicketInput): Promise<store.Ticket> {
  const find = () => store.findSeenTicket(context.db, context.viewer, id)
  const { companyId } = await authorizeRecord(context, 'tickets:write', 'Ticket', id, find)
  const title = input.title === undefined || input.title === null ? null : readName(input.title, 'input.title')
  const description = readText(input.description, 'input.description')
  const domainName = readDomainName(input)
  const assigneeId = await readAssignee(context, companyId, input.assigneeEmail)
  const files = await storeFiles(context, input.attachments)
  return transaction(context.db, async (trx) => {
    const before = await store.lockTicket(trx, companyId, id)
    if (!before) throw notFound('Ticket', id)
    const isMoved = input.domainId !== null || domainName !== null
    const domain = isMoved
      ? await resolveDomain(trx, companyId, { id: input.domainId, name: domainName })
      : { id: before.domainId }
    const after = await store.updateTicket(trx, before, {
      title: title ?? before.title,
      description: description ?? before.description,
      type: input.type ?? before.type,
      status: input.status ?? before.status,
      priority: input.priority === undefined ? before.priority : input.priority,
      impact: input.impact === undefined ? before.impact : input.impact,
      domainId: domain.id,
      assigneeId: input.assigneeEmail === undefined ? before.assigneeId : assigneeId,
    })
    await keepFiles(trx, after, files)
    await audit(trx, context, { companyId, object: `Ticket ${id}`, before, after: withFiles(after, files) })
    return after
  })
}

export async function deleteTicket(context: Context, id: Id): Promise<Id> {
  const find = () => store.findSeenTicket(context.db, context.viewer, id)
  const { companyId } = await authorizeRecord(context, 'tickets:write', 'Ticket', id, find)
  return transaction(context.db, async (trx) => {
    const before = await store.lockTicket(trx, companyId, id)
    if (!before) throw notFound('Ticket', id)
    await store.deleteTicket(trx, before)
    await audit(trx, context, { companyId, object: `Ticket ${id}`, before })
    return id
  })
}

export async function createTicketDomain(
  context: Context,
  companyId: Id,
  givenName: string,
): Promise<domains.TicketDomain> {
  await authorize(context, 'tickets:write', companyId)
  const name = readName(givenName, 'input.name')
  return transaction(context.db, async (trx) => {
    const domain = await makeDomain(trx, companyId, name)
    if (!domain) throw conflict(`The company has a ticket domain ${name} already`)
    await audit(trx, context, { companyId, object: `TicketDomain ${domain.id}`, after: domain })
    return domain
  })
}

/** Deletes a domain; FAILED_PRECONDITION if it has tickets. */
export async function deleteTicketDomain(context: Context, id: Id): Promise<Id> {
  const find = async () => (await domains.findDomains(context.db, context.viewer, [id]))[0] ?? null
  const domain = await authorizeRecord(context, 'tickets:write', 'TicketDomain', id, find)
  return transaction(context.db, async (trx) => {
    await domains.deleteDomain(trx, domain).catch((error) => {
      if (violates(error, 'ticket_in_domain')) throw failedPrecondition(`${domain.name} has tickets; move them first`)
      throw error
    })
    await audit(trx, context, { companyId: domain.companyId, object: `TicketDomain ${id}`, before: domain })
    return id
  })
}

function readOrder(order: TicketOrder | null, page: PageRequest): store.TicketOrder | null {
  if (order === null) return null
  const by = order.by.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  if (!store.isTicketSorting(by)) {
    throw badUserInput(`Tickets are sorted by ${store.ticketSortings.join(', ')}`, 'sortBy')
  }
  if (page.after !== null) throw badUserInput('after works only in the list’s default order', 'after')
  return { by, direction: order.descending ? 'desc' : 'asc' }
}

const readDomainName = ({ domainName }: TicketInput): string | null =>
  domainName === undefined || domainName === null ? null : readName(domainName, 'input.domainName')

async function readAssignee(context: Context, companyId: Id, email: string | null | undefined): Promise<Id | null> {
  if (email === undefined || email === null) return null
  const [member] = await membersByEmail(context, companyId, [email], 'input.assigneeEmail')
  return member?.id ?? null
}

async function storeFiles(
  { config, objects }: Context,
  given: readonly UploadedFile[] | null | undefined,
): Promise<UploadedFile[]> {
  const files = [...new Set(given)]
  if (files.length > FILES_AT_ONCE) {
    throw badUserInput(`attachments takes at most ${FILES_AT_ONCE} files at once`, 'input.attachments')
  }
  for (const file of files) requireSize(file, config.limits.attachmentBytes, 'input.attachments')
  for (const file of files) await storeUpload(objects, file)
  return files
}

async function keepFiles(trx: Trx, ticket: store.Ticket, files: readonly UploadedFile[]): Promise<void> {
  if (files.length === 0) return
  if ((await store.countAttachments(trx, ticket.companyId, ticket.id)) + files.length > MOST_FILES) {
    throw badUserInput(`A ticket has at most ${MOST_FILES} attachments`, 'input.attachments')
  }
  const kept: Id[] = []
  for (const file of files) kept.push(await keepUpload(trx, ticket.companyId, file))
  await store.insertAttachments(trx, ticket.companyId, ticket.id, kept)
}

const withFiles = (ticket: store.Ticket, files: readonly UploadedFile[]) =>
  files.length === 0 ? ticket : { ...ticket, attachments: files.map(({ filename }) => filename) }
