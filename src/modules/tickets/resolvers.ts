// Tickets as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import { readRange } from '../../core/moments.ts'
import { loadUsers } from '../access/service.ts'
import type {
  MutationCreateTicketArgs,
  MutationCreateTicketDomainArgs,
  MutationDeleteTicketArgs,
  MutationDeleteTicketDomainArgs,
  MutationUpdateTicketArgs,
  QueryTicketArgs,
  QueryTicketDomainStatsArgs,
  QueryTicketDomainsArgs,
  QueryTicketsArgs,
  TicketSearch,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { ticketAttachmentPath } from './routes.ts'
import * as service from './service.ts'

function filterOf(params: TicketSearch | null | undefined): service.TicketFilter {
  const created = readRange(params?.createdAtRange, 'params.createdAtRange')
  return {
    search: params?.search?.trim() || null,
    types: unlessEmpty(params?.types),
    priorities: unlessEmpty(params?.priorities),
    impacts: unlessEmpty(params?.impacts),
    statuses: unlessEmpty(params?.statuses),
    domainIds: unlessEmpty(parseIds(params?.domainIds ?? [], 'params.domainIds')),
    assigneeEmails: unlessEmpty(params?.assigneeEmails),
    createdFrom: created.from,
    createdTo: created.to,
  }
}

export const resolvers = {
  Query: {
    tickets: (_: unknown, args: QueryTicketsArgs, context: Context) =>
      service.listTickets(
        context,
        parseId(args.companyId, 'companyId'),
        askedPage(context, args),
        filterOf(args.params),
        args.sortBy ? { by: args.sortBy, descending: args.descending ?? false } : null,
      ),
    ticket: (_: unknown, { companyId, id }: QueryTicketArgs, context: Context) =>
      service.getTicket(context, parseId(companyId, 'companyId'), parseId(id, 'id')),
    ticketDomains: (_: unknown, { companyId }: QueryTicketDomainsArgs, context: Context) =>
      service.listTicketDomains(context, parseId(companyId, 'companyId')),
    ticketDomainStats: (_: unknown, args: QueryTicketDomainStatsArgs, context: Context) =>
      service.countTicketsByDomain(
        context,
        parseId(args.companyId, 'companyId'),
        args.ticketType,
        filterOf(args.params),
      ),
  },
  Mutation: {
    createTicket: async (_: unknown, { input }: MutationCreateTicketArgs, context: Context) => ({
      ticket: await service.createTicket(context, parseId(input.companyId, 'input.companyId'), {
        ...input,
        domainId: parseOptionalId(input.domainId, 'input.domainId'),
      }),
    }),
    updateTicket: async (_: unknown, { input }: MutationUpdateTicketArgs, context: Context) => ({
      ticket: await service.updateTicket(context, parseId(input.id, 'input.id'), {
        ...input,
        domainId: parseOptionalId(input.domainId, 'input.domainId'),
      }),
    }),
    deleteTicket: async (_: unknown, { input }: MutationDeleteTicketArgs, context: Context) => ({
      id: await service.deleteTicket(context, parseId(input.id, 'input.id')),
    }),
    createTicketDomain: async (_: unknown, { input }: MutationCreateTicketDomainArgs, context: Context) => ({
      ticketDomain: await service.createTicketDomain(context, parseId(input.companyId, 'input.companyId'), input.name),
    }),
    deleteTicketDomain: async (_: unknown, { input }: MutationDeleteTicketDomainArgs, context: Context) => ({
      id: await service.deleteTicketDomain(context, parseId(input.id, 'input.id')),
    }),
  },
  Ticket: {
    domain: (ticket: service.Ticket, _: unknown, context: Context) =>
      load(context, service.loadDomains, ticket.domainId),
    createdBy: (ticket: service.Ticket, _: unknown, context: Context) =>
      ticket.createdById === null ? null : load(context, loadUsers, ticket.createdById),
    assignee: (ticket: service.Ticket, _: unknown, context: Context) =>
      ticket.assigneeId === null ? null : load(context, loadUsers, ticket.assigneeId),
    attachments: async (ticket: service.Ticket, _: unknown, context: Context) =>
      (await load(context, service.loadAttachments, ticket.id)) ?? [],
  },
  TicketAttachment: {
    downloadUrl: ({ id }: service.TicketAttachment, _: unknown, { config }: Context) =>
      `${config.publicUrl?.replace(/\/$/, '') ?? ''}${ticketAttachmentPath(id)}`,
  },
  TicketDomainStat: {
    domain: (stat: { domainId: string }, _: unknown, context: Context) =>
      load(context, service.loadDomains, stat.domainId),
  },
} satisfies Resolvers
