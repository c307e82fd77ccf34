// Listing a company's deploys by verdict: verdicts are stored, and follow what the gates count within seconds.

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { pairOf } from '../../../test/testkit/deploys.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { decide, newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { gateOf, setPolicy } from '../../../test/testkit/gates.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { imported, result, sarif } from '../../../test/testkit/reports.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy } from '../../../test/testkit/world.ts'

const LIST = `query ($companyId: ID!, $decisions: [GateDecision!], $assetIds: [ID!], $pagination: PaginationInput) {
  deploys(companyId: $companyId, decisions: $decisions, assetIds: $assetIds, pagination: $pagination) {
    collection { id gate { decision } } metadata { totalCount totalCountIsExact endCursor } } }`

let files = 0
let service: Service

beforeAll(async () => {
  service = await startWorkingService()
})
afterAll(() => service.app.stop(0))

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

/** What is blocked, as the list has it, with the verdict that the page of each deploy shows. */
const blocked = async ({ key, companyId }: { key: string; companyId: string }): Promise<Data> =>
  (await run(key, LIST, { companyId, decisions: ['BLOCK'] })).deploys

/** Exactly these, newest first. */
const these = (...ids: readonly string[]) => ({
  collection: ids.map((id) => ({ id, gate: { decision: 'BLOCK' } })),
  metadata: expect.objectContaining({ totalCount: ids.length, totalCountIsExact: true }),
})

test('deploys are listed by what their gates came to, newest first, of some assets or of all', async () => {
  const { companyId, key, assetId } = await newHome()
  const other = await newAsset(key, companyId)
  const home = { companyId, key }
  const first = await newJudged(home, String(assetId), 1, 'CRITICAL')
  const warned = await newJudged(home, String(assetId), 2, 'MEDIUM')
  const passed = await newJudged(home, String(assetId), 3)
  const last = await newJudged(home, other.id, 4, 'HIGH')

  await expect.poll(() => blocked(home)).toEqual(these(last.deployId, first.deployId))
  const list = async (asked: Data) => idsOf(await run(key, LIST, { companyId, ...asked }))

  await until(async () => (await list({ decisions: ['PASS', 'WARN'] })).length === 2)
  expect(await list({ decisions: ['PASS', 'WARN'] })).toEqual([passed.deployId, warned.deployId])
  expect(await list({ decisions: ['BLOCK', 'WARN'], assetIds: [String(assetId)] })).toEqual([
    warned.deployId,
    first.deployId,
  ])
  expect(await list({ decisions: [] })).toHaveLength(4)
})

test('a decision on a finding, a policy and its end are followed by the list, also of deploys that are no longer the newest', async () => {
  const { companyId, key, assetId } = await newHome()
  const home = { companyId, key }
  const { deployId, issueId } = await newJudged(home, String(assetId), 1, 'CRITICAL')
  const low = await newJudged(home, String(assetId), 2, 'LOW')
  await newDeploy(key, String(assetId), '', { ...pairOf(3), branchName: 'branch-2' })
  await expect.poll(() => blocked(home)).toEqual(these(deployId))

  await decide(key, issueId ?? '', 'IDENTIFIED')
  await decide(key, issueId ?? '', 'FALSE_POSITIVE')
  await expect.poll(() => blocked(home)).toEqual(these())
  await decide(key, issueId ?? '', 'IDENTIFIED')
  await expect.poll(() => blocked(home)).toEqual(these(deployId))
  await decide(key, issueId ?? '', 'FALSE_POSITIVE')
  await setPolicy(home, [{ subject: 'INTRODUCED', severities: ['LOW'], limit: 0, decision: 'BLOCK' }])
  await expect.poll(() => blocked(home)).toEqual(these(low.deployId))
  await setPolicy(home, [{ subject: 'INTRODUCED', severities: ['LOW'], limit: 9, decision: 'BLOCK' }], assetId)
  await expect.poll(() => blocked(home)).toEqual(these())
})

test('a known finding that is reported with a deploy of another branch, or as worse than before, is followed by the list', async () => {
  const { companyId, key, assetId } = await newHome()
  const home = { companyId, key }
  const place = { fileName: 'src/known.ts', codeSnippet: 'known()', ruleId: 'known' }
  const report = (more: Data) => upsert(key, sast(Number(assetId), { ...place, ...more }))
  await report({ branchName: 'main', severity: 'LOW' })
  const deploy = await newDeploy(key, String(assetId), '', { ...pairOf(1), branchName: 'feature' })

  await report({ branchName: 'feature', deployId: deploy.id, severity: 'HIGH' })
  await expect.poll(() => blocked(home)).toEqual(these(deploy.id))
  await report({ branchName: 'feature', deployId: deploy.id, severity: 'LOW' })
  await expect.poll(() => blocked(home)).toEqual(these())
  await report({ branchName: 'feature', deployId: deploy.id, severity: 'CRITICAL' })
  await expect.poll(() => blocked(home)).toEqual(these(deploy.id))
})

