// Tickets, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, type Data, refusal, run, unique, upload } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateTicketInput!) { createTicket(input: $input) { clientMutationId errors ticket { id } } }`
const UPDATE = `mutation ($input: UpdateTicketInput!) { updateTicket(input: $input) {
  ticket { id title description type status priority impact domain { name } assignee { email } attachments { filename } } } }`
const DELETE = 'mutation ($input: DeleteTicketInput!) { deleteTicket(input: $input) { id } }'
const CREATE_DOMAIN = `mutation ($input: CreateTicketDomainInput!) { createTicketDomain(input: $input) { ticketDomain { id name } } }`
const DELETE_DOMAIN = 'mutation ($input: DeleteTicketDomainInput!) { deleteTicketDomain(input: $input) { id } }'
const DOMAINS = 'query ($companyId: ID!) { ticketDomains(companyId: $companyId) { id name } }'
const TICKET = `query ($companyId: ID!, $id: ID!) { ticket(companyId: $companyId, id: $id) {
  id title description type status priority impact createdAt updatedAt createdBy { name email } assignee { name email }
  domain { name } attachments { id filename contentType size } } }`
const TICKETS = `query ($companyId: ID!, $page: Int, $limit: Int, $sortBy: String, $descending: Boolean, $params: TicketSearch, $after: String) {
  tickets(companyId: $companyId, page: $page, limit: $limit, sortBy: $sortBy, descending: $descending, params: $params, after: $after) {
    collection { id title type status priority impact createdAt updatedAt createdBy { name email } assignee { name email } }
    metadata { totalCount totalPages currentPage limitValue } } }`
const STATS = `query ($companyId: ID!, $ticketType: TicketTypeEnum!, $params: TicketSearch) {
  ticketDomainStats(companyId: $companyId, ticketType: $ticketType, params: $params) { count domain { id name } } }`

const newTicket = async ({ companyId, owner }: World, fields: Record<string, unknown> = {}): Promise<string> => {
  const input = { companyId, type: 'BUG', title: 'It breaks', description: 'At once.', ...fields }
  return (await run(owner.key, CREATE, { input })).createTicket.ticket.id
}

