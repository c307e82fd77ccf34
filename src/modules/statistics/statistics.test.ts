// Figures equal what counting everything anew gives, now and at any earlier time.

import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { fetched } from '../../../test/testkit/exports.ts'
import { decide, newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { awayFromMidnight } from '../../../test/testkit/midnight.ts'
import { imported, newReportHome, result, sarif } from '../../../test/testkit/reports.ts'
import { countSettled, countStatements, services } from '../../../test/testkit/service.ts'
import { newStock } from '../../../test/testkit/stock.ts'
import { isOpen, type Story, severities, spansUntil, stories, tell, timeOf } from '../../../test/testkit/told-issues.ts'
import { newAsset, newIssue } from '../../../test/testkit/world.ts'
import type { Db } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { add, noCounts } from './counts.ts'
import { bucketsOf } from './intervals.ts'

let db: Db

beforeAll(async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  db = service.app.db
})
beforeEach(awayFromMidnight)

const COUNTS = 'all critical high medium low notification'
const TREND = `query ($companyId: ID!, $interval: TrendInterval, $from: ISO8601DateTime, $to: ISO8601DateTime, $filters: IssuesFiltersInput) {
  issuesTrend(companyId: $companyId, interval: $interval, from: $from, to: $to, filters: $filters) {
    start end opened { ${COUNTS} } closed { ${COUNTS} } open { ${COUNTS} } } }`
const MTTR = `query ($companyId: ID!, $params: FilterParams!) { mttrOverTime(companyId: $companyId, params: $params) { dates ${COUNTS} } }`
const STATS = `query ($companyId: ID!, $filters: IssuesFiltersInput) { issuesStats(companyId: $companyId, filters: $filters) {
  total knownExploited severities { value count } statuses { value count } types { value count } slaStates { value count } } }`

/** The same figures by going through every story at every time. */
function recount(told: readonly Story[], buckets: readonly { start: string; end: string }[]) {
  return buckets.map(({ start, end }) => {
    const [opened, closed, open] = [noCounts(), noCounts(), noCounts()]
    for (const { severity, events } of told) {
      let standing: IssueStatus | undefined
      for (const { hour, status } of events) {
        const time = timeOf(hour)
        if (time >= end) break
        if (time >= start && isOpen(status) && !isOpen(standing)) add(opened, severity, 1)
        if (time >= start && !isOpen(status) && isOpen(standing)) add(closed, severity, 1)
        standing = status
      }
      if (isOpen(standing)) add(open, severity, 1)
    }
    return { opened, closed, open }
  })
}

function recountRepairs(told: readonly Story[], { start, end }: { start: string; end: string }) {
  const seconds: number[] = []
  for (const { events } of told) {
    let standing: IssueStatus | undefined
    let since = 0
    for (const { hour, status } of events) {
      if (isOpen(status) && !isOpen(standing)) since = hour
      const time = timeOf(hour)
      if (status === 'FIX_ACCEPTED' && isOpen(standing) && time >= start && time < end)
        seconds.push((hour - since) * 3600)
      standing = status
    }
  }
  if (seconds.length === 0) return null
  const sum = seconds.reduce((all, each) => all + each, 0)
  return Math.round((sum / seconds.length / 86_400) * 100) / 100
}

