// Open findings over time end with what is open now, even after an issue was split.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { inside } from '../../../test/testkit/inside.ts'

type Home = Awaited<ReturnType<typeof newHome>>

const FIGURES = `query ($companyId: ID!) {
  issuesStats(companyId: $companyId, filters: { statuses: [CREATED, IDENTIFIED, IN_PROGRESS, AWAITING_VALIDATION] }) { total }
  issuesTrend(companyId: $companyId, interval: DAY) { open { all } } }`

const PARTS = `query ($id: ID!) { issue(id: $id) { witnesses { id } identity { places { id } } } }`

const SPLIT = `mutation ($input: SplitIssueInput!) { splitIssue(input: $input) {
  issue { id } splitIssue { id status history { action previousStatus status } } } }`

const reported = ({ key, assetId }: Home, more: Record<string, unknown>) =>
  upsert(key, sast(assetId, { category: 'CWE-89', ...more }))

const partsOf = async ({ key }: Home, id: string) => (await run(key, PARTS, { id })).issue

async function split({ key, companyId }: Home, issueId: string, part: Record<string, string>) {
  const { splitIssue } = await run(key, SPLIT, { input: { companyId, issueId, reason: 'Two mistakes', ...part } })
  return splitIssue.splitIssue
}

async function openNowAndByTrend({ key, companyId }: Home): Promise<number[]> {
  const { issuesStats, issuesTrend } = await run(key, FIGURES, { companyId })
  return [issuesStats.total, issuesTrend.at(-1).open.all]
}

/** An issue of two tools, and its second witness. */
async function twoTools() {
  const home = await newHome()
  const { issue } = await reported(home, { toolName: 'Semgrep', ruleId: 'semgrep/sqli' })
  await reported(home, { toolName: 'CodeQL', ruleId: 'codeql/sqli' })
  const [, witness] = (await partsOf(home, issue.id)).witnesses
  return { home, issue, witness }
}

test('a witness that is split off is open beside the issue', async () => {
  const { home, issue, witness } = await twoTools()
  const before = await openNowAndByTrend(home)

  await split(home, issue.id, { witnessId: witness.id })

  expect([before, await openNowAndByTrend(home)]).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test('a witness that stands nowhere any more is closed by the split, and its history says so', async () => {
  const { home, issue, witness } = await twoTools()
  const { db } = await inside()
  await sql`update occurrence set is_open = false where issue_id = ${witness.id}`.execute(db)

  const { status, history } = await split(home, issue.id, { witnessId: witness.id })

  expect(status).toBe('FIX_ACCEPTED')
  expect(history).toContainEqual({ action: 'SPLIT_OFF', previousStatus: 'CREATED', status: 'FIX_ACCEPTED' })
  expect(await openNowAndByTrend(home)).toEqual([1, 1])
})

test('what stood on another branch is open from the split on, as an issue of its own', async () => {
  const home = await newHome()
  const { issue } = await reported(home, { branchName: 'main' })
  await reported(home, { branchName: 'next' })
  const [, place] = (await partsOf(home, issue.id)).identity.places

  const { history } = await split(home, issue.id, { placeId: place.id })

  expect(history).toContainEqual({ action: 'SPLIT_OFF', previousStatus: null, status: 'IDENTIFIED' })
  expect(await openNowAndByTrend(home)).toEqual([2, 2])
})

test('an issue whose only branch is split off is closed, and no longer counted as open', async () => {
  const home = await newHome()
  const { issue } = await reported(home, { branchName: 'main' })
  await reported(home, { branchName: 'next' })
  const [, place] = (await partsOf(home, issue.id)).identity.places
  const { db } = await inside()
  await sql`update occurrence set is_open = false where issue_id = ${issue.id} and branch = 'main'`.execute(db)

  await split(home, issue.id, { placeId: place.id })

  const { issue: kept } = await run(
    home.key,
    'query ($id: ID!) { issue(id: $id) { status history { action previousStatus status } } }',
    { id: issue.id },
  )
  expect(kept.status).toBe('FIX_ACCEPTED')
  expect(kept.history).toContainEqual({ action: 'SPLIT', previousStatus: 'CREATED', status: 'FIX_ACCEPTED' })
  expect(await openNowAndByTrend(home)).toEqual([1, 1])
})