const titles = (answer: Data): string[] => answer.tickets.collection.map(({ title }: Data) => title)

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
      CREATE,
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

  test.each([
    ['search', { search: 'NEEDLE' }, ['A needle']],
    ['search in the description', { search: 'haystack' }, ['Another']],
    ['types', { types: ['FEATURE_REQUEST'] }, ['Another']],
    ['priorities', { priorities: ['P1', 'P2'] }, ['A needle']],
    ['impacts', { impacts: ['HIGH'] }, ['Another']],
    ['statuses', { statuses: ['CLOSED'] }, ['Third']],
    ['nothing', { types: [], search: '' }, ['Third', 'Another', 'A needle']],
    ['two at once', { types: ['BUG'], priorities: ['P1'] }, ['A needle']],
    ['a time before', { createdAtRange: { endDate: '2001-01-01' } }, []],
    ['a time since', { createdAtRange: { startDate: '2001-01-01' } }, ['Third', 'Another', 'A needle']],
  ])('tickets are found by %s', async (_, params, expected) => {
    const world = await newWorld()
    await newTicket(world, { title: 'A needle', priority: 'P1' })
    await newTicket(world, { title: 'Another', type: 'FEATURE_REQUEST', impact: 'HIGH', description: 'In a Haystack' })
    const third = await newTicket(world, { title: 'Third' })
    await run(world.owner.key, UPDATE, { input: { id: third, status: 'CLOSED' } })

    const answer = await run(world.owner.key, TICKETS, { companyId: world.companyId, params })

    expect(titles(answer)).toEqual(expected)
  })

  test('tickets are found by domain and by assignee', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    await newTicket(world, { title: 'Mine', assigneeEmail: owner.email })
    await newTicket(world, { title: 'Of the portal', domainName: 'Portal' })
    const { ticketDomains } = await run(owner.key, DOMAINS, { companyId })
    const portal = ticketDomains.find(({ name }: Data) => name === 'Portal').id

    const byDomain = await run(owner.key, TICKETS, { companyId, params: { domainIds: [portal] } })
    const byAssignee = await run(owner.key, TICKETS, { companyId, params: { assigneeEmails: [owner.email] } })

    expect([titles(byDomain), titles(byAssignee)]).toEqual([['Of the portal'], ['Mine']])
  })

  test('tickets are sorted by the field that is named, in the order of its meaning', async () => {
    const world = await newWorld()
    for (const impact of ['MEDIUM', 'HIGH', 'LOW', null]) await newTicket(world, { title: `${impact}`, impact })

    const rising = await run(world.owner.key, TICKETS, { companyId: world.companyId, sortBy: 'impact' })
    const falling = await run(world.owner.key, TICKETS, {
      companyId: world.companyId,
      sortBy: 'impact',
      descending: true,
    })
    const snake = await run(world.owner.key, TICKETS, { companyId: world.companyId, sortBy: 'created_at' })

    expect(titles(rising)).toEqual(['LOW', 'MEDIUM', 'HIGH', 'null'])
    expect(titles(falling)).toEqual(['HIGH', 'MEDIUM', 'LOW', 'null'])
    expect(titles(snake)).toEqual(['MEDIUM', 'HIGH', 'LOW', 'null'])
  })

  test('tickets are counted by domain for one type and what else is asked', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    await newTicket(world, { domainName: 'Portal', priority: 'P1' })
    await newTicket(world, { domainName: 'PORTAL' })
    await newTicket(world)
    await newTicket(world, { type: 'SUPPORT_REQUEST' })

    const bugs = await run(owner.key, STATS, { companyId, ticketType: 'BUG' })
    const urgent = await run(owner.key, STATS, { companyId, ticketType: 'BUG', params: { priorities: ['P1'] } })
    const other = await run(owner.key, STATS, { companyId, ticketType: 'BUG', params: { types: ['SUPPORT_REQUEST'] } })

    const shown = (answer: Data) => answer.ticketDomainStats.map(({ count, domain }: Data) => [domain.name, count])
    expect(shown(bugs)).toEqual([
      ['Portal', 2],
      ['General', 1],
    ])
    expect(shown(urgent)).toEqual([['Portal', 1]])
    expect(shown(other)).toEqual([])
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

    const failure = await refusal(owner.key, CREATE, { input })

    expect([failure.extensions.code, failure.extensions.argument]).toEqual([code, argument])
  })

  test('a field that tickets are not sorted by is refused by name', async () => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, TICKETS, { companyId, sortBy: 'constructor' })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'sortBy' })
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
      refusal(owner.key, CREATE, { input: { companyId, type: 'BUG', title: 'x', description: '', domainId } }),
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

  test('a page takes as many statements with one ticket as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await newTicket(small, { assigneeEmail: small.owner.email })
    for (let made = 0; made < 20; made += 1) {
      await newTicket(large, { assigneeEmail: large.owner.email, domainName: `Domain ${made}` })
    }
    const EVERYTHING = `query ($companyId: ID!) { tickets(companyId: $companyId, limit: 50) { collection {
      id domain { name } createdBy { email } assignee { email } attachments { filename } } metadata { totalCount } } }`
    const statements = async ({ companyId, owner }: World) => {
      await run(owner.key, EVERYTHING, { companyId })
      return countStatements(() => run(owner.key, EVERYTHING, { companyId }))
    }

    const [one, twenty] = [await statements(small), await statements(large)]

    expect(twenty).toBe(one)
  })

  test('a list is walked by cursor, each ticket once', async () => {
    const world = await newWorld()
    for (let made = 0; made < 5; made += 1) await newTicket(world, { title: `${made}` })
    const PAGE = `query ($companyId: ID!, $after: String) { tickets(companyId: $companyId, limit: 2, after: $after) {
      collection { title } metadata { endCursor totalCount } } }`

    const first = await ask(world.owner.key, PAGE, { companyId: world.companyId })
    const after = first.data.tickets.metadata.endCursor
    const second = await ask(world.owner.key, PAGE, { companyId: world.companyId, after })

    expect([titles(first.data), titles(second.data)]).toEqual([
      ['4', '3'],
      ['2', '1'],
    ])
    expect(second.data.tickets.metadata.totalCount).toBe(5)
  })
})