test('a report that is imported is followed, and one that no longer has the finding', async () => {
  const { companyId, key, assetId } = await newHome()
  const home = { companyId, key, assetId: String(assetId) }
  const deploy = await newDeploy(key, String(assetId), '', { ...pairOf(1), branchName: 'main' })
  const at = { branchName: 'main', deployId: deploy.id }

  const quiet = [1, 2, 3, 4, 5].map((number) => result(number, { level: 'note' }))

  await imported(home, sarif([...quiet, result(6, { level: 'error' })]), at)
  await expect.poll(() => blocked(home)).toEqual(these(deploy.id))
  await imported(home, sarif(quiet), { branchName: 'main', closeAbsent: true })
  await expect.poll(() => blocked(home)).toEqual(these())
})

test('what a later deploy removes no longer counts at the one that brought it', async () => {
  const { companyId, key, assetId } = await newHome()
  const home = { companyId, key }
  const first = await newDeploy(key, String(assetId), '', { ...pairOf(1), branchName: 'main' })
  const place = { fileName: 'src/a.ts', vulnerableLine: 2, codeSnippet: 'bad()', branchName: 'main' }
  await upsert(
    key,
    sast(Number(assetId), { ...place, deployId: first.id, commitRef: first.currentCommit, severity: 'HIGH' }),
  )
  await expect.poll(() => blocked(home)).toEqual(these(first.id))

  const diff =
    'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,2 @@\n one\n-bad()\n three\n'
  await newDeploy(key, String(assetId), diff, {
    previousCommit: first.currentCommit,
    currentCommit: 'f'.repeat(40),
    branchName: 'main',
  })

  await expect.poll(() => blocked(home)).toEqual(these())
  expect(await gateOf(key, first.id)).toMatchObject({ decision: 'PASS' })
})

test('where a rule counts all that stands on a branch, each finding of it is followed by all its deploys', async () => {
  const { companyId, key, assetId } = await newHome()
  const home = { companyId, key }
  await setPolicy(home, [{ subject: 'OPEN', severities: ['HIGH'], limit: 0, decision: 'BLOCK' }])
  const made: string[] = []
  for (const number of [1, 2]) {
    made.unshift((await newDeploy(key, String(assetId), '', { ...pairOf(number), branchName: 'main' })).id)
  }

  const { issue } = await upsert(key, sast(Number(assetId), { branchName: 'main', severity: 'HIGH' }))
  await expect.poll(() => blocked(home)).toEqual(these(...made))
  await decide(key, issue.id, 'FALSE_POSITIVE')
  await expect.poll(() => blocked(home)).toEqual(these())
})

test('what comes to the default branch counts there, and is no longer unmerged on the branch that brought it', async () => {
  const { companyId, key, assetId } = await newHome()
  const home = { companyId, key }
  await setPolicy(home, [{ subject: 'UNMERGED', severities: ['HIGH'], limit: 0, decision: 'BLOCK' }])
  const made: string[] = []
  for (const [number, branchName] of ['main', 'topic', 'topic'].entries()) {
    made.push((await newDeploy(key, String(assetId), '', { ...pairOf(number + 1), branchName })).id)
  }
  const [main = '', first = '', second = ''] = made
  const place = { fileName: 'src/a.ts', codeSnippet: 'bad()', severity: 'HIGH' }

  await upsert(key, sast(Number(assetId), { ...place, branchName: 'topic', deployId: first }))
  await expect.poll(() => blocked(home)).toEqual(these(second, first))
  await upsert(key, sast(Number(assetId), { ...place, branchName: 'main' }))
  await expect.poll(() => blocked(home)).toEqual(these(main))
})

test('one that is blocked is found and counted behind more than a thousand newer ones', async () => {
  const { companyId, key, assetId } = await newHome()
  const { deployId } = await newJudged({ companyId, key }, String(assetId), 1, 'CRITICAL')
  await fillWith(sql`
    insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage, is_carried, status)
    select ${companyId}, ${assetId}, 'quiet', lpad(to_hex(n), 40, '0'), lpad(to_hex(n + 1), 40, '0'), 'PARSED', 'FOLLOWS', true, 'PENDING'
    from generate_series(1, 1200) n`)

  await expect.poll(() => blocked({ companyId, key })).toEqual(these(deployId))
  const passed = () => run(key, LIST, { companyId, decisions: ['PASS'], pagination: { perPage: 1 } })

  await until(async () => (await passed()).deploys.metadata.totalCount === 1200)
})
