// Runs of scanners, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countSettled } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, type World, withAsset } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateControlSyncStatusInput!) { createControlSyncStatus(input: $input) {
  clientMutationId controlSyncStatus { id status integration externalVulnerabilityCount } success } }`
const UPDATE = `mutation ($input: UpdateControlSyncStatusInput!) { updateControlSyncStatus(input: $input) {
  controlSyncStatus { id status externalVulnerabilityCount failureReason finishedAt } success } }`
const INCREASE = `mutation ($input: IncreaseIssueScanCountInput!) { increaseIssueScanCount(input: $input) {
  controlSyncStatus { id } } }`
const CANCEL = `mutation ($input: CancelScanInput!) { cancelScan(input: $input) {
  controlSyncStatus { id status } success } }`
const DELETE = `mutation ($input: DeleteControlSyncStatusInput!) { deleteControlSyncStatus(input: $input) { id success } }`
const SCAN = `query ($id: ID!) { controlSyncStatus(id: $id) { id status asset { id name } integration
  externalVulnerabilityCount successCount failureCount failureReason createdAt startedAt finishedAt
  durationInSeconds createdVulnerabilityCount closedVulnerabilityCount importedVulnerabilityCount } }`
const HISTORIES = `query ($companyId: ID!, $assetIds: [ID!], $pagination: PaginationInput!,
    $filters: ScansHistoriesFiltersInput, $sortOptions: [ScansHistoriesSortOptionInput!]) {
  scanHistories(companyId: $companyId, assetIds: $assetIds, pagination: $pagination, filters: $filters,
      sortOptions: $sortOptions) {
    collection { id status integration createdAt durationInSeconds createdVulnerabilityCount closedVulnerabilityCount
      importedVulnerabilityCount failureReason asset { id name } }
    metadata { totalCount totalPages currentPage limitValue } } }`
const LOG = 'mutation ($input: LogAstErrorInput!) { logAstError(input: $input) { success } }'
const LOGS = `query ($companyId: ID!, $assetId: ID, $pagination: PaginationInput) {
  astErrors(companyId: $companyId, assetId: $assetId, pagination: $pagination) {
    collection { id log asset { id } portalUser { email } createdAt } metadata { totalCount } } }`

type Fields = Record<string, unknown>

const newScan = async (key: string, assetId: string, fields: Fields = {}): Promise<string> => {
  const input = { assetId, integration: 'PLATFORM_AST', externalVulnerabilityCount: 0, ...fields }
  return (await run(key, CREATE, { input })).createControlSyncStatus.controlSyncStatus.id
}

const increase = (key: string, id: string, fields: Fields) =>
  run(key, INCREASE, { input: { controlSyncStatusId: id, ...fields } })

const scanOf = async (key: string, id: string) => (await run(key, SCAN, { id })).controlSyncStatus

const shown = ({ message, extensions }: Data) => [message.replace(/\d+/, '#'), extensions.code]

describe('a run that a client drives', () => {
  test('goes from its creation over its count to its success', async () => {
    const { owner, asset } = await withAsset()
    const input = {
      assetId: asset.id,
      integration: 'PLATFORM_AST',
      externalVulnerabilityCount: 0,
      clientMutationId: 'm',
    }

    const { createControlSyncStatus } = await run(owner.key, CREATE, { input })
    const { id } = createControlSyncStatus.controlSyncStatus
    const { updateControlSyncStatus } = await run(owner.key, UPDATE, { input: { id, externalVulnerabilityCount: 2 } })
    const reported = { assetId: asset.id, integration: 'PLATFORM_AST', successCount: 1, failureCount: 0 }
    await increase(owner.key, id, reported)
    const between = await scanOf(owner.key, id)
    await increase(owner.key, id, reported)
    const ended = await scanOf(owner.key, id)

    expect(createControlSyncStatus).toMatchObject({
      clientMutationId: 'm',
      success: true,
      controlSyncStatus: { status: 'PENDING' },
    })
    expect(updateControlSyncStatus).toMatchObject({ success: true, controlSyncStatus: { status: 'RUNNING' } })
    expect(between).toMatchObject({ status: 'RUNNING', successCount: 1, finishedAt: null, durationInSeconds: null })
    expect(ended).toMatchObject({ status: 'SUCCEEDED', successCount: 2, asset, finishedAt: expect.any(String) })
    expect(ended.durationInSeconds).toBeGreaterThanOrEqual(0)
  })

  test('fails on the first failure, whose reason stays, and goes on counting', async () => {
    const { owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id, { externalVulnerabilityCount: 3 })

    await increase(owner.key, id, { failureCount: 1, failureReason: 'first' })
    await increase(owner.key, id, { failureCount: 1, failureReason: 'second' })
    await increase(owner.key, id, { successCount: 3 })

    expect(await scanOf(owner.key, id)).toMatchObject({
      status: 'FAILED',
      successCount: 3,
      failureCount: 2,
      failureReason: 'first',
    })
  })

  test('of a tool that finds nothing succeeds when it says so', async () => {
    const { owner, asset } = await withAsset()
    const [counted, reported] = [await newScan(owner.key, asset.id), await newScan(owner.key, asset.id)]

    await run(owner.key, UPDATE, { input: { id: counted, externalVulnerabilityCount: 0 } })
    await increase(owner.key, reported, { successCount: 0 })

    expect((await scanOf(owner.key, counted)).status).toBe('SUCCEEDED')
    expect((await scanOf(owner.key, reported)).status).toBe('SUCCEEDED')
  })

  test('that reports before it counts succeeds with the count', async () => {
    const { owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)
    await increase(owner.key, id, { successCount: 2 })
    const between = await scanOf(owner.key, id)

    const counted = await run(owner.key, UPDATE, { input: { id, externalVulnerabilityCount: 2 } })

    expect(between.status).toBe('RUNNING')
    expect(counted.updateControlSyncStatus.controlSyncStatus.status).toBe('SUCCEEDED')
  })

  test('loses none of fifty increases at once', async () => {
    const { owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id, { externalVulnerabilityCount: 100 })

    await Promise.all(Array.from({ length: 50 }, () => increase(owner.key, id, { successCount: 2 })))

    expect(await scanOf(owner.key, id)).toMatchObject({ successCount: 100, status: 'SUCCEEDED' })
  })

  test('may be set to a state that follows, and to no other', async () => {
    const { owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)

    await run(owner.key, UPDATE, { input: { id, status: 'RUNNING' } })
    const failed = await run(owner.key, UPDATE, { input: { id, status: 'FAILED', failureReason: 'No network' } })
    const failure = await refusal(owner.key, UPDATE, { input: { id, status: 'SUCCEEDED' } })

    expect(failed.updateControlSyncStatus.controlSyncStatus).toMatchObject({
      status: 'FAILED',
      failureReason: 'No network',
      finishedAt: expect.any(String),
    })
    expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
  })

  test('that was canceled counts no more', async () => {
    const { owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)

    const { cancelScan } = await run(owner.key, CANCEL, { input: { id } })
    const failures = await Promise.all([
      refusal(owner.key, INCREASE, { input: { controlSyncStatusId: id, successCount: 1 } }),
      refusal(owner.key, UPDATE, { input: { id, externalVulnerabilityCount: 1 } }),
      refusal(owner.key, UPDATE, { input: { id, status: 'RUNNING' } }),
    ])

    expect(cancelScan).toMatchObject({ success: true, controlSyncStatus: { status: 'CANCELED' } })
    expect(new Set(failures.map(({ extensions }) => extensions.code))).toEqual(new Set(['FAILED_PRECONDITION']))
  })

  test.each([
    [{ successCount: -1 }, 'input.successCount'],
    [{ failureCount: 10_000_001 }, 'input.failureCount'],
    [{ failureReason: 'x'.repeat(10_001) }, 'input.failureReason'],
    [{ integration: 'SCANNER_A' }, 'input.integration'],
  ])('takes no %j', async (fields, argument) => {
    const { owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)

    const failure = await refusal(owner.key, INCREASE, { input: { controlSyncStatusId: id, ...fields } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test('is deleted by an analyst, and its findings stay', async () => {
    const { companyId, owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)
    const issue = await newIssue(owner.key, asset.id, { controlSyncStatusId: id })
    const developer = await newPerson(companyId, 'DEVELOPER')

    const refused = await refusal(developer.key, DELETE, { input: { id } })
    const { deleteControlSyncStatus } = await run(owner.key, DELETE, { input: { id } })

    const gone = await refusal(owner.key, SCAN, { id })
    const kept = await run(owner.key, 'query ($id: ID!) { issue(id: $id) { id } }', { id: issue.id })
    expect([refused.extensions.code, gone.extensions.code]).toEqual(['FORBIDDEN', 'NOT_FOUND'])
    expect(deleteControlSyncStatus).toEqual({ id, success: true })
    expect(kept.issue.id).toBe(issue.id)
  })
})

describe('runs', () => {
  test('are listed newest first, or by asset, state, tool, time and order', async () => {
    const { companyId, owner, asset } = await withAsset()
    const other = await newAsset(owner.key, companyId)
    const first = await newScan(owner.key, asset.id)
    const second = await newScan(owner.key, other.id, { integration: 'SCANNER_A' })
    await run(owner.key, CANCEL, { input: { id: second } })
    const list = async (asked: Fields) => {
      const { scanHistories } = await run(owner.key, HISTORIES, { companyId, pagination: {}, ...asked })
      return scanHistories.collection.map(({ id }: Data) => id)
    }

    const page = await run(owner.key, HISTORIES, { companyId, pagination: { page: 1, perPage: 1 } })

    expect(page.scanHistories.collection).toMatchObject([{ id: second, status: 'CANCELED', asset: other }])
    expect(page.scanHistories.metadata).toEqual({ totalCount: 2, totalPages: 2, currentPage: 1, limitValue: 1 })
    expect(await list({ assetIds: [asset.id] })).toEqual([first])
    expect(await list({ filters: { statuses: ['CANCELED'] } })).toEqual([second])
    expect(await list({ filters: { integrations: ['PLATFORM_AST'] } })).toEqual([first])
    expect(await list({ filters: { createdAtRange: { endDate: '2020-01-01' } } })).toEqual([])
    expect(await list({ sortOptions: [{ field: 'ID', order: 'ASC' }] })).toEqual([first, second])
    expect(await list({ sortOptions: [{ field: 'STATUS', order: 'DESC' }] })).toEqual([first, second])
  })

  test('are not asked of a time that ends before it starts, and an empty list asks for nothing', async () => {
    const { companyId, owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)
    const createdAtRange = { startDate: '2026-02-01', endDate: '2026-01-01' }
    const nothing = { assetIds: [], filters: { statuses: [], integrations: [] } }

    const failure = await refusal(owner.key, HISTORIES, { companyId, pagination: {}, filters: { createdAtRange } })
    const { scanHistories } = await run(owner.key, HISTORIES, { companyId, pagination: {}, ...nothing })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'filters.createdAtRange' })
    expect(scanHistories.collection).toMatchObject([{ id }])
  })

  test('say how many findings each found first, closed and reported', async () => {
    const { owner, asset } = await withAsset()
    const [first, second] = [await newScan(owner.key, asset.id), await newScan(owner.key, asset.id)]
    const issue = await newIssue(owner.key, asset.id, { controlSyncStatusId: first })
    await newIssue(owner.key, asset.id, { controlSyncStatusId: first })
    await run(
      owner.key,
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      {
        input: { id: issue.id, status: 'FIX_ACCEPTED', controlSyncStatusId: second },
      },
    )
    await increase(owner.key, second, { successCount: 5 })

    const [made, fixed] = [await scanOf(owner.key, first), await scanOf(owner.key, second)]

    expect(made).toMatchObject({
      createdVulnerabilityCount: 2,
      closedVulnerabilityCount: 0,
      importedVulnerabilityCount: 2,
    })
    expect(fixed).toMatchObject({
      createdVulnerabilityCount: 0,
      closedVulnerabilityCount: 1,
      importedVulnerabilityCount: 5,
    })
  })

  test('say how many findings each reported that were not there before', async () => {
    const { owner, asset } = await withAsset()
    const [first, second] = [await newScan(owner.key, asset.id), await newScan(owner.key, asset.id)]
    const report = (controlSyncStatusId: string, title: string) =>
      run(
        owner.key,
        'mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) { outcome } }',
        {
          input: {
            assetId: Number(asset.id),
            title,
            description: 'What is wrong',
            codeSnippet: `call(${title})`,
            vulnerableLine: 7,
            firstLine: 7,
            fileName: `src/${title}.js`,
            controlSyncStatusId,
          },
        },
      )

    for (const title of ['a', 'b']) await report(first, title)
    for (const title of ['a', 'b', 'c']) await report(second, title)

    expect(await scanOf(owner.key, first)).toMatchObject({
      createdVulnerabilityCount: 2,
      importedVulnerabilityCount: 2,
    })
    expect(await scanOf(owner.key, second)).toMatchObject({ createdVulnerabilityCount: 1 })
  })

  test('of others, and assets and companies of others, answer as missing ones do', async () => {
    const [mine, theirs] = [await withAsset(), await withAsset()]
    const foreign = await newScan(theirs.owner.key, theirs.asset.id)
    const { key } = mine.owner
    const calls = (id: string, assetId: string, companyId: string) => [
      refusal(key, SCAN, { id }),
      refusal(key, UPDATE, { input: { id, status: 'RUNNING' } }),
      refusal(key, INCREASE, { input: { controlSyncStatusId: id, successCount: 1 } }),
      refusal(key, CANCEL, { input: { id } }),
      refusal(key, DELETE, { input: { id } }),
      refusal(key, CREATE, { input: { assetId, integration: 'PLATFORM_AST' } }),
      refusal(key, HISTORIES, { companyId: mine.companyId, assetIds: [assetId], pagination: {} }),
      refusal(key, HISTORIES, { companyId, pagination: {} }),
      refusal(key, LOG, { input: { companyId: mine.companyId, assetId, log: 'x' } }),
      refusal(key, LOG, { input: { companyId, log: 'x' } }),
      refusal(key, LOGS, { companyId }),
      refusal(key, LOGS, { companyId: mine.companyId, assetId }),
    ]

    const told = await Promise.all(calls(foreign, theirs.asset.id, theirs.companyId))
    const missing = await Promise.all(calls('999999999', '999999999', '999999999'))

    expect(told.map(shown)).toEqual(missing.map(shown))
    expect(new Set(told.map(({ extensions }) => extensions.code))).toEqual(new Set(['NOT_FOUND']))
  })

  test('are driven by nobody who only reads', async () => {
    const { companyId, owner, asset } = await withAsset()
    const id = await newScan(owner.key, asset.id)
    const people = [await newPerson(companyId, 'READER'), await newPerson(companyId, 'OWNER', ['read'])]

    const failures = await Promise.all(
      people.flatMap(({ key }) => [
        refusal(key, CREATE, { input: { assetId: asset.id, integration: 'PLATFORM_AST' } }),
        refusal(key, UPDATE, { input: { id, status: 'RUNNING' } }),
        refusal(key, INCREASE, { input: { controlSyncStatusId: id, successCount: 1 } }),
        refusal(key, CANCEL, { input: { id } }),
        refusal(key, LOG, { input: { companyId, log: 'x' } }),
      ]),
    )

    expect(new Set(failures.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']))
  })

  test('take as many statements on a page of one as on a page of twenty', async () => {
    const [small, large] = [await withAsset(), await withAsset()]
    await newScan(small.owner.key, small.asset.id)
    for (let made = 0; made < 20; made += 1) await newScan(large.owner.key, large.asset.id)
    const page = ({ companyId, owner }: World) => run(owner.key, HISTORIES, { companyId, pagination: { perPage: 50 } })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
