// How tickets are found, sorted and counted, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countSettled } from '../../../test/testkit/service.ts'
import { newTicket } from '../../../test/testkit/tickets.ts'
import { newWorld, type World } from '../../../test/testkit/world.ts'

const UPDATE = `mutation ($input: UpdateTicketInput!) { updateTicket(input: $input) {
  ticket { id title description type status priority impact domain { name } assignee { email } attachments { filename } } } }`
const DOMAINS = 'query ($companyId: ID!) { ticketDomains(companyId: $companyId) { id name } }'
const TICKETS = `query ($companyId: ID!, $page: Int, $limit: Int, $sortBy: String, $descending: Boolean, $params: TicketSearch, $after: String) {
  tickets(companyId: $companyId, page: $page, limit: $limit, sortBy: $sortBy, descending: $descending, params: $params, after: $after) {
    collection { id title type status priority impact createdAt updatedAt createdBy { name email } assignee { name email } }
    metadata { totalCount totalPages currentPage limitValue } } }`
const STATS = `query ($companyId: ID!, $ticketType: TicketTypeEnum!, $params: TicketSearch) {
  ticketDomainStats(companyId: $companyId, ticketType: $ticketType, params: $params) { count domain { id name } } }`

const titles = (answer: Data): string[] => answer.tickets.collection.map(({ title }: Data) => title)

describe('lists of tickets', () => {
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

  test('a range that ends before it starts is refused, and not an empty list', async () => {
    const { companyId, owner } = await newWorld()
    const createdAtRange = { startDate: '2026-02-01', endDate: '2026-01-01' }

    const failure = await refusal(owner.key, TICKETS, { companyId, params: { createdAtRange } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'params.createdAtRange' })
  })

  test('a field that tickets are not sorted by is refused by name', async () => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, TICKETS, { companyId, sortBy: 'constructor' })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'sortBy' })
  })

  test('a page takes as many statements with one ticket as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await newTicket(small, { assigneeEmail: small.owner.email })
    for (let made = 0; made < 20; made += 1) {
      await newTicket(large, { assigneeEmail: large.owner.email, domainName: `Domain ${made}` })
    }
    const EVERYTHING = `query ($companyId: ID!) { tickets(companyId: $companyId, limit: 50) { collection {
      id domain { name } createdBy { email } assignee { email } attachments { filename } } metadata { totalCount } } }`
    const page = ({ companyId, owner }: World) => run(owner.key, EVERYTHING, { companyId })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

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
