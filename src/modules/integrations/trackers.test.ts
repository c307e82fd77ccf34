// The two trackers through the endpoint, with fakes of their vendors: credentials, projects, statuses and boards.

import { expect, test } from 'vitest'
import { BOARD, BOARDS_ORIGIN, PROJECT, STATES, serveBoards, TEAM } from '../../../test/testkit/boards-fake.ts'
import { refusal, run } from '../../../test/testkit/client.ts'
import { BOARDS, INTEGRATIONS, saved, TASKS } from '../../../test/testkit/integrations.ts'
import { serveTasks, TASKS_ORIGIN } from '../../../test/testkit/tasks-fake.ts'
import { LIST_ID, STATUSES } from '../../../test/testkit/tasks-list.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const CONFIGURE = `mutation ($input: CreateBoardsTrackerConfigurationInput!) { createBoardsTrackerConfiguration(input: $input) {
  defectTrackerConfiguration { id boardsTrackerDetail { workItemType lane
    project { id name } team { id name } board { id name } statusMappings { internalIssueStatus externalIssueStatus } } } } }`
const boardsCredential = { personalToken: 'pat', organizationName: 'acme' }

const place = { project: PROJECT, team: TEAM, board: BOARD }
const mapped = (externalIssueStatus: string) => [{ internalIssueStatus: 'IDENTIFIED', externalIssueStatus }]

test.each([
  [
    'BOARDS_TRACKER',
    BOARDS,
    boardsCredential,
    BOARDS_ORIGIN,
    '/acme/_apis/projects',
    { message: 'TF400813: not authorized' },
  ],
  [
    'TASK_TRACKER',
    TASKS,
    { personalToken: 'pk_1' },
    TASKS_ORIGIN,
    '/api/v2/team',
    { err: 'Token invalid', ECODE: 'OAUTH_025' },
  ],
])('a credential of %s that its vendor refuses is not kept', async (_, mutation, given, origin, path, said) => {
  const { companyId, owner } = await newWorld()
  await fakeVendor(origin, [get(path, json(said, { status: 401 }))])

  const failure = await refusal(owner.key, mutation, { input: { companyId, ...given } })

  const { integrations } = await run(owner.key, INTEGRATIONS, { companyId })
  expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
  expect(failure.message).toContain('does not accept the credential')
  expect(integrations.metadata.totalCount).toBe(0)
})

test('a boards tracker needs its organization', async () => {
  const { companyId, owner } = await newWorld()

  const failure = await refusal(owner.key, BOARDS, { input: { companyId, personalToken: 'pat' } })

  expect(failure.extensions.code).toBe('BAD_USER_INPUT')
  expect(failure.message).toContain('organizationName')
})

test('projects of a boards tracker are listed, and a board is kept once the tracker has its states, lane and type', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  const { id } = await saved(owner.key, BOARDS, { companyId, ...boardsCredential })
  const configure = (fields: Record<string, unknown>) => ({
    input: { scopeIntegrationId: id, ...place, statusMappings: mapped('New'), ...fields },
  })

  const { boardsTrackerProjects } = await run(
    owner.key,
    'query ($filters: BoardsTrackerBaseFiltersInput!) { boardsTrackerProjects(filters: $filters) { id name } }',
    { filters: { companyId } },
  )
  const failures = [
    await refusal(owner.key, CONFIGURE, configure({ statusMappings: mapped('Unheard of') })),
    await refusal(owner.key, CONFIGURE, configure({ workItemType: 'Theme' })),
    await refusal(owner.key, CONFIGURE, configure({ workItemType: 'Epic' })),
    await refusal(owner.key, CONFIGURE, configure({ lane: 'Slow' })),
  ]
  const made = await run(owner.key, CONFIGURE, configure({ lane: 'Fast' }))

  expect(boardsTrackerProjects).toEqual([PROJECT])
  expect(failures.map((failure) => failure.extensions.code)).toEqual(Array(4).fill('BAD_USER_INPUT'))
  expect(failures[2]?.message).toContain('the board shows no work items of the type Epic; it shows Bug, User Story')
  expect(made.createBoardsTrackerConfiguration.defectTrackerConfiguration.boardsTrackerDetail).toMatchObject({
    workItemType: 'Bug',
    lane: 'Fast',
  })
})

test('a board is kept under the names that the tracker has, and refused where there is none', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  const { id } = await saved(owner.key, BOARDS, { companyId, ...boardsCredential })
  const misnamed = ({ id }: { id: string }) => ({ id, name: 'Another' })
  const input = { scopeIntegrationId: id, ...place, statusMappings: mapped('New') }
  const gone = { id: '99999999-9999-4999-8999-999999999999', name: 'Gone' }

  const failures = [
    await refusal(owner.key, CONFIGURE, { input: { ...input, project: gone } }),
    await refusal(owner.key, CONFIGURE, { input: { ...input, team: gone } }),
    await refusal(owner.key, CONFIGURE, { input: { ...input, board: gone } }),
  ]
  const { createBoardsTrackerConfiguration: made } = await run(owner.key, CONFIGURE, {
    input: { ...input, project: misnamed(PROJECT), team: misnamed(TEAM), board: misnamed(BOARD) },
  })

  expect(failures.map((failure) => failure.extensions.code)).toEqual(Array(3).fill('NOT_FOUND'))
  expect(made.defectTrackerConfiguration.boardsTrackerDetail).toMatchObject(place)
})

test('statuses of a list are those that the task tracker has', async () => {
  const { companyId, owner } = await newWorld()
  await serveTasks()
  const { id } = await saved(owner.key, TASKS, { companyId, personalToken: 'pk_1' })

  const { taskTrackerStatuses } = await run(
    owner.key,
    'query ($companyId: ID!, $listId: ID!) { taskTrackerStatuses(companyId: $companyId, listId: $listId) { id status type } }',
    { companyId, listId: LIST_ID },
  )

  expect(id).toMatch(/^\d+$/)
  expect(taskTrackerStatuses.map(({ status }: { status: string }) => status)).toEqual(STATUSES)
})

test('teams and boards of a project are listed for who makes a configuration', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  await saved(owner.key, BOARDS, { companyId, ...boardsCredential })

  const found = await run(
    owner.key,
    `query ($companyId: ID!, $projectId: ID!, $teamId: ID!) {
      boardsTrackerTeams(companyId: $companyId, trackerProjectId: $projectId) { id name }
      boardsTrackerBoards(companyId: $companyId, trackerProjectId: $projectId, trackerTeamId: $teamId) { id name } }`,
    { companyId, projectId: PROJECT.id, teamId: TEAM.id },
  )

  expect(found).toEqual({ boardsTrackerTeams: [TEAM], boardsTrackerBoards: [BOARD] })
})

const BOARD_STATES = `query ($companyId: ID!, $board: ID!, $type: String) {
  boardsTrackerStates(companyId: $companyId, trackerProjectId: "${PROJECT.id}", trackerTeamId: "${TEAM.id}", trackerBoardId: $board,
    workItemType: $type) { name color category } }`

test('the states of a board are listed as the tracker orders them', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  await saved(owner.key, BOARDS, { companyId, ...boardsCredential })

  const { boardsTrackerStates } = await run(owner.key, BOARD_STATES, { companyId, board: BOARD.id })
  const named = await run(owner.key, BOARD_STATES, { companyId, board: BOARD.id, type: 'User Story' })
  const without = await refusal(owner.key, BOARD_STATES, { companyId, board: '' })

  expect(boardsTrackerStates).toEqual(STATES.map((name) => ({ name, color: '#b2b2b2', category: 'Proposed' })))
  expect(named.boardsTrackerStates).toHaveLength(STATES.length)
  expect(without.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'trackerBoardId' })
})

test('a board whose tracker cannot be asked has no states, and the answer says why', async () => {
  const { companyId, owner } = await newWorld()
  const nothing = await refusal(owner.key, BOARD_STATES, { companyId, board: BOARD.id })
  const fake = await serveBoards()
  await saved(owner.key, BOARDS, { companyId, ...boardsCredential })
  fake.trouble = () => ({ write: (response) => void response.writeHead(401).end() })

  const refused = await refusal(owner.key, BOARD_STATES, { companyId, board: BOARD.id })

  expect(nothing.extensions.code).toBe('FAILED_PRECONDITION')
  expect(refused.message).toContain('does not accept the credential')
})

test('a list is kept with the states as the tracker writes them, listed apart from boards, and deleted', async () => {
  const { companyId, owner } = await newWorld()
  await serveTasks()
  const { id } = await saved(owner.key, TASKS, { companyId, personalToken: 'pk_1' })
  const input = {
    integrationId: id,
    list: { id: LIST_ID, name: 'Findings' },
    statusMappings: [
      { internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'TO DO', alsoExternalIssueStatuses: ['In Review'] },
    ],
  }
  const document = `mutation ($input: CreateTaskTrackerConfigurationInput!) { createTaskTrackerConfiguration(input: $input) {
    taskTrackerConfiguration { id list { id name } integration { id }
      statusMappings { internalIssueStatus externalIssueStatus alsoExternalIssueStatuses } } } }`

  const { createTaskTrackerConfiguration: made } = await run(owner.key, document, { input })
  const again = await refusal(owner.key, document, { input })
  const unknown = await refusal(owner.key, document, {
    input: { ...input, statusMappings: [{ internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'gone' }] },
  })
  const listed = await run(
    owner.key,
    `query ($companyId: ID!) { taskTrackerConfigurations(companyId: $companyId) { collection { id asset { id } } }
      defectTrackerConfigurations(companyId: $companyId) { metadata { totalCount } } }`,
    { companyId },
  )

  const configuration = made.taskTrackerConfiguration
  expect(configuration).toMatchObject({
    list: { id: LIST_ID, name: 'Findings' },
    integration: { id },
    statusMappings: [{ externalIssueStatus: 'to do', alsoExternalIssueStatuses: ['in review'] }],
  })
  expect([again.extensions.code, unknown.extensions.code]).toEqual(['CONFLICT', 'BAD_USER_INPUT'])
  expect(listed.taskTrackerConfigurations.collection).toEqual([{ id: configuration.id, asset: null }])
  expect(listed.defectTrackerConfigurations.metadata.totalCount).toBe(0)
})

test('a board or a list gets another mapping once the tracker has every state of it', async () => {
  const { companyId, owner } = await newWorld()
  await serveBoards()
  const { id: scopeIntegrationId } = await saved(owner.key, BOARDS, { companyId, ...boardsCredential })
  const made = await run(owner.key, CONFIGURE, {
    input: { scopeIntegrationId, ...place, statusMappings: mapped('New') },
  })
  const { id } = made.createBoardsTrackerConfiguration.defectTrackerConfiguration
  const update =
    'mutation ($input: UpdateDefectTrackerConfigurationInput!) { updateDefectTrackerConfiguration(input: $input) { id } }'
  const stranger = await newWorld()

  const changed = await run(owner.key, update, { input: { id, statusMappings: mapped('active') } })
  const refused = [
    await refusal(owner.key, update, { input: { id, statusMappings: mapped('Unheard of') } }),
    await refusal(owner.key, update, { input: { id, statusMappings: [] } }),
    await refusal(stranger.owner.key, update, { input: { id, statusMappings: mapped('New') } }),
  ]

  const { defectTrackerConfigurations } = await run(
    owner.key,
    `query ($companyId: ID!) { defectTrackerConfigurations(companyId: $companyId) { collection {
      boardsTrackerDetail { statusMappings { internalIssueStatus externalIssueStatus } } } } }`,
    { companyId },
  )
  const [{ boardsTrackerDetail }] = defectTrackerConfigurations.collection
  expect(changed.updateDefectTrackerConfiguration).toEqual({ id })
  expect(refused.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'NOT_FOUND'])
  expect(boardsTrackerDetail.statusMappings).toEqual(mapped('Active'))
})
