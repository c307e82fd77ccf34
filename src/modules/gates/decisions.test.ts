// The deploys of a company by what their gate comes to, as it stands when they are listed.

import { expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { pairOf } from '../../../test/testkit/deploys.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { setPolicy } from '../../../test/testkit/gates.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy } from '../../../test/testkit/world.ts'

const LIST = `query ($companyId: ID!, $decisions: [GateDecision!], $assetIds: [ID!], $pagination: PaginationInput) {
  deploys(companyId: $companyId, decisions: $decisions, assetIds: $assetIds, pagination: $pagination) {
    collection { id gate { decision } } metadata { totalCount totalCountIsExact endCursor } } }`

let files = 0

/** A deploy of a branch of its own, with a finding of this severity that it brought, or without one. */
async function newJudged(home: { key: string; companyId: string }, assetId: string, number: number, severity?: string) {
  const branchName = `branch-${number}`
  const { id: deployId } = await newDeploy(home.key, assetId, '', { ...pairOf(number), branchName })
  if (severity === undefined) return { deployId, issueId: null }
  const place = { fileName: `src/${files++}.ts`, codeSnippet: `f${files}()`, branchName, deployId, severity }
  const { issue } = await upsert(home.key, sast(Number(assetId), place))
  return { deployId, issueId: issue.id as string }
}

const idsOf = ({ deploys }: Data): string[] => deploys.collection.map(({ id }: { id: string }) => id)

test('deploys are listed by what their gates come to now, newest first, of some assets or of all', async () => {
  const { companyId, key, assetId } = await newHome()
  const other = await newAsset(key, companyId)
  const home = { companyId, key }
  const first = await newJudged(home, String(assetId), 1, 'CRITICAL')
  const warned = await newJudged(home, String(assetId), 2, 'MEDIUM')
  await newJudged(home, String(assetId), 3)
  const last = await newJudged(home, other.id, 4, 'HIGH')

  const blocked = await run(key, LIST, { companyId, decisions: ['BLOCK'] })
  const some = await run(key, LIST, { companyId, decisions: ['BLOCK', 'WARN'], assetIds: [String(assetId)] })
  const none = await run(key, LIST, { companyId, decisions: [] })

  expect(blocked.deploys).toEqual({
    collection: [last, first].map(({ deployId }) => ({ id: deployId, gate: { decision: 'BLOCK' } })),
    metadata: expect.objectContaining({ totalCount: 2, totalCountIsExact: true }),
  })
  expect(idsOf(some)).toEqual([warned.deployId, first.deployId])
  expect(idsOf(none)).toHaveLength(4)
})

test('a decision and a policy count at once', async () => {
  const { companyId, key, assetId } = await newHome()
  const { deployId, issueId } = await newJudged({ companyId, key }, String(assetId), 1, 'CRITICAL')
  const low = await newJudged({ companyId, key }, String(assetId), 2, 'LOW')
  const change = { input: { id: issueId, status: 'FALSE_POSITIVE', reason: 'It is none' } }
  await run(key, 'mutation ($id: ID!) { changeIssueStatus(input: { id: $id, status: IDENTIFIED }) { issue { id } } }', {
    id: issueId,
  })

  const before = await run(key, LIST, { companyId, decisions: ['BLOCK'] })
  await run(
    key,
    'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
    change,
  )
  const decided = await run(key, LIST, { companyId, decisions: ['BLOCK'] })
  await setPolicy({ key, companyId }, [{ subject: 'INTRODUCED', severities: ['LOW'], limit: 0, decision: 'BLOCK' }])
  const stricter = await run(key, LIST, { companyId, decisions: ['BLOCK'] })

  expect([idsOf(before), idsOf(decided), idsOf(stricter)]).toEqual([[deployId], [], [low.deployId]])
})

test('they are walked by page and by cursor, with as many statements for one as for ten', async () => {
  const { companyId, key, assetId } = await newHome()
  const made: string[] = []
  for (let number = 1; number <= 10; number++) {
    const { deployId } = await newJudged({ companyId, key }, String(assetId), number, number % 2 ? 'HIGH' : 'LOW')
    if (number % 2) made.unshift(deployId)
  }
  const page = (pagination: Data) => run(key, LIST, { companyId, decisions: ['BLOCK'], pagination })

  const first = await page({ perPage: 2 })
  const second = await page({ perPage: 2, page: 2 })
  const rest = await page({ perPage: 2, after: second.deploys.metadata.endCursor })
  const end = await page({ perPage: 2, after: rest.deploys.metadata.endCursor })
  const [few, many] = [
    await countStatements(() => page({ perPage: 1 })),
    await countStatements(() => page({ perPage: 10 })),
  ]

  expect([...idsOf(first), ...idsOf(second), ...idsOf(rest)]).toEqual(made)
  expect(end.deploys).toMatchObject({ collection: [], metadata: { totalCount: 5, endCursor: null } })
  expect(many).toBe(few)
})