describe('a trend', () => {
  test('is what a full recount of any history gives, and so are the times to repair', async () => {
    const { key, companyId, assetId } = await newHome()
    await fc.assert(
      fc.asyncProperty(stories, spansUntil(3200), async (told, { interval, from, to }) => {
        await tell(db, companyId, assetId, told)
        const buckets = bucketsOf(interval, from, to, 0)

        const { issuesTrend } = await run(key, TREND, { companyId, interval, from, to })
        const { mttrOverTime } = await run(key, MTTR, { companyId, params: { interval, startDate: from, endDate: to } })

        const found = issuesTrend.map(({ opened, closed, open }: ReturnType<typeof recount>[number]) => ({
          opened,
          closed,
          open,
        }))
        expect(found).toEqual(recount(told, buckets))
        expect(mttrOverTime.all).toEqual(buckets.map((bucket) => recountRepairs(told, bucket)))
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    [{ startDate: '2026-02-20', endDate: '2026-02-10' }, 'startDate lies before endDate'],
    [{ startDate: '2999-01-01' }, 'startDate lies before now'],
    [{ startDate: '1999-01-01', interval: 'DAY' }, 'There are more than 400 intervals from startDate to endDate'],
  ])('of times to repair over %j is refused in the words of its arguments', async (params, message) => {
    const { key, companyId } = await newHome()

    const failure = await refusal(key, MTTR, { companyId, params })

    expect([failure.message, failure.extensions.argument]).toEqual([message, 'params.startDate'])
  })

  test('ends with what is open now, whatever was done to the issues', async () => {
    const { key, companyId, assetId } = await newHome()
    const ids: string[] = []
    for (const [index, severity] of severities.entries()) {
      const { issue } = await upsert(key, sast(assetId, { severity, fileName: `src/${index}.ts` }))
      ids.push(issue.id, (await newIssue(key, String(assetId), { severity })).id)
    }
    await upsert(key, sast(assetId, { severity: 'HIGH', fileName: 'src/draft.ts', status: 'DRAFT' }))
    for (const id of ids.slice(0, 6)) await decide(key, id, 'IN_PROGRESS')
    for (const id of ids.slice(0, 4)) await decide(key, id, 'FIX_ACCEPTED')
    await decide(key, ids[0] ?? '', 'IDENTIFIED')
    await upsert(key, sast(assetId, { severity: 'LOW', fileName: 'src/1.ts', description: 'It is back' }))

    const { issuesTrend } = await run(key, TREND, { companyId, interval: 'DAY' })
    const { issuesStats } = await run(key, STATS, { companyId, filters: { statuses: openStatuses } })

    const counts = Object.fromEntries(
      issuesStats.severities.map(({ value, count }: { value: string; count: number }) => [value.toLowerCase(), count]),
    )
    expect(issuesTrend).toHaveLength(12)
    expect(issuesTrend.at(-1).open).toEqual({ all: issuesStats.total, ...counts })
    expect(issuesStats.total).toBe(8)
  })

  test('ends with what is open now in a company that was brought from another installation with its decisions', async () => {
    const from = await newStock()
    const home = await newReportHome()
    const { key, companyId } = home
    await imported(home, (await fetched(from, 'NDJSON')).text)

    const { issuesTrend } = await run(key, TREND, { companyId, interval: 'DAY' })
    const { issuesStats } = await run(key, STATS, { companyId, filters: { statuses: openStatuses } })

    const { open, opened } = issuesTrend.at(-1)
    expect([open.all, opened.all]).toEqual([issuesStats.total, issuesStats.total])
  })

  test('is narrowed by filters and bounded in length', async () => {
    const { key, companyId, assetId } = await newHome()
    const other = await newAsset(key, companyId)
    await newIssue(key, String(assetId))
    await newIssue(key, other.id)

    const { issuesTrend } = await run(key, TREND, { companyId, filters: { assetIds: [other.id] } })
    const { errors } = await ask(key, TREND, { companyId, interval: 'DAY', from: '2020-01-01T00:00:00Z' })

    expect(issuesTrend.at(-1).open.all).toBe(1)
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'from' })
  })
})

test('trouble by interval takes one statement, of the last day as of four hundred', async () => {
  const { key, companyId } = await newHome()
  const query = `query ($companyId: ID!, $from: ISO8601DateTime) {
    troubleTrend(companyId: $companyId, interval: DAY, from: $from) { blockedDeploys failedScans breachedIssues } }`
  const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

  const found = []
  for (const days of [0, 399]) found.push(await countSettled(() => run(key, query, { companyId, from: since(days) })))

  expect(found).toEqual([1, 1])
})

describe('counts', () => {
  test('are those of the list with the same filters, for every value', async () => {
    const { key, companyId, assetId } = await newHome()
    for (const [index, severity] of ['HIGH', 'HIGH', 'LOW'].entries()) {
      await upsert(key, sast(assetId, { severity, fileName: `src/${index}.ts`, branchName: index ? 'main' : 'other' }))
    }
    const { id } = await newIssue(key, String(assetId), { severity: 'CRITICAL' })
    await decide(key, id, 'RISK_ACCEPTED')

    const whole = (await run(key, STATS, { companyId })).issuesStats
    const part = (
      await run(key, STATS, { companyId, filters: { branchNames: ['main'], createdAtRange: { endDate: null } } })
    ).issuesStats

    expect(whole).toEqual({
      total: 4,
      knownExploited: 0,
      severities: [
        { value: 'CRITICAL', count: 1 },
        { value: 'HIGH', count: 2 },
        { value: 'MEDIUM', count: 0 },
        { value: 'LOW', count: 1 },
        { value: 'NOTIFICATION', count: 0 },
      ],
      statuses: expect.arrayContaining([
        { value: 'CREATED', count: 3 },
        { value: 'RISK_ACCEPTED', count: 1 },
        { value: 'SUPPRESSED', count: 0 },
      ]),
      types: expect.arrayContaining([
        { value: 'SAST_FINDING', count: 3 },
        { value: 'SOURCE_CODE_VULNERABILITY', count: 1 },
      ]),
      slaStates: [
        { value: 'ON_TRACK', count: 3 },
        { value: 'APPROACHING', count: 0 },
        { value: 'BREACHED', count: 0 },
        { value: 'RESOLVED', count: 1 },
      ],
    })
    expect(part.total).toBe(2)
  })

  test('take one statement, however many are asked for', async () => {
    const { key, companyId } = await newHome()
    const alone = 'query ($companyId: ID!) { issuesStats(companyId: $companyId) { total } }'
    await run(key, alone, { companyId })
    await run(key, STATS, { companyId })

    const one = await countStatements(() => run(key, alone, { companyId }))

    expect(await countStatements(() => run(key, STATS, { companyId }))).toBe(one)
  })
})

test('the most frequent titles of open issues come first, with the assets that have them', async () => {
  const { key, companyId, assetId } = await newHome()
  const other = await newAsset(key, companyId)
  const title = 'Found twice'
  await newIssue(key, String(assetId), { title, severity: 'CRITICAL' })
  await newIssue(key, other.id, { title, severity: 'LOW' })
  await newIssue(key, other.id, { title: 'Found once', severity: 'MEDIUM' })
  await decide(key, (await newIssue(key, other.id, { title })).id, 'FIX_ACCEPTED')
  const TOP = `query ($companyId: ID!, $filters: TopVulnerabilitiesFiltersInput) { topVulnerabilities(companyId: $companyId, filters: $filters) {
    title totalCount criticalCount highCount mediumCount lowCount notificationCount affectedAssetsCount } }`

  const { topVulnerabilities } = await run(key, TOP, { companyId })
  const narrowed = await run(key, TOP, { companyId, filters: { assetIds: [other.id], limit: 1 } })
  const { errors } = await ask(key, TOP, { companyId, filters: { limit: 101 } })

  expect(topVulnerabilities).toEqual([
    {
      title,
      totalCount: 2,
      criticalCount: 1,
      highCount: 0,
      mediumCount: 0,
      lowCount: 1,
      notificationCount: 0,
      affectedAssetsCount: 2,
    },
    expect.objectContaining({ title: 'Found once', totalCount: 1, affectedAssetsCount: 1 }),
  ])
  expect(narrowed.topVulnerabilities).toMatchObject([{ title: 'Found once', totalCount: 1 }])
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
})

test('the risk of a company is given for now, for the day before, and for the days before that', async () => {
  const { key, companyId, assetId } = await newHome()
  await newAsset(key, companyId, { businessImpact: 'HIGH' })
  const { id } = await newIssue(key, String(assetId), { severity: 'CRITICAL' })
  await sql`update issue_event set at = at - interval '3 days' where issue_id = ${id}`.execute(db)
  await newIssue(key, String(assetId), { severity: 'CRITICAL' })

  const { overallRiskScoreHistory: history } = await run(
    key,
    `query ($companyId: ID!) { overallRiskScoreHistory(companyId: $companyId) {
      company { id } current { date value } differenceFromLast { date value } points(days: 5) { date value } } }`,
    { companyId },
  )

  const today = new Date().toISOString().slice(0, 10)
  const [one, two] = [13.2, 22]
  expect(history.company).toEqual({ id: companyId })
  expect(history.current).toEqual({ date: today, value: two })
  expect(history.differenceFromLast.value).toBe(8.8)
  expect(history.points.map(({ value }: { value: number }) => value)).toEqual([0, 0, one, one, one, two])
  expect(history.points.at(-1).date).toBe(today)
  expect(history.points.at(-2)).toEqual({ date: history.differenceFromLast.date, value: one })
})

test('assets are counted by whether they were scanned, or a report of one came in', async () => {
  const { key, companyId, assetId } = await newHome()
  await newAsset(key, companyId)
  const { id: reportedId } = await newAsset(key, companyId)
  const START = `mutation ($input: CreateControlSyncStatusInput!) {
    createControlSyncStatus(input: $input) { controlSyncStatus { id } } }`
  for (const _ of [1, 2]) await run(key, START, { input: { assetId, integration: 'PLATFORM_AST' } })
  await imported({ key, companyId, assetId: reportedId }, sarif([result(1)]))

  const { assetScansCount } = await run(
    key,
    'query ($companyId: ID!) { assetScansCount(companyId: $companyId) { assetsWithScans assetsWithoutScans consideredScans } }',
    { companyId },
  )

  expect(assetScansCount).toEqual({ assetsWithScans: 2, assetsWithoutScans: 1, consideredScans: 3 })
})
