// Deploys, through the endpoint: lists, the review, deletion, and what others may not see.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run, unique } from '../../../test/testkit/client.ts'
import { DEPLOY, DIFF, newHome, pairOf, SHOWN } from '../../../test/testkit/deploys.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy, newPerson } from '../../../test/testkit/world.ts'

const BY_ASSET = `query ($assetId: ID!, $page: Int, $limit: Int, $after: String, $branchName: String) {
  deploysByAsset(assetId: $assetId, page: $page, limit: $limit, after: $after, branchName: $branchName) {
    collection { ${SHOWN} } metadata { currentPage limitValue totalCount totalPages endCursor } } }`
const BY_PROJECT = `query ($id: ID!, $initialDate: ISO8601DateTime!, $finishDate: ISO8601DateTime!, $page: Int, $limit: Int) {
  deploysByProjectId(id: $id, initialDate: $initialDate, finishDate: $finishDate, page: $page, limit: $limit) {
    collection { id status branchName } metadata { currentPage limitValue totalCount } } }`
const UPDATE = `mutation ($input: UpdateDeployStatusInput!) { updateDeployStatus(input: $input) { deploy { id status permittedStatus } } }`
const DELETE = 'mutation ($input: DeleteDeployInput!) { deleteDeploy(input: $input) { clientMutationId id } }'

