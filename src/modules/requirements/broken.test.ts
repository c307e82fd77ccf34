// The checks that a finding breaks, asked of the finding.

import { expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) { requirements { id check { id } } } }`
const BROKEN = `query ($id: ID!) { issue(id: $id) { brokenChecks {
  id capecId state requirement { id label project { id } } } } }`
const LIST = `query ($companyId: ID!, $perPage: Int!) { issues(companyId: $companyId, pagination: { perPage: $perPage }) {
  collection { id brokenChecks { id state requirement { label } } } } }`
const DECIDE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id brokenChecks { id } } } }`
const WAIVE = `mutation ($input: WaiveCheckInput!) { waiveCheck(input: $input) { check { state } } }`

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

async function require(key: string, companyId: string, label: string, capecIds: readonly string[], projectId?: string) {
  const input = { companyId, projectId, requirements: [{ label, capecIds }] }
  const { createThreatModelingRequirements } = await run(key, CREATE, { input })
  return createThreatModelingRequirements.requirements[0] as { id: string; check: { id: string }[] }
}

const brokenBy = async (key: string, id: string): Promise<Data[]> => (await run(key, BROKEN, { id })).issue.brokenChecks

test('a finding names the checks whose attack pattern uses its weakness or one above it, oldest first', async () => {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const bound = await require(owner.key, companyId, 'Queries are bound', ['66', '63'])
  await require(owner.key, companyId, 'Pages are escaped', ['63'])
  const again = await require(owner.key, companyId, 'No query is built', ['66'])
  const issue = await newIssue(owner.key, assetId, { category: 'CWE-564' })

  const broken = await brokenBy(owner.key, issue.id)

  expect(broken).toEqual([
    {
      id: bound.check[0]?.id,
      capecId: '66',
      state: 'VIOLATED',
      requirement: { id: bound.id, label: 'Queries are bound', project: null },
    },
    {
      id: again.check[0]?.id,
      capecId: '66',
      state: 'VIOLATED',
      requirement: { id: again.id, label: 'No query is built', project: null },
    },
  ])
})

test('a finding without a weakness, one with a broader weakness and one that is closed break nothing', async () => {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  await require(owner.key, companyId, 'Queries are bound', ['66'])
  const plain = await newIssue(owner.key, assetId)
  const broader = await newIssue(owner.key, assetId, { category: 'CWE-943' })
  const closed = await newIssue(owner.key, assetId, { category: 'CWE-89' })
  await run(owner.key, DECIDE, { input: { id: closed.id, status: 'IDENTIFIED' } })

  const { changeIssueStatus } = await run(owner.key, DECIDE, {
    input: { id: closed.id, status: 'FALSE_POSITIVE', reason: 'It is bound' },
  })

  expect(await brokenBy(owner.key, plain.id)).toEqual([])
  expect(await brokenBy(owner.key, broader.id)).toEqual([])
  expect(changeIssueStatus.issue.brokenChecks).toEqual([])
})

test('a requirement of a project is broken by findings of its assets alone', async () => {
  const { companyId, owner } = await newWorld()
  const inside = await newAsset(owner.key, companyId)
  const outside = await newAsset(owner.key, companyId)
  const project = await newProject(owner.key, companyId, { assetsIds: [Number(inside.id)] })
  await require(owner.key, companyId, 'Queries are bound', ['66'], project.id)
  const within = await newIssue(owner.key, inside.id, { category: 'CWE-89' })
  const without = await newIssue(owner.key, outside.id, { category: 'CWE-89' })

  const [broken] = await brokenBy(owner.key, within.id)

  expect(broken?.requirement).toMatchObject({ label: 'Queries are bound', project: { id: project.id } })
  expect(await brokenBy(owner.key, without.id)).toEqual([])
})

test('a waived check is named with its state', async () => {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const { check } = await require(owner.key, companyId, 'Queries are bound', ['66'])
  const issue = await newIssue(owner.key, assetId, { category: 'CWE-89' })
  await run(owner.key, WAIVE, { input: { checkId: check[0]?.id, reason: 'Later', until: tomorrow() } })

  const broken = await brokenBy(owner.key, issue.id)

  expect(broken.map(({ state }) => state)).toEqual(['WAIVED'])
})

test('requirements of another company are not broken', async () => {
  const { companyId, owner } = await newWorld()
  const other = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  await require(other.owner.key, other.companyId, 'Queries are bound', ['66'])
  const issue = await newIssue(owner.key, assetId, { category: 'CWE-89' })

  expect(await brokenBy(owner.key, issue.id)).toEqual([])
})

test('a key that may decide but not read does not see what else a finding breaks', async () => {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const { check } = await require(owner.key, companyId, 'Queries are bound', ['66'])
  await newIssue(owner.key, assetId, { category: 'CWE-89' })
  const decider = await newPerson(companyId, 'ANALYST', ['issues:decide'])
  const input = { checkId: check[0]?.id, reason: 'Later', until: tomorrow() }

  const refused = await refusal(
    decider.key,
    `mutation ($input: WaiveCheckInput!) { waiveCheck(input: $input) { check {
      findings { collection { brokenChecks { id } } } } } }`,
    { input },
  )

  expect(refused).toMatchObject({ message: 'requirements:read requires a key with the scope read' })
})

test('a page of findings takes the same number of statements whatever its size', async () => {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  await require(owner.key, companyId, 'Queries are bound', ['66', '63'])
  for (let index = 0; index < 8; index++) {
    await newIssue(owner.key, assetId, { category: index % 2 === 0 ? 'CWE-89' : 'CWE-79' })
  }
  const page = (perPage: number) => run(owner.key, LIST, { companyId, perPage })
  await page(8)

  const few = await countStatements(() => page(2))
  const many = await countStatements(() => page(8))

  expect((await page(8)).issues.collection.map((issue: Data) => issue.brokenChecks.length)).toEqual(Array(8).fill(1))
  expect(many).toBe(few)
  expect(few).toBeLessThanOrEqual(7)
})

test('the open findings of a check are counted by weakness, the most first, as the list of findings has them', async () => {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const { id } = await require(owner.key, companyId, 'Queries are bound', ['66', '63'])
  for (const category of ['CWE-89', 'CWE-564', 'CWE-564', 'CWE-943']) await newIssue(owner.key, assetId, { category })
  await newIssue(owner.key, assetId, { category: 'CWE-89', patterns: ['CWE-564'] })
  const query = `query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) { check {
    capecId openFindings openFindingsByWeakness { openFindings weakness { id name } } } } }`
  const listed = async (cweIds: number[]) =>
    (
      await run(
        owner.key,
        `query ($companyId: ID!, $cweIds: [Int!]) { issues(companyId: $companyId, filters: { cweIds: $cweIds }, pagination: {}) {
          metadata { totalCount } } }`,
        { companyId, cweIds },
      )
    ).issues.metadata.totalCount

  const { requirement } = await run(owner.key, query, { companyId, id })

  const [injection, scripting] = requirement.check
  expect(injection).toMatchObject({
    capecId: '66',
    openFindings: 4,
    openFindingsByWeakness: [
      { openFindings: 3, weakness: { id: '564', name: expect.stringContaining('Hibernate') } },
      { openFindings: 2, weakness: { id: '89' } },
    ],
  })
  expect([await listed([564]), await listed([89]), await listed([89, 564])]).toEqual([3, 2, 4])
  expect(scripting.openFindingsByWeakness).toEqual([])
})
