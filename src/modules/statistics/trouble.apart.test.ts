// What went wrong in each interval equals what the lists show: blocked deploys, failed scans and overdue findings.

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, type Data, run } from '../../../test/testkit/client.ts'
import { pairOf } from '../../../test/testkit/deploys.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { decide, newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { awayFromMidnight } from '../../../test/testkit/midnight.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { isOpen, type Story, spansUntil, stories, tell, timeOf } from '../../../test/testkit/told-issues.ts'
import { newDeploy } from '../../../test/testkit/world.ts'
import type { Db } from '../../core/db/open.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { bucketsOf } from './intervals.ts'

const TREND = `query ($companyId: ID!, $interval: TrendInterval, $from: ISO8601DateTime, $to: ISO8601DateTime) {
  troubleTrend(companyId: $companyId, interval: $interval, from: $from, to: $to) {
    start end blockedDeploys failedScans breachedIssues } }`

type Bucket = { start: string; end: string; blockedDeploys: number; failedScans: number; breachedIssues: number }
type Figure = 'blockedDeploys' | 'failedScans' | 'breachedIssues'

const DAY = 86_400_000
const daysAgo = (days: number) => new Date((Math.floor(Date.now() / DAY) - days) * DAY).toISOString()

let service: Service
let db: Db

beforeAll(async () => {
  service = await startWorkingService()
  db = service.app.db
})
afterAll(() => service.app.stop(0))
beforeEach(awayFromMidnight)

const ofLastDays = async (key: string, companyId: string, days: number): Promise<Bucket[]> =>
  (await run(key, TREND, { companyId, interval: 'DAY', from: daysAgo(days - 1) })).troubleTrend

const column = (buckets: readonly Bucket[], figure: Figure): number[] => buckets.map((bucket) => bucket[figure])
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

/** A run that failed, or is in progress, and was created so many days ago. */
async function newScan(key: string, assetId: number, days: number, hasFailed = true): Promise<void> {
  const { createControlSyncStatus } = await run(
    key,
    'mutation ($input: CreateControlSyncStatusInput!) { createControlSyncStatus(input: $input) { controlSyncStatus { id } } }',
    { input: { assetId, integration: 'SCANNER_A', externalVulnerabilityCount: 9 } },
  )
  const { id } = createControlSyncStatus.controlSyncStatus
  await run(
    key,
    'mutation ($input: IncreaseIssueScanCountInput!) { increaseIssueScanCount(input: $input) { controlSyncStatus { id } } }',
    { input: { controlSyncStatusId: id, ...(hasFailed ? { failureCount: 1 } : { successCount: 1 }) } },
  )
  await sql`update scan set created_at = ${daysAgo(days)} where id = ${id}`.execute(db)
}

/** The same by going through every story at the end of every interval, with the date that each issue has now. */
function recount(told: readonly Story[], dates: readonly (Date | null)[], ends: readonly string[]): number[] {
  return ends.map((end) => {
    const past = told.filter(({ events }, number) => {
      let standing: IssueStatus | undefined
      for (const { hour, status } of events) if (timeOf(hour) < end) standing = status
      const date = dates[number]
      return isOpen(standing) && date instanceof Date && date.toISOString() < end
    })
    return past.length
  })
}

test('findings past their date are what a full recount of any history gives, at the end of each interval', async () => {
  const { key, companyId, assetId } = await newHome()
  await fc.assert(
    fc.asyncProperty(stories, spansUntil(3600), async (told, { interval, from, to }) => {
      await tell(db, companyId, assetId, told)
      const { rows } = await sql<{ date: Date | string | null }>`
        select sla_due_at as date from issue where company_id = ${companyId} order by id`.execute(db)
      const dates = rows.map(({ date }) => (date === null ? null : new Date(date)))

      const { troubleTrend } = await run(key, TREND, { companyId, interval, from, to })

      const ends = bucketsOf(interval, from, to, 0).map(({ end }) => end)
      expect(column(troubleTrend, 'breachedIssues')).toEqual(recount(told, dates, ends))
    }),
    { numRuns: 60 },
  )
})

