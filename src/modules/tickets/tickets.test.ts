// Tickets, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run, unique, upload } from '../../../test/testkit/client.ts'
import { serviceUrl } from '../../../test/testkit/service.ts'
import { CREATE_TICKET, newTicket } from '../../../test/testkit/tickets.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const UPDATE = `mutation ($input: UpdateTicketInput!) { updateTicket(input: $input) {
  ticket { id title description type status priority impact domain { name } assignee { email } attachments { filename } } } }`
const DELETE = 'mutation ($input: DeleteTicketInput!) { deleteTicket(input: $input) { id } }'
const CREATE_DOMAIN = `mutation ($input: CreateTicketDomainInput!) { createTicketDomain(input: $input) { ticketDomain { id name } } }`
const DELETE_DOMAIN = 'mutation ($input: DeleteTicketDomainInput!) { deleteTicketDomain(input: $input) { id } }'
const DOMAINS = 'query ($companyId: ID!) { ticketDomains(companyId: $companyId) { id name } }'
const TICKET = `query ($companyId: ID!, $id: ID!) { ticket(companyId: $companyId, id: $id) {
  id title description type status priority impact createdAt updatedAt createdBy { name email } assignee { name email }
  domain { name } attachments { id filename contentType size downloadUrl } } }`
const TICKETS = `query ($companyId: ID!, $page: Int, $limit: Int, $sortBy: String, $descending: Boolean, $params: TicketSearch, $after: String) {
  tickets(companyId: $companyId, page: $page, limit: $limit, sortBy: $sortBy, descending: $descending, params: $params, after: $after) {
    collection { id title type status priority impact createdAt updatedAt createdBy { name email } assignee { name email } }
    metadata { totalCount totalPages currentPage limitValue } } }`

describe('tickets', () => {
  test('a ticket comes back as it was made, by whom, open and in the general domain', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const fields = { title: ' Login fails ', priority: 'P1', impact: 'HIGH', assigneeEmail: owner.email.toUpperCase() }

    const id = await newTicket(world, fields)

    const { ticket } = await run(owner.key, TICKET, { companyId, id })
    expect(ticket).toMatchObject({
      id,
      title: 'Login fails',
      description: 'At once.',
      type: 'BUG',
      status: 'OPEN',
      priority: 'P1',
      impact: 'HIGH',
      createdBy: { name: 'A person', email: owner.email },
      assignee: { email: owner.email },
      domain: { name: 'General' },
      attachments: [],
    })
  })

  test('the general domain is made once, however many first tickets come at once', async () => {
    const world = await newWorld()

    await Promise.all(Array.from({ length: 8 }, () => newTicket(world)))

    const { ticketDomains } = await run(world.owner.key, DOMAINS, { companyId: world.companyId })
    expect(ticketDomains.map(({ name }: Data) => name)).toEqual(['General'])
  })

  test('files come with a ticket and are named with their types and sizes', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const input = { companyId, type: 'BUG', title: 'With files', description: '', attachments: [null, null] }

    const answer = await upload(
      owner.key,
      CREATE_TICKET,
      { input },
      {
        'input.attachments.0': { content: 'one', filename: '../trace.txt', type: 'text/plain' },
        'input.attachments.1': { content: new Uint8Array(7), filename: 'b.bin' },
      },
    )
    const id = answer.data.createTicket.ticket.id
    const inline = { filename: 'c.txt', contentType: 'text/plain', base64: 'YWJj' }
    await run(owner.key, UPDATE, { input: { id, attachments: [inline] } })

    const { ticket } = await run(owner.key, TICKET, { companyId, id })
    expect(ticket.attachments.map(({ filename, contentType, size }: Data) => [filename, contentType, size])).toEqual([
      ['trace.txt', 'text/plain', 3],
      ['b.bin', 'application/octet-stream', 7],
      ['c.txt', 'text/plain', 3],
    ])
  })

  test('an update changes what it names, takes away what is null and leaves the rest', async () => {
    const world = await newWorld()
    const { owner } = world
    const id = await newTicket(world, { priority: 'P2', impact: 'LOW', assigneeEmail: owner.email })

    const changed = await run(owner.key, UPDATE, {
      input: { id, status: 'WAITING', priority: null, domainName: 'Portal', assigneeEmail: null },
    })

    expect(changed.updateTicket.ticket).toEqual({
      id,
      title: 'It breaks',
      description: 'At once.',
      type: 'BUG',
      status: 'WAITING',
      priority: null,
      impact: 'LOW',
      domain: { name: 'Portal' },
      assignee: null,
      attachments: [],
    })
  })

  test('a file of a ticket is downloaded by who sees the ticket, and by nobody else', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const file = {
      filename: 'page.html',
      contentType: 'text/html',
      base64: Buffer.from('<b>hi</b>').toString('base64'),
    }
    const id = await newTicket(mine, { attachments: [file] })
    const { ticket } = await run(mine.owner.key, TICKET, { companyId: mine.companyId, id })
    const [{ downloadUrl }] = ticket.attachments
    const download = async (key: string, path: string) =>
      fetch((await serviceUrl()) + path, { headers: { 'x-api-key': key, range: 'bytes=3-4' } })

    const own = await download(mine.owner.key, downloadUrl)
    const foreign = await download(theirs.owner.key, downloadUrl)
    const missing = await download(mine.owner.key, '/ticket-attachments/999999999')

    expect([own.status, own.headers.get('content-type'), await own.text()]).toEqual([
      206,
      'application/octet-stream',
      'hi',
    ])
    expect([foreign.status, missing.status]).toEqual([404, 404])
  })

  test('a deleted ticket is gone, and every change of it is audited', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const id = await newTicket(world)
    await run(owner.key, UPDATE, { input: { id, title: 'Renamed' } })

    const { deleteTicket } = await run(owner.key, DELETE, { input: { id } })

    const gone = await refusal(owner.key, TICKET, { companyId, id })
    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object } } }',
      { companyId },
    )
    const about = auditRecords.collection.filter(({ object }: Data) => object === `Ticket ${id}`)
    expect(deleteTicket.id).toBe(id)
    expect(gone.extensions.code).toBe('NOT_FOUND')
    expect(about.map(({ operation }: Data) => operation)).toEqual(['deleteTicket', 'updateTicket', 'createTicket'])
  })

  test('a domain is made once under its name in any case, and goes only when it has no tickets', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const { createTicketDomain } = await run(owner.key, CREATE_DOMAIN, { input: { companyId, name: 'Network' } })
    const { id } = createTicketDomain.ticketDomain
    const ticket = await newTicket(world, { domainId: id })

    const again = await refusal(owner.key, CREATE_DOMAIN, { input: { companyId, name: 'NETWORK' } })
    const held = await refusal(owner.key, DELETE_DOMAIN, { input: { id } })
    await run(owner.key, DELETE, { input: { id: ticket } })
    const { deleteTicketDomain } = await run(owner.key, DELETE_DOMAIN, { input: { id } })

    expect([again.extensions.code, held.extensions.code]).toEqual(['CONFLICT', 'FAILED_PRECONDITION'])
    expect(deleteTicketDomain.id).toBe(id)
  })

  test.each([
    ['an empty title', { title: '  ' }, 'BAD_USER_INPUT', 'input.title'],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, 'BAD_USER_INPUT', 'input.title'],
    [
      'a description of 100,001 characters',
      { description: 'x'.repeat(100_001) },
      'BAD_USER_INPUT',
      'input.description',
    ],
    ['an assignee who is no member', { assigneeEmail: 'x@example.test' }, 'BAD_USER_INPUT', 'input.assigneeEmail'],
    ['a domain twice', { domainId: '1', domainName: 'x' }, 'BAD_USER_INPUT', 'input.domainName'],
    ['a domain that is none', { domainId: '999999999' }, 'NOT_FOUND', undefined],
    [
      'too many files',
      { attachments: Array.from({ length: 21 }, () => ({ filename: 'a', base64: '' })) },
      'BAD_USER_INPUT',
      'input.attachments',
    ],
  ])('a ticket with %s is refused', async (_, fields, code, argument) => {
    const { companyId, owner } = await newWorld()
    const input = { companyId, type: 'BUG', title: 'A title', description: '', ...fields }

    const failure = await refusal(owner.key, CREATE_TICKET, { input })

    expect([failure.extensions.code, failure.extensions.argument]).toEqual([code, argument])
  })

  test('a ticket, domain and company of others answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = await newTicket(theirs, { domainName: 'Theirs' })
    const { ticketDomains } = await run(theirs.owner.key, DOMAINS, { companyId: theirs.companyId })
    const none = '999999999'
    const { companyId, owner } = mine
    const calls = (id: string, domainId: string) => [
      refusal(owner.key, TICKET, { companyId, id }),
      refusal(owner.key, UPDATE, { input: { id, title: 'Mine' } }),
      refusal(owner.key, DELETE, { input: { id } }),
      refusal(owner.key, DELETE_DOMAIN, { input: { id: domainId } }),
      refusal(owner.key, CREATE_TICKET, { input: { companyId, type: 'BUG', title: 'x', description: '', domainId } }),
    ]

    const told = await Promise.all(calls(foreign, ticketDomains[0].id))
    const missing = await Promise.all(calls(none, none))
    const company = await refusal(owner.key, TICKETS, { companyId: theirs.companyId })

    const shown = (failures: Data[], ids: string[]) =>
      failures.map(({ message, extensions }) => [
        ids.reduce((text, id) => text.replace(id, '#'), message),
        extensions.code,
      ])
    expect(shown(told, [foreign, ticketDomains[0].id])).toEqual(shown(missing, [none]))
    expect(company.extensions.code).toBe('NOT_FOUND')
  })

  test('a reader sees tickets and makes none', async () => {
    const world = await newWorld()
    const id = await newTicket(world)
    const reader = await newPerson(world.companyId, 'READER')

    const { ticket } = await run(reader.key, TICKET, { companyId: world.companyId, id })
    const failures = await Promise.all([
      refusal(reader.key, UPDATE, { input: { id, title: 'Mine' } }),
      refusal(reader.key, CREATE_DOMAIN, { input: { companyId: world.companyId, name: unique('x') } }),
    ])

    expect(ticket.id).toBe(id)
    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  })
})
