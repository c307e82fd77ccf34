// Published operations that an outside tool or the scanner answers, as the specification shows them, with such a tool and without.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AllVendors, GROUP, REPOSITORY, serveAllVendors, WORKSPACE } from '../testkit/all-vendors.ts'
import { BOARD, PROJECT, TEAM } from '../testkit/boards-fake.ts'
import { refusal, run } from '../testkit/client.ts'
import { LIST_ID, STATUSES } from '../testkit/tasks-list.ts'
import { newAsset, newWorld, type World } from '../testkit/world.ts'
import { board, credentialsOf } from './samples/integrations.ts'

const PAGE = 'metadata { currentPage limitValue totalCount }'

const isDecimal = expect.stringMatching(/^[1-9]\d*$/)
const isMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)

const integration = (select: string) => `integration { id ${select} }`

describe('integrations, without a credential', () => {
  test.each([
    [
      'createOrUpdateScannerAIntegration',
      'CreateOrUpdateScannerAIntegrationInput',
      'accessKey createdAt',
      { accessKey: null, createdAt: isMoment },
    ],
    [
      'createOrUpdateHostBIntegration',
      'CreateHostBIntegrationInput',
      'astBranchPattern astScansEnabled',
      { astBranchPattern: null, astScansEnabled: false },
    ],
    [
      'createOrUpdateScannerBIntegration',
      'CreateOrUpdateScannerBIntegrationInput',
      'baseUrl region',
      { baseUrl: null, region: null },
    ],
  ])('%s takes the company alone, and is the same one the second time', async (name, type, select, fields) => {
    const { companyId, owner } = await newWorld()
    const document = `mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId ${integration(select)} } }`

    const first = await run(owner.key, document, { input: { companyId } })
    const second = await run(owner.key, document, { input: { companyId } })

    expect(first[name]).toEqual({ clientMutationId: null, integration: { id: isDecimal, ...fields } })
    expect(second).toEqual(first)
  })
})

const asked = {
  externalProjects: `query ($companyId: ID!, $integrationType: ToolTypeCategory!, $integrationId: ID, $filterName: String,
      $pagination: PaginationInput!, $filters: ExternalProjectFiltersInput) {
    externalProjects(companyId: $companyId, integrationType: $integrationType, integrationId: $integrationId,
        filterName: $filterName, pagination: $pagination, filters: $filters) {
      collection { id name branches } ${PAGE} } }`,
  hostAWorkspaces: `query ($integrationId: ID!) { hostAWorkspaces(integrationId: $integrationId) { id uuid name } }`,
  hostBGroups: `query ($pagination: BasePaginationInput! = {}, $filters: RepositoryFiltersInput = {}, $integrationId: ID!) {
    hostBGroups(pagination: $pagination, filters: $filters, integrationId: $integrationId) { id name } }`,
  boardsTrackerProjects: `query ($filters: BoardsTrackerBaseFiltersInput!) {
    boardsTrackerProjects(filters: $filters) { id name } }`,
  taskTrackerStatuses: `query ($companyId: ID!, $listId: ID!) {
    taskTrackerStatuses(companyId: $companyId, listId: $listId) { id status color } }`,
  createBoardsTrackerConfiguration: `mutation ($input: CreateBoardsTrackerConfigurationInput!) {
    createBoardsTrackerConfiguration(input: $input) { clientMutationId defectTrackerConfiguration {
      id asset { id } boardsTrackerDetail { project { id name } board { id name } team { id name } } } } }`,
}