test('findings past their date end with those that are BREACHED now, and a decision takes none from the days before it', async () => {
  const { key, companyId, assetId } = await newHome()
  const ids: string[] = []
  for (const severity of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION']) {
    ids.push((await upsert(key, sast(assetId, { severity, fileName: `src/${severity}.ts` }))).issue.id)
  }
  await sql`
    update finding set created_at = created_at - interval '100 days', sla_started_at = sla_started_at - interval '40 days', revalue_at = now()
    where company_id = ${companyId}`.execute(db)
  await sql`update issue_event set at = at - interval '100 days' where company_id = ${companyId}`.execute(db)
  await decide(key, ids[0] ?? '', 'RISK_ACCEPTED')

  const buckets = await ofLastDays(key, companyId, 30)
  const { issuesStats } = await run(
    key,
    'query ($companyId: ID!) { issuesStats(companyId: $companyId) { slaStates { value count } } }',
    { companyId },
  )

  const breached = issuesStats.slaStates.find(({ value }: Data) => value === 'BREACHED')?.count
  expect([29, 20, 1, 0].map((days) => buckets.at(-1 - days)?.breachedIssues)).toEqual([0, 1, 2, breached])
  expect(breached).toBe(1)
})

test('failed scans count on the day of their creation, and together are those that the list of these days has', async () => {
  const { key, companyId, assetId } = await newHome()
  for (const days of [0, 0, 3, 6, 7]) await newScan(key, assetId, days)
  await newScan(key, assetId, 3, false)

  const counts = column(await ofLastDays(key, companyId, 7), 'failedScans')
  const { scanHistories } = await run(
    key,
    `query ($companyId: ID!, $filters: ScansHistoriesFiltersInput) {
      scanHistories(companyId: $companyId, filters: $filters, pagination: { perPage: 1 }) { metadata { totalCount } } }`,
    { companyId, filters: { statuses: ['FAILED'], createdAtRange: { startDate: daysAgo(6) } } },
  )

  expect(counts).toEqual([1, 0, 0, 1, 0, 0, 2])
  expect(sum(counts)).toBe(scanHistories.metadata.totalCount)
})

test('blocked deploys count on the day of their creation, and together are those that the list has', async () => {
  const { key, companyId, assetId } = await newHome()
  const blocked = async () =>
    (
      await run(
        key,
        'query ($companyId: ID!) { deploys(companyId: $companyId, decisions: [BLOCK]) { metadata { totalCount } } }',
        { companyId },
      )
    ).deploys.metadata.totalCount
  for (const [number, severity] of ['CRITICAL', 'LOW', 'HIGH'].entries()) {
    const branchName = `branch-${number}`
    const deploy = await newDeploy(key, String(assetId), '', { ...pairOf(number + 1), branchName })
    await upsert(key, sast(assetId, { severity, fileName: `src/${number}.ts`, branchName, deployId: deploy.id }))
    await sql`update deploy set created_at = ${daysAgo(2 * number)} where id = ${deploy.id}`.execute(db)
  }
  await until(async () => (await blocked()) === 2)

  const counts = column(await ofLastDays(key, companyId, 5), 'blockedDeploys')

  expect(counts).toEqual([1, 0, 0, 0, 1])
  expect(column(await ofLastDays(key, companyId, 3), 'blockedDeploys')).toEqual([0, 0, 1])
})

test('another company’s trouble counts in no other, and is not shown', async () => {
  const [home, other] = [await newHome(), await newHome()]
  await newScan(other.key, other.assetId, 0)

  const buckets: Bucket[] = (await run(home.key, TREND, { companyId: home.companyId })).troubleTrend
  const { errors } = await ask(home.key, TREND, { companyId: other.companyId })

  expect(buckets).toHaveLength(12)
  expect(buckets.map(({ failedScans }) => failedScans)).toEqual(Array.from({ length: 12 }, () => 0))
  expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
})

test.each([
  ['more intervals than there may be', { from: '2020-01-01T00:00:00Z' }],
  ['an end before its start', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
])('%s are refused', async (_, span) => {
  const { key, companyId } = await newHome()

  const { errors } = await ask(key, TREND, { companyId, interval: 'DAY', ...span })

  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'from' })
})