describe('lists of deploys', () => {
  test("an asset's are newest first, of all branches or of one, and are walked by page or cursor", async () => {
    const { key, assetId } = await newHome()
    const made: string[] = []
    for (const number of [1, 2, 3, 4, 5]) {
      const branchName = number % 2 === 1 ? 'odd' : 'even'
      made.unshift((await newDeploy(key, assetId, '', { ...pairOf(number), branchName })).id)
    }

    const first = await run(key, BY_ASSET, { assetId, limit: 2 })
    const second = await run(key, BY_ASSET, { assetId, limit: 2, after: first.deploysByAsset.metadata.endCursor })
    const third = await run(key, BY_ASSET, { assetId, limit: 2, page: 3 })
    const odd = await run(key, BY_ASSET, { assetId, branchName: 'odd' })

    const ids = (answer: Data) => answer.deploysByAsset.collection.map(({ id }: { id: string }) => id)
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(made)
    expect(ids(odd)).toEqual([made[0], made[2], made[4]])
    expect(first.deploysByAsset.metadata).toMatchObject({ currentPage: 1, limitValue: 2, totalCount: 5, totalPages: 3 })
  })

  test("an asset's without a branch are a branch of their own, whose name is empty", async () => {
    const { key, assetId } = await newHome()
    await newDeploy(key, assetId, '', { ...pairOf(1), branchName: 'main' })
    const { id } = await newDeploy(key, assetId, '', pairOf(2))
    const query =
      'query ($assetId: ID!) { deploysByAsset(assetId: $assetId, branchName: "") { collection { id branchName } } }'

    const unnamed = await run(key, query, { assetId })

    expect(unnamed.deploysByAsset.collection).toEqual([{ id, branchName: null }])
  })

  test("an asset's are found by the commit that they led to, also where they were told of it shortened", async () => {
    const { key, assetId } = await newHome()
    const [commit, other] = ['abcdef7'.padEnd(40, '1'), 'abcdef7'.padEnd(40, '2')]
    const to = async (currentCommit: string, branchName: string) =>
      (await newDeploy(key, assetId, '', { currentCommit, branchName })).id
    const whole = await to(commit, 'main')
    const shortened = await to(commit.slice(0, 7), 'feature')
    await to(other, 'main')
    const query = `query ($assetId: ID!, $branchName: String, $currentCommit: String) {
      deploysByAsset(assetId: $assetId, branchName: $branchName, currentCommit: $currentCommit) { collection { id } } }`

    const found = await run(key, query, { assetId, currentCommit: commit.toUpperCase() })
    const ofMain = await run(key, query, { assetId, currentCommit: commit, branchName: 'main' })
    const refused = await refusal(key, query, { assetId, currentCommit: 'HEAD' })

    expect(found.deploysByAsset.collection).toEqual([{ id: shortened }, { id: whole }])
    expect(ofMain.deploysByAsset.collection).toEqual([{ id: whole }])
    expect(refused.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'currentCommit' })
  })

  test('those of a company are newest first, of all its assets or of some', async () => {
    const { key, companyId, assetId } = await newHome()
    const second = await newAsset(key, companyId)
    const [older, newer] = [await newDeploy(key, assetId), await newDeploy(key, second.id)]
    const query = `query ($companyId: ID!, $assetIds: [ID!]) { deploys(companyId: $companyId, assetIds: $assetIds) {
      collection { id asset { id } } metadata { totalCount } } }`

    const all = await run(key, query, { companyId })
    const some = await run(key, query, { companyId, assetIds: [assetId] })

    expect(all.deploys.collection.map(({ id }: { id: string }) => id)).toEqual([newer.id, older.id])
    expect(some.deploys).toEqual({
      collection: [{ id: older.id, asset: { id: assetId } }],
      metadata: { totalCount: 1 },
    })
  })

  test('a page takes as many statements for one deploy as for twenty', async () => {
    const [few, many] = [await newHome(), await newHome()]
    await newDeploy(few.key, few.assetId, DIFF, pairOf(1))
    for (let number = 1; number <= 20; number++) await newDeploy(many.key, many.assetId, DIFF, pairOf(number))
    const query = `query ($assetId: ID!) { deploysByAsset(assetId: $assetId, limit: 50) { collection { ${SHOWN}
      disposition(issueId: 1) changes { collection { newPath findings { touched } } } } } }`

    const one = await countStatements(() => run(few.key, query, { assetId: few.assetId }))
    const twenty = await countStatements(() => run(many.key, query, { assetId: many.assetId }))

    expect(twenty).toBe(one)
  })

  test("a project's are those of its assets within the two moments, both included", async () => {
    const { key, companyId, assetId } = await newHome()
    const [second, outside] = [await newAsset(key, companyId), await newAsset(key, companyId)]
    const { projectTypes } = await run(key, '{ projectTypes { collection { id } } }')
    const { createProject } = await run(
      key,
      'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } } }',
      {
        input: {
          companyId: Number(companyId),
          label: unique('Project'),
          goal: 'Know',
          scope: 'All',
          typeId: Number(projectTypes.collection[0].id),
          startDate: '2026-01-01',
          assetsIds: [Number(assetId), Number(second.id)],
        },
      },
    )
    const { id } = createProject.project
    const made = [await newDeploy(key, assetId), await newDeploy(key, second.id), await newDeploy(key, assetId)]
    await newDeploy(key, outside.id)
    const { deploy } = await run(key, DEPLOY, { id: made[1]?.id })
    const moment = deploy.createdAt
    const whole = { id, initialDate: '2020-01-01T00:00:00Z', finishDate: '2100-01-01T00:00:00Z' }

    const all = await run(key, BY_PROJECT, whole)
    const paged = await run(key, BY_PROJECT, { ...whole, page: 2, limit: 2 })
    const since = await run(key, BY_PROJECT, { ...whole, initialDate: moment })
    const until = await run(key, BY_PROJECT, { ...whole, finishDate: moment })
    const none = await run(key, BY_PROJECT, { ...whole, initialDate: '2099-01-01T00:00:00Z' })
    const ancient = await refusal(key, BY_PROJECT, { ...whole, initialDate: '0000-01-01T00:00:00Z' })
    const beyond = await refusal(key, BY_PROJECT, { ...whole, finishDate: '9999-12-31T24:00:00Z' })
    const backwards = await refusal(key, BY_PROJECT, { ...whole, finishDate: '2019-12-31T23:59:59Z' })

    const ids = (answer: Data) => answer.deploysByProjectId.collection.map((shown: { id: string }) => shown.id)
    const newestFirst = made.map((each) => each.id).reverse()
    expect(ids(all)).toEqual(newestFirst)
    expect(all.deploysByProjectId.collection[0]).toEqual({ id: newestFirst[0], status: 'PENDING', branchName: null })
    expect(all.deploysByProjectId.metadata).toEqual({ currentPage: 1, limitValue: 10, totalCount: 3 })
    expect(ids(paged)).toEqual(newestFirst.slice(2))
    expect(paged.deploysByProjectId.metadata).toEqual({ currentPage: 2, limitValue: 2, totalCount: 3 })
    expect(ids(since)).toEqual(newestFirst.slice(0, 2))
    expect(ids(until)).toEqual(newestFirst.slice(1))
    expect(ids(none)).toEqual([])
    expect(ancient.extensions.code).toBe('BAD_USER_INPUT')
    expect(beyond.extensions.code).toBe('BAD_USER_INPUT')
    expect(backwards.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'finishDate' })
  })

  test('what belongs to another company and what is missing are refused alike', async () => {
    const mine = await newHome()
    const other = await newHome()
    const { id } = await newDeploy(other.key, other.assetId)
    const dates = { initialDate: '2020-01-01', finishDate: '2030-01-01' }

    const pairs = await Promise.all(
      [
        [DEPLOY, { id }, { id: '999999999' }],
        [BY_ASSET, { assetId: other.assetId }, { assetId: '999999999' }],
        [UPDATE, { input: { id, status: 'REVIEWED' } }, { input: { id: '999999999', status: 'REVIEWED' } }],
        [DELETE, { input: { id } }, { input: { id: '999999999' } }],
        [BY_PROJECT, { id: '999999998', ...dates }, { id: '999999999', ...dates }],
      ].map(async ([query, foreign, missing]) => [
        await refusal(mine.key, String(query), foreign as Record<string, unknown>),
        await refusal(mine.key, String(query), missing as Record<string, unknown>),
      ]),
    )

    for (const [foreign, missing] of pairs) {
      expect(foreign?.extensions.code).toBe('NOT_FOUND')
      expect(foreign?.message.replace(/\d+/, '#')).toBe(missing?.message.replace(/\d+/, '#'))
    }
  })
})

