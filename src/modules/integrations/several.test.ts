// Several integrations of one type in one company, each asked with its own credential, through the endpoint and HTTP.

import { expect, test } from 'vitest'
import { BOARD, PROJECT, STATES, serveBoards, TEAM } from '../../../test/testkit/boards-fake.ts'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import type { Seen } from '../../../test/testkit/exchanges.ts'
import { BOARDS, DELETE, HOST_A, HOST_B, saved, TASKS } from '../../../test/testkit/integrations.ts'
import { serveTasks } from '../../../test/testkit/tasks-fake.ts'
import { LIST_ID, STATUSES } from '../../../test/testkit/tasks-list.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newWorld, type World } from '../../../test/testkit/world.ts'

const query = (asked: string) => `query ($companyId: ID!, $integrationId: ID) { found: ${asked} }`
const TEAMS = query(`boardsTrackerTeams(companyId: $companyId, integrationId: $integrationId,
  trackerProjectId: "${PROJECT.id}") { name }`)
const STATUSES_OF_LIST = query(`taskTrackerStatuses(companyId: $companyId, integrationId: $integrationId,
  listId: "${LIST_ID}") { name: status }`)
const PROJECTS_OF_HOST = query(`externalProjects(companyId: $companyId, integrationType: HOST_B,
  integrationId: $integrationId, pagination: {}) { collection { name } }`)
const WORKSPACES = 'query ($integrationId: ID!) { found: hostAWorkspaces(integrationId: $integrationId) { id } }'

const basic = (token: string) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`
const names = (found: Data[]) => found.map(({ name }) => name)

/** Credentials that the requests since `from` came with, each once. */
const used = (seen: readonly Seen[], from: number) => [
  ...new Set(seen.slice(from).map(({ headers }) => headers.authorization)),
]

const twoOf = async ({ companyId, owner }: World, mutation: string, fields: object = {}) => {
  const first = await saved(owner.key, mutation, { companyId, personalToken: 'first', ...fields })
  const second = await saved(owner.key, mutation, { companyId, personalToken: 'second', ...fields, addAnother: true })
  return [first.id, second.id] as [string, string]
}

const boardsFields = { organizationName: 'acme' }

test.each([
  [
    'projects',
    query('boardsTrackerProjects(filters: { companyId: $companyId }, integrationId: $integrationId) { name }'),
    [PROJECT.name],
  ],
  ['teams', TEAMS, [TEAM.name]],
  [
    'boards',
    query(`boardsTrackerBoards(companyId: $companyId, integrationId: $integrationId, trackerProjectId: "${PROJECT.id}",
      trackerTeamId: "${TEAM.id}") { name }`),
    [BOARD.name],
  ],
  [
    'states',
    query(`boardsTrackerStates(companyId: $companyId, integrationId: $integrationId, trackerProjectId: "${PROJECT.id}",
      trackerTeamId: "${TEAM.id}", trackerBoardId: "${BOARD.id}") { name }`),
    STATES,
  ],
])('%s of a boards tracker are those that the credential of the named integration sees', async (_, document, said) => {
  const world = await newWorld()
  const fake = await serveBoards()
  const ids = await twoOf(world, BOARDS, boardsFields)

  for (const [index, token] of ['first', 'second'].entries()) {
    const from = fake.seen.length
    const { found } = await run(world.owner.key, document, { companyId: world.companyId, integrationId: ids[index] })

    expect([names(found), used(fake.seen, from)]).toEqual([said, [basic(token)]])
  }
})

test('statuses of a list are those that the credential of the named integration sees', async () => {
  const world = await newWorld()
  const fake = await serveTasks()
  const ids = await twoOf(world, TASKS)

  for (const [index, token] of ['first', 'second'].entries()) {
    const from = fake.seen.length
    const asked = { companyId: world.companyId, integrationId: ids[index] }
    const { found } = await run(world.owner.key, STATUSES_OF_LIST, asked)

    expect([names(found), used(fake.seen, from)]).toEqual([STATUSES, [token]])
  }
})

test('projects and workspaces of hosts are those that the credential of the named integration sees', async () => {
  const { companyId, owner } = await newWorld()
  const hostB = (token: string) => ({ headers: { 'private-token': token } })
  const hostA = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const ofUser = '/api/v4/user'
  const workspacesPath = '/2.0/user/workspaces'
  const workspaces = (slug: string) => json({ values: [{ workspace: { uuid: `{${slug}}`, slug } }] })
  await fakeVendor('https://a.example.test', [
    get(ofUser, json({ id: 1 }), hostB('of-a')),
    get('/api/v4/projects', json([]), hostB('of-a')),
  ])
  await fakeVendor('https://b.example.test', [
    get(ofUser, json({ id: 1 }), hostB('of-b')),
    get('/api/v4/projects', json([]), hostB('of-b')),
  ])
  await fakeVendor('https://api.bitbucket.org', [
    get(workspacesPath, workspaces('acme'), hostA('of-a')),
    get(workspacesPath, workspaces('zenith'), hostA('of-b')),
    get(workspacesPath, workspaces('zenith'), hostA('of-b')),
    get('/2.0/workspaces/zenith', json({ slug: 'zenith', uuid: '{zenith}', name: 'Zenith' }), hostA('of-b')),
  ])
  const at = (name: string) => ({ companyId, personalToken: `of-${name}`, instanceUrl: `https://${name}.example.test` })
  const first = await saved(owner.key, HOST_B, at('a'))
  const second = await saved(owner.key, HOST_B, { ...at('b'), addAnother: true })
  await saved(owner.key, HOST_A, { companyId, accessToken: 'of-a' })
  const other = await saved(owner.key, HOST_A, { companyId, accessToken: 'of-b', addAnother: true })

  for (const { id } of [first, second]) {
    await run(owner.key, PROJECTS_OF_HOST, { companyId, integrationId: id })
  }
  const { found } = await run(owner.key, WORKSPACES, { integrationId: other.id })

  expect(found).toEqual([{ id: 'zenith' }])
})

test.each([
  ['BOARDS_TRACKER', BOARDS, boardsFields, TEAMS, serveBoards],
  ['TASK_TRACKER', TASKS, {}, STATUSES_OF_LIST, serveTasks],
])('%s has to be named where there are several, by an id of the company and of the type', async (...row) => {
  const [type, mutation, fields, document, serve] = row
  const [mine, theirs] = [await newWorld(), await newWorld()]
  const { companyId, owner } = mine
  await serve()
  const [first, second] = await twoOf(mine, mutation, fields)
  const [foreign] = await twoOf(theirs, mutation, fields)
  const ofAnotherType = await saved(owner.key, HOST_A, { companyId })
  const refused = (integrationId?: string) => refusal(owner.key, document, { companyId, integrationId })

  const unnamed = await refused()
  const wrong = [await refused(foreign), await refused(ofAnotherType.id), await refused('999999999')]
  const malformed = await refused('x')
  await run(owner.key, DELETE, { input: { id: first } })
  const gone = await refused(first)
  const only = await run(owner.key, document, { companyId })
  const named = await run(owner.key, document, { companyId, integrationId: second })

  expect(unnamed.message).toContain(`several integrations of ${type}`)
  expect(unnamed.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'integrationId' })
  expect([...wrong, gone].map(({ extensions }) => extensions.code)).toEqual(Array(4).fill('NOT_FOUND'))
  expect(malformed.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'integrationId' })
  expect(only).toEqual(named)
})
