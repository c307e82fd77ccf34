// `merlon ticket`: opens, lists and counts the tickets of a company.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { findCompany } from '../find.ts'
import { type OutputOptions, printOne, printRows } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'
import { oneOf } from '../values.ts'

const types = ['BUG', 'FEATURE_REQUEST', 'PROJECT_REQUEST', 'SUPPORT_REQUEST'] as const
const priorities = ['P1', 'P2', 'P3'] as const
const impacts = ['LOW', 'MEDIUM', 'HIGH'] as const

type Ticket = { id: string; title: string; type: string; status: string; priority: string; impact: string }
type Options = OutputOptions & {
  company?: string
  type: string
  description: string
  priority?: string
  impact?: string
  domain?: string
  search?: string
}

const FIELDS = 'id title type status priority impact createdAt'

export function ticket(group: Command): void {
  group
    .command('create <title>')
    .description('open a ticket')
    .requiredOption('--description <text>')
    .option('--company <id or label>')
    .option('--type <type>', types.join(', '), oneOf('--type', types), 'BUG')
    .option('--priority <priority>', priorities.join(', '), oneOf('--priority', priorities))
    .option('--impact <impact>', impacts.join(', '), oneOf('--impact', impacts))
    .option('--domain <name>', 'what the ticket is about; created if it does not exist')
    .option('--json')
    .action(create)

  group
    .command('list')
    .description('list the tickets of a company')
    .option('--company <id or label>')
    .option('--search <text>')
    .option('--json')
    .action(list)

  group
    .command('stats')
    .description('count the tickets of one type by domain')
    .option('--company <id or label>')
    .option('--type <type>', types.join(', '), oneOf('--type', types), 'BUG')
    .option('--json')
    .action(stats)
}

async function create(title: string, options: Options): Promise<void> {
  const input = {
    companyId: await findCompany(options.company),
    title,
    description: options.description,
    type: options.type,
    priority: options.priority,
    impact: options.impact,
    domainName: options.domain,
  }
  const { createTicket } = await request(
    `mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { ${FIELDS} } } }`,
    { input },
  )
  printOne(`Ticket ${createTicket.ticket.id}: ${title}`, createTicket.ticket, options)
}

async function list(options: Options): Promise<void> {
  const tickets = await listAll<Ticket>(
    'tickets',
    `query ($companyId: ID!, $params: TicketSearch, $after: String) {
      tickets(companyId: $companyId, limit: 1000, params: $params, after: $after) { collection { ${FIELDS} } ${PAGE_METADATA} } }`,
    { companyId: await findCompany(options.company), params: { search: options.search } },
  )
  printRows(
    tickets,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'TITLE', of: ({ title }) => title },
      { title: 'TYPE', of: ({ type }) => type },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'PRIORITY', of: ({ priority }) => priority },
      { title: 'IMPACT', of: ({ impact }) => impact },
    ],
    options,
  )
}

async function stats(options: Options): Promise<void> {
  const { ticketDomainStats } = await request(
    'query ($companyId: ID!, $type: TicketTypeEnum!) { ticketDomainStats(companyId: $companyId, ticketType: $type) { count domain { id name } } }',
    { companyId: await findCompany(options.company), type: options.type },
  )
  printRows<{ count: number; domain: { name: string } }>(
    ticketDomainStats,
    [
      { title: 'DOMAIN', of: ({ domain }) => domain.name },
      { title: 'TICKETS', of: ({ count }) => count },
    ],
    options,
  )
}
