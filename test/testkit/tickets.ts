// Tickets that tests create through the endpoint.

import { run } from './client.ts'
import type { World } from './world.ts'

export const CREATE_TICKET = `mutation ($input: CreateTicketInput!) { createTicket(input: $input) { clientMutationId errors ticket { id } } }`

export async function newTicket({ companyId, owner }: World, fields: Record<string, unknown> = {}): Promise<string> {
  const input = { companyId, type: 'BUG', title: 'It breaks', description: 'At once.', ...fields }
  return (await run(owner.key, CREATE_TICKET, { input })).createTicket.ticket.id
}
