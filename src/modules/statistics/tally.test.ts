// Figures from the kept tally are those that the findings themselves give, whatever was done to these.

import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { decide, newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { imported, result, sarif } from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
import { newAsset, newIssue } from '../../../test/testkit/world.ts'
import { inBatches } from '../../core/batches.ts'
import type { Db } from '../../core/db/open.ts'
import { addUpTallies } from './store-tally.ts'

const STATS = `query ($companyId: ID!, $filters: IssuesFiltersInput) { issuesStats(companyId: $companyId, filters: $filters) {
  total knownExploited severities { value count } statuses { value count } types { value count } slaStates { value count } } }`
const COUNT = `query ($companyId: ID!, $filters: IssuesFiltersInput) { issues(companyId: $companyId, filters: $filters, pagination: { perPage: 2 }) {
  collection { id } metadata { totalCount totalCountIsExact } } }`
const ASSET = 'query ($id: ID!) { asset(id: $id) { pendingVulnerabilitiesStats { value count } } }'
const MERGE = 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }'
const SPLIT = 'mutation ($input: SplitIssueInput!) { splitIssue(input: $input) { splitIssue { id } } }'

async function database(): Promise<Db> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.db
}

type Home = { key: string; companyId: string; assetId: number }

/** The figures from the tally, and those of the same findings by a filter that it does not have and that all pass. */
async function bothWays({ key, companyId, assetId }: Home) {
  const figures = []
  for (const more of [{}, { createdAtRange: { startDate: '2000-01-01T00:00:00Z' } }]) {
    const whole = await run(key, STATS, { companyId, filters: more })
    const part = await run(key, STATS, { companyId, filters: { assetIds: [assetId], severities: ['HIGH'], ...more } })
    const { issues } = await run(key, COUNT, { companyId, filters: { statuses: ['CREATED', 'IDENTIFIED'], ...more } })
    const ofTool = { toolNames: ['A-Scanner', 'renamed'], ...more }
    const tool = await run(key, STATS, { companyId, filters: ofTool })
    const listed = await run(key, COUNT, { companyId, filters: ofTool })
    figures.push([
      whole.issuesStats,
      part.issuesStats,
      issues.metadata,
      tool.issuesStats,
      [listed.issues.metadata, listed.issues.collection.length],
    ])
  }
  return figures
}

test('findings that were reported, decided about, changed, merged, split, moved, renamed, exploited and deleted are counted as they are', async () => {
  const home = await newHome()
  const { key, companyId, assetId } = home
  const db = await database()
  const other = await newAsset(key, companyId)
  await imported({ key, companyId, assetId: String(assetId) }, sarif([result(1), result(2), result(3)]))
  const ids: string[] = []
  for (const [number, severity] of ['HIGH', 'HIGH', 'LOW', 'CRITICAL', 'MEDIUM', 'HIGH'].entries())
    ids.push((await upsert(key, sast(assetId, { severity, fileName: `src/${number}.ts` }))).issue.id)
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
  await newIssue(key, other.id, { severity: 'HIGH' })
  await upsert(key, sast(assetId, { severity: 'LOW', fileName: 'src/1.ts' }))
  await decide(key, third, 'FIX_ACCEPTED')
  await run(key, MERGE, { input: { companyId, issueId: first, mergeIds: [second, fourth], reason: 'The same' } })
  await run(key, SPLIT, { input: { companyId, issueId: first, witnessId: second, reason: 'Another' } })
  await sql`update issue set is_known_exploited = true, asset_id = ${other.id} where id = ${fifth}`.execute(db)
  await sql`update issue set tool_name = 'renamed' where id in (${first}, ${fifth})`.execute(db)
  await sql`delete from issue where id = ${third}`.execute(db)

  const [tallied, counted] = await bothWays(home)
  const { asset } = await run(key, ASSET, { id: other.id })

  expect(tallied).toEqual(counted)
  expect(tallied?.[0]).toMatchObject({ knownExploited: 1 })
  expect(tallied?.[4][0].totalCount).toBe(5)
  expect(asset.pendingVulnerabilitiesStats.map(({ count }: { count: number }) => count).toSorted()).toEqual([
    0, 0, 0, 1, 1,
  ])
})

test('a finding whose date passed a moment ago is counted as overdue, before it is valued and after', async () => {
  const home = await newHome()
  const { key, assetId } = home
  const db = await database()
  for (const number of [1, 2, 3]) await upsert(key, sast(assetId, { fileName: `src/${number}.ts` }))
  const { issue } = await upsert(key, sast(assetId, { fileName: 'src/due.ts' }))
  await sql`
    update finding set sla_started_at = now() + interval '1 second' - (sla_due_at - sla_started_at), revalue_at = now()
    where id = ${issue.id}`.execute(db)
  await setTimeout(1100)

  const before = await bothWays(home)
  await sql`update finding set revalue_at = now() where id = ${issue.id}`.execute(db)
  const after = await bothWays(home)

  expect(before[0]?.[0].slaStates).toContainEqual({ value: 'BREACHED', count: 1 })
  for (const [tallied, counted] of [before, after]) expect(tallied).toEqual(counted)
})

test('the tally is added up to what it was, with one row of a kind', async () => {
  const home = await newHome()
  const { key, assetId } = home
  const db = await database()
  for (const number of [1, 2, 3]) {
    const { issue } = await upsert(key, sast(assetId, { fileName: `src/${number}.ts` }))
    await decide(key, issue.id, 'IN_PROGRESS')
  }
  const [before] = await bothWays(home)

  await inBatches(100, (most) => addUpTallies(db, most))

  const [after] = await bothWays(home)
  const { rows } = await sql`select count from finding_tally where company_id = ${home.companyId}`.execute(db)
  expect(after).toEqual(before)
  expect(rows).toEqual([{ count: 3 }])
})