describe('the review of a deploy', () => {
  test('goes from one status to a permitted one, and no other', async () => {
    const { key, assetId } = await newHome()
    const { id } = await newDeploy(key, assetId)
    const become = (status: string) => run(key, UPDATE, { input: { id, status } })

    const reviewing = await become('IN_REVIEW')
    const again = await become('IN_REVIEW')
    const reviewed = await become('REVIEWED')
    const refused = await refusal(key, UPDATE, { input: { id, status: 'PENDING' } })
    const archived = await become('ARCHIVED')
    const final = await refusal(key, UPDATE, { input: { id, status: 'PENDING' } })

    expect(reviewing.updateDeployStatus.deploy.permittedStatus).toEqual(['PENDING', 'REVIEWED', 'DISCARDED'])
    expect(again.updateDeployStatus.deploy.status).toBe('IN_REVIEW')
    expect(reviewed.updateDeployStatus.deploy.permittedStatus).toEqual(['IN_REVIEW', 'ARCHIVED'])
    expect(refused.extensions.code).toBe('FAILED_PRECONDITION')
    expect(refused.message).toContain('IN_REVIEW, ARCHIVED')
    expect(archived.updateDeployStatus.deploy.permittedStatus).toEqual([])
    expect(final.extensions.code).toBe('FAILED_PRECONDITION')
  })

  test('takes an analyst, and is audited with the one that made the deploy', async () => {
    const { key, companyId, assetId } = await newHome()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const { id } = await newDeploy(developer.key, assetId)

    const refused = await refusal(developer.key, UPDATE, { input: { id, status: 'REVIEWED' } })
    await run(key, UPDATE, { input: { id, status: 'REVIEWED' } })

    const { auditRecords } = await run(
      key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object before after } } }',
      { companyId },
    )
    expect(refused.extensions.code).toBe('FORBIDDEN')
    expect(auditRecords.collection.slice(0, 2)).toMatchObject([
      {
        operation: 'updateDeployStatus',
        object: `Deploy ${id}`,
        before: { status: 'PENDING' },
        after: { status: 'REVIEWED' },
      },
      { operation: 'createDeploy', object: `Deploy ${id}`, after: { status: 'PENDING' } },
    ])
  })
})

describe('deleting a deploy', () => {
  test('only the newest of a branch goes, and its commits may be deployed again', async () => {
    const { key, assetId } = await newHome()
    const older = await newDeploy(key, assetId, DIFF, pairOf(1))
    const newer = await newDeploy(key, assetId, DIFF, pairOf(2))

    const refused = await refusal(key, DELETE, { input: { id: older.id } })
    const { deleteDeploy } = await run(key, DELETE, { input: { id: newer.id, clientMutationId: 'x' } })
    const gone = await refusal(key, DEPLOY, { id: newer.id })
    const again = await newDeploy(key, assetId, DIFF, pairOf(2))

    expect(refused.extensions.code).toBe('FAILED_PRECONDITION')
    expect(deleteDeploy).toEqual({ clientMutationId: 'x', id: newer.id })
    expect(gone.extensions.code).toBe('NOT_FOUND')
    expect(again.id).not.toBe(newer.id)
  })

  test('the files that a deploy changed go with it, alone or with its asset, and those of others stay', async () => {
    const { key, companyId, assetId } = await newHome()
    const [service] = await services()
    const filesOf = async () => {
      const rows = await service?.app.db
        .selectFrom('deploy_file')
        .select('deploy_id')
        .where('company_id', '=', companyId)
        .execute()
      return [...new Set(rows?.map((row) => row.deploy_id))].sort()
    }
    const older = await newDeploy(key, assetId, DIFF, pairOf(1))
    const newer = await newDeploy(key, assetId, DIFF, pairOf(2))
    const before = await filesOf()

    await run(key, DELETE, { input: { id: newer.id } })
    const afterOne = await filesOf()
    await run(key, 'mutation ($id: ID!) { deleteAsset(input: { id: $id }) { clientMutationId } }', { id: assetId })

    expect(before).toEqual([older.id, newer.id].sort())
    expect(afterOne).toEqual([older.id])
    expect(await filesOf()).toEqual([])
  })

  test('a deploy that goes with its asset leaves no file behind that a row keeps', async () => {
    const { key, companyId, assetId } = await newHome()
    await newDeploy(key, assetId, DIFF, pairOf(1))
    await newDeploy(key, assetId, DIFF, pairOf(2))
    const [service] = await services()
    const keptFiles = () =>
      service?.app.db.selectFrom('stored_object').select('id').where('company_id', '=', companyId).execute()
    const before = await keptFiles()

    await run(key, 'mutation ($id: ID!) { deleteAsset(input: { id: $id }) { clientMutationId } }', { id: assetId })

    expect(before).toHaveLength(2)
    expect(await keptFiles()).toEqual([])
  })
})