describe('what outside tools answer', () => {
  const names = { hostA: 'HostA', hostB: 'HostB', boards: 'BoardsTracker', tasks: 'TaskTracker' } as const
  const ids = new Map<string, string>()
  let connected: World
  let vendors: AllVendors

  beforeAll(async () => {
    vendors = await serveAllVendors('MAKER')
    connected = await newWorld()
    for (const kind of ['hostA', 'hostB', 'boards', 'tasks'] as const) {
      const type = kind === 'hostB' ? 'CreateHostBIntegrationInput' : `CreateOrUpdate${names[kind]}IntegrationInput`
      const data = await run(
        connected.owner.key,
        `mutation ($input: ${type}!) { saved: createOrUpdate${names[kind]}Integration(input: $input) { integration { id } } }`,
        { input: { companyId: connected.companyId, ...credentialsOf(connected.companyId)[kind] } },
      )
      ids.set(kind, data.saved.integration.id)
    }
  })
  afterAll(() => vendors.end())

  const variablesOf = (name: keyof typeof asked): Record<string, unknown> => {
    const { companyId } = connected
    return {
      externalProjects: { companyId, integrationType: 'HOST_B', pagination: {} },
      hostAWorkspaces: { integrationId: ids.get('hostA') },
      hostBGroups: { integrationId: ids.get('hostB') },
      boardsTrackerProjects: { filters: { companyId } },
      taskTrackerStatuses: { companyId, listId: LIST_ID },
      createBoardsTrackerConfiguration: { input: { ...board(), scopeIntegrationId: ids.get('boards') } },
    }[name]
  }

  test.each([
    [
      'externalProjects',
      {
        collection: [REPOSITORY],
        metadata: { currentPage: 1, limitValue: 10, totalCount: 1 },
      },
    ],
    ['hostAWorkspaces', [WORKSPACE]],
    ['hostBGroups', [GROUP]],
    ['boardsTrackerProjects', [PROJECT]],
    ['taskTrackerStatuses', STATUSES.map((status) => ({ id: `p1_${status}`, status, color: '#d3d3d3' }))],
    [
      'createBoardsTrackerConfiguration',
      {
        clientMutationId: null,
        defectTrackerConfiguration: {
          id: isDecimal,
          asset: null,
          boardsTrackerDetail: {
            project: PROJECT,
            board: BOARD,
            team: TEAM,
          },
        },
      },
    ],
  ] as const)('%s gives what the tool says once it is connected', async (name, said) => {
    const data = await run(connected.owner.key, asked[name], variablesOf(name))

    expect(data[name]).toEqual(said)
  })

  test('externalProjects is refused without an integration of the type', async () => {
    const { companyId, owner } = await newWorld()
    const variables = { companyId, integrationType: 'HOST_A', pagination: {} }

    const failure = await refusal(owner.key, asked.externalProjects, variables)

    expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
    expect(failure.message).toContain('HOST_A')
  })
})

describe('startPlatformDast', () => {
  const START = `mutation ($input: StartPlatformDastInput!) { startPlatformDast(input: $input) { clientMutationId
    controlSyncStatus { id status asset { id name } } scannerConfiguration { id apiFormat apiSchemaSourceFile } } }`

  test('is refused without a target, and answers with the run and the configuration with one', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const input = { assetId: asset.id }
    const withoutTarget = await refusal(owner.key, START, { input })
    await run(
      owner.key,
      `mutation ($input: CreateOrUpdateScannerConfigurationInput!) {
        createOrUpdateScannerConfiguration(input: $input) { scannerConfiguration { id } } }`,
      { input: { ...input, targetUrl: 'https://shop.example.test/' } },
    )

    const { startPlatformDast } = await run(owner.key, START, { input })
    const again = await refusal(owner.key, START, { input })

    expect(withoutTarget).toMatchObject({ extensions: { code: 'FAILED_PRECONDITION' } })
    expect(withoutTarget.message).toMatch(/target/i)
    expect(startPlatformDast).toMatchObject({
      controlSyncStatus: { status: 'PENDING', asset },
      scannerConfiguration: { apiFormat: null, apiSchemaSourceFile: null },
    })
    expect(again).toMatchObject({ extensions: { code: 'FAILED_PRECONDITION' } })
  })
})
