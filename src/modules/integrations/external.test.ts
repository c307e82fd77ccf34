// Lists of outside tools, and boards, through the endpoint.

import { describe, expect, test } from 'vitest'
import { BOARD, PROJECT, serveBoards, TEAM } from '../../../test/testkit/boards-fake.ts'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { canary } from '../../../test/testkit/inside.ts'
import { countSettled } from '../../../test/testkit/service.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newAsset, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const PROJECTS = `query ($companyId: ID!, $integrationType: ToolTypeCategory!, $integrationId: ID, $filterName: String,
    $pagination: PaginationInput!, $filters: ExternalProjectFiltersInput) {
  externalProjects(companyId: $companyId, integrationType: $integrationType, integrationId: $integrationId,
      filterName: $filterName, pagination: $pagination, filters: $filters) {
    collection { id name branches } metadata { currentPage limitValue totalCount } } }`
const WORKSPACES = `query ($integrationId: ID!, $filters: RepositoryFiltersInput) {
  hostAWorkspaces(integrationId: $integrationId, filters: $filters) { id uuid name } }`
const GROUPS = `query ($pagination: BasePaginationInput! = { page: 1, perPage: 10 }, $integrationId: ID!) {
  hostBGroups(pagination: $pagination, integrationId: $integrationId) { id name } }`
const BOARD_PROJECTS = `query ($filters: BoardsTrackerBaseFiltersInput!) { boardsTrackerProjects(filters: $filters) { id name } }`
const STATUSES = `query ($companyId: ID!, $listId: ID!) {
  taskTrackerStatuses(companyId: $companyId, listId: $listId) { id status color orderindex type } }`
const CONFIGURE = `mutation ($input: CreateBoardsTrackerConfigurationInput!) { createBoardsTrackerConfiguration(input: $input) {
  clientMutationId defectTrackerConfiguration { id asset { id name } integration { id }
    boardsTrackerDetail { project { id name } board { id name } team { id name } workItemType lane
      statusMappings { internalIssueStatus externalIssueStatus } fieldMappings { internalField externalField } } } } }`
const CONFIGURATIONS = `query ($companyId: ID!, $pagination: PaginationInput) {
  defectTrackerConfigurations(companyId: $companyId, pagination: $pagination) {
    collection { id asset { id } integration { id } boardsTrackerDetail { board { name } } } metadata { totalCount } } }`
const UNCONFIGURE = `mutation ($input: DeleteDefectTrackerConfigurationInput!) {
  deleteDefectTrackerConfiguration(input: $input) { id } }`

const mutations = {
  HostA: 'CreateOrUpdateHostAIntegrationInput',
  HostB: 'CreateHostBIntegrationInput',
  ScannerB: 'CreateOrUpdateScannerBIntegrationInput',
  BoardsTracker: 'CreateOrUpdateBoardsTrackerIntegrationInput',
  TaskTracker: 'CreateOrUpdateTaskTrackerIntegrationInput',
} as const

type Fields = Record<string, unknown>

const integrate = async ({ companyId, owner }: World, name: keyof typeof mutations, fields: Fields = {}) => {
  const mutation = `createOrUpdate${name}Integration`
  const document = `mutation ($input: ${mutations[name]}!) { ${mutation}(input: $input) { integration { id } } }`
  return (await run(owner.key, document, { input: { companyId, ...fields } }))[mutation].integration.id as string
}

const projects = (fields: Fields) => ({ pagination: {}, ...fields })

const codeOf = ({ extensions }: Data) => extensions.code
const shown = ({ message, extensions }: Data) => [message.replace(/\d+/, '#'), extensions.code]

describe('external projects', () => {
  test('need an integration of the type', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    await integrate(world, 'HostA')

    const failure = await refusal(owner.key, PROJECTS, projects({ companyId, integrationType: 'HOST_B' }))

    expect(failure).toMatchObject({
      message: 'The company has no integration of HOST_B',
      extensions: { code: 'FAILED_PRECONDITION' },
    })
  })

  test('need to know which of several integrations', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const integrationId = await integrate(world, 'ScannerB')
    await integrate(world, 'ScannerB', { addAnother: true })
    const asked = projects({ companyId, integrationType: 'SCANNER_B' })

    const unnamed = await refusal(owner.key, PROJECTS, asked)
    const named = await refusal(owner.key, PROJECTS, { ...asked, integrationId })

    expect(unnamed.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'integrationId' })
    expect(unnamed.message).toContain('several')
    expect([named.message, codeOf(named)]).toEqual([
      `The SCANNER_B integration ${integrationId} has no credential yet`,
      'FAILED_PRECONDITION',
    ])
  })

  test.each([
    [{ integrationType: 'HOST_B', filters: { hostA: { workspaceId: '1' } } }, 'filters.hostA'],
    [{ integrationType: 'HOST_A', filters: { hostB: { groupId: '1' } } }, 'filters.hostB'],
    [{ integrationType: 'PLATFORM_AST' }, 'integrationType'],
    [{ integrationType: 'HOST_A', filterName: 'x'.repeat(501) }, 'filterName'],
    [{ integrationType: 'HOST_A', pagination: { perPage: 0 } }, 'perPage'],
    [{ integrationType: 'HOST_A', pagination: { after: 'WyIxIl0' } }, 'pagination.after'],
    [{ integrationType: 'HOST_A', integrationId: 'x' }, 'integrationId'],
  ])('are not to be had with %j', async (fields, argument) => {
    const world = await newWorld()
    await integrate(world, 'HostA')
    await integrate(world, 'HostB')

    const failure = await refusal(world.owner.key, PROJECTS, projects({ companyId: world.companyId, ...fields }))

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test('are asked of the vendor with the credential that is kept', async () => {
    const headers = { 'private-token': 'token' }
    const project = { id: 1, name: 'app', path_with_namespace: 'acme/app', default_branch: 'main' }
    await fakeVendor(
      'https://gitlab.com',
      [
        get('/api/v4/user', json({ id: 1 }), { headers }),
        get('/api/v4/groups/7/projects', json([project], { headers: { 'x-total': '6' } }), {
          query: { search: 'app', page: '2', per_page: '5' },
          headers,
        }),
        get('/api/v4/projects/1/repository/branches', json([{ name: 'main', commit: { id: 'a1' } }]), { headers }),
      ],
      vendorContract('gitlab/gitlab'),
    )
    const world = await newWorld()
    await integrate(world, 'HostB', { personalToken: 'token' })

    const { externalProjects } = await run(world.owner.key, PROJECTS, {
      companyId: world.companyId,
      integrationType: 'HOST_B',
      filterName: 'app',
      pagination: { page: 2, perPage: 5 },
      filters: { hostB: { groupId: '7' } },
    })

    expect(externalProjects).toEqual({
      collection: [{ id: '1', name: 'acme/app', branches: ['main'] }],
      metadata: { currentPage: 2, limitValue: 5, totalCount: 6 },
    })
  })

  test('need an integration that has a credential', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const [hostA, hostB] = [await integrate(world, 'HostA'), await integrate(world, 'HostB')]

    const failures = await Promise.all([
      refusal(owner.key, WORKSPACES, { integrationId: hostA }),
      refusal(owner.key, GROUPS, { integrationId: hostB }),
      refusal(owner.key, BOARD_PROJECTS, { filters: { companyId } }),
      refusal(owner.key, STATUSES, { companyId, listId: '901' }),
    ])

    expect(failures.map(codeOf)).toEqual(Array(4).fill('FAILED_PRECONDITION'))
  })

  test('and integrations of others, or of another type, answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const { companyId, owner } = mine
    const foreign = { hostA: await integrate(theirs, 'HostA'), hostB: await integrate(theirs, 'HostB') }
    const own = { hostA: await integrate(mine, 'HostA'), hostB: await integrate(mine, 'HostB') }
    const boards = await integrate(theirs, 'BoardsTracker')
    const configuration = {
      statusMappings: [{ internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'New' }],
      project: { id: '1', name: 'p' },
      board: { id: '1', name: 'b' },
      team: { id: '1', name: 't' },
    }
    const named = (hostA: string, hostB: string, board: string) => [
      refusal(owner.key, WORKSPACES, { integrationId: hostA }),
      refusal(owner.key, GROUPS, { integrationId: hostB }),
      refusal(owner.key, PROJECTS, projects({ companyId, integrationType: 'HOST_A', integrationId: hostA })),
      refusal(owner.key, CONFIGURE, { input: { scopeIntegrationId: board, ...configuration } }),
    ]
    const within = (company: string) => [
      refusal(owner.key, PROJECTS, projects({ companyId: company, integrationType: 'HOST_A' })),
      refusal(owner.key, BOARD_PROJECTS, { filters: { companyId: company } }),
      refusal(owner.key, STATUSES, { companyId: company, listId: '1' }),
      refusal(owner.key, CONFIGURATIONS, { companyId: company }),
    ]
    const none = '999999999'

    const told = await Promise.all([...named(foreign.hostA, foreign.hostB, boards), ...within(theirs.companyId)])
    const missing = await Promise.all([...named(none, none, none), ...within(none)])
    const swapped = await Promise.all(named(own.hostB, own.hostA, own.hostA))

    expect(told.map(shown)).toEqual(missing.map(shown))
    expect(new Set([...told, ...swapped].map(codeOf))).toEqual(new Set(['NOT_FOUND']))
  })
})

describe('a board that findings are written to', () => {
  const mapping = (internalIssueStatus: string, externalIssueStatus: string) => ({
    internalIssueStatus,
    externalIssueStatus,
  })

  const input = (scopeIntegrationId: string, fields: Fields = {}) => ({
    scopeIntegrationId,
    statusMappings: [mapping('IDENTIFIED', 'New'), mapping('FIX_ACCEPTED', 'Closed')],
    project: PROJECT,
    board: BOARD,
    team: TEAM,
    ...fields,
  })

  const newBoards = async () => {
    const world = await newWorld()
    const credential = { personalToken: canary(), organizationName: 'acme' }
    return { ...world, boards: await integrate(world, 'BoardsTracker', credential) }
  }

  const withBoards = async () => {
    await serveBoards(vendorContract('azure-devops/azure-devops'))
    return newBoards()
  }

  test('is kept for the company or an asset, listed and deleted', async () => {
    const { companyId, owner, boards } = await withBoards()
    const asset = await newAsset(owner.key, companyId)
    const more = {
      assetId: asset.id,
      workItemType: 'Bug',
      lane: 'Fast',
      fieldMappings: [{ internalField: 'severity', externalField: 'Severity' }],
      clientMutationId: 'mine',
    }

    const general = await run(owner.key, CONFIGURE, { input: input(boards) })
    const own = await run(owner.key, CONFIGURE, { input: input(boards, more) })
    const again = await refusal(owner.key, CONFIGURE, { input: input(boards, more) })
    const listed = await run(owner.key, CONFIGURATIONS, { companyId })

    const { id } = own.createBoardsTrackerConfiguration.defectTrackerConfiguration
    const first = general.createBoardsTrackerConfiguration.defectTrackerConfiguration
    expect(first).toMatchObject({ asset: null, integration: { id: boards } })
    expect(own.createBoardsTrackerConfiguration).toMatchObject({
      clientMutationId: 'mine',
      defectTrackerConfiguration: {
        asset,
        boardsTrackerDetail: {
          project: PROJECT,
          board: BOARD,
          team: TEAM,
          workItemType: 'Bug',
          lane: 'Fast',
          statusMappings: [mapping('IDENTIFIED', 'New'), mapping('FIX_ACCEPTED', 'Closed')],
          fieldMappings: more.fieldMappings,
        },
      },
    })
    expect(codeOf(again)).toBe('CONFLICT')
    expect(listed.defectTrackerConfigurations.collection.map((each: Data) => each.id)).toEqual([id, first.id])
    const { deleteDefectTrackerConfiguration } = await run(owner.key, UNCONFIGURE, { input: { id } })
    expect(deleteDefectTrackerConfiguration).toEqual({ id })
    expect(codeOf(await refusal(owner.key, UNCONFIGURE, { input: { id } }))).toBe('NOT_FOUND')
  })

  test.each([
    [{ statusMappings: [mapping('FIX_ACCEPTED', 'Closed')] }, 'input.statusMappings'],
    [{ statusMappings: [mapping('IDENTIFIED', 'New'), mapping('IDENTIFIED', 'Closed')] }, 'input.statusMappings'],
    [{ statusMappings: [mapping('IDENTIFIED', 'Unheard of')] }, 'input.statusMappings'],
    [{ statusMappings: [mapping('IDENTIFIED', ' ')] }, 'input.statusMappings.0.externalIssueStatus'],
    [{ board: { id: '', name: 'Board' } }, 'input.board.id'],
    [{ lane: 'x'.repeat(201) }, 'input.lane'],
    [
      { fieldMappings: ['a', 'b'].map((internalField) => ({ internalField, externalField: 'c' })) },
      'input.fieldMappings',
    ],
  ])('takes no %j', async (fields, argument) => {
    const { companyId, owner, boards } = await withBoards()

    const failure = await refusal(owner.key, CONFIGURE, { input: input(boards, fields) })

    const { defectTrackerConfigurations } = await run(owner.key, CONFIGURATIONS, { companyId })
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    expect(defectTrackerConfigurations.metadata.totalCount).toBe(0)
  })

  test('is not kept without a credential', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const boards = await integrate(world, 'BoardsTracker')

    const failure = await refusal(owner.key, CONFIGURE, { input: input(boards) })

    const { defectTrackerConfigurations } = await run(owner.key, CONFIGURATIONS, { companyId })
    expect(codeOf(failure)).toBe('FAILED_PRECONDITION')
    expect(defectTrackerConfigurations.metadata.totalCount).toBe(0)
  })

  test('is an owner’s, of assets of the same company', async () => {
    const { companyId, owner, boards } = await withBoards()
    const theirs = await newWorld()
    const foreign = await newAsset(theirs.owner.key, theirs.companyId)
    const analyst = await newPerson(companyId, 'ANALYST')

    const refused = await refusal(analyst.key, CONFIGURE, { input: input(boards) })
    const missing = await refusal(owner.key, CONFIGURE, { input: input(boards, { assetId: foreign.id }) })
    const made = await run(owner.key, CONFIGURE, { input: input(boards) })
    const { id } = made.createBoardsTrackerConfiguration.defectTrackerConfiguration
    const kept = await refusal(theirs.owner.key, UNCONFIGURE, { input: { id } })

    expect([refused, missing, kept].map(codeOf)).toEqual(['FORBIDDEN', 'NOT_FOUND', 'NOT_FOUND'])
  })

  test('takes as many statements on a page of one as on a page of twenty', async () => {
    const [small, large] = [await withBoards(), await newBoards()]
    const fill = async ({ companyId, owner, boards }: typeof small, count: number) => {
      for (let made = 0; made < count; made += 1) {
        const asset = await newAsset(owner.key, companyId)
        await run(owner.key, CONFIGURE, { input: input(boards, { assetId: asset.id }) })
      }
    }
    await fill(small, 1)
    await fill(large, 20)
    const page = ({ companyId, owner }: World) =>
      run(owner.key, CONFIGURATIONS, { companyId, pagination: { perPage: 50 } })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
