// Figures over the issues, scans and assets of a company, now and over time.

import { openStatuses } from '../../core/db/open-issues.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { issueStatuses, issueTypes, slaStates } from '../../core/issue-words.ts'
import { authorize } from '../access/service.ts'
import type { IssuesStats } from '../api.generated.ts'
import { riskScore } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { conditionsOf, type IssueFilters, isTallied, permittedFrom } from '../issues/service.ts'
import { accumulate, noCounts, type SeverityCounts, severityNames, type Trend } from './counts.ts'
import { type Bucket, bucketsOf, type Interval, shifted, startOf } from './intervals.ts'
import { meanRisk } from './risk.ts'
import * as store from './store.ts'
import { countBy, countTallied, type Facet, type Group } from './store-counts.ts'
import { countChanges, countChangesByAsset, type Repair, sumRepairs } from './store-history.ts'
import { countTrouble } from './store-trouble.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** The facet by which each figure counts. */
const facetOf = {
  total: [],
  severities: ['severity'],
  statuses: ['status'],
  types: ['type'],
  slaStates: ['slaState'],
  knownExploited: ['isKnownExploited'],
} as const satisfies Record<string, readonly Facet[]>

type Figure = keyof typeof facetOf

export const isFigure = (name: string): name is Figure => Object.hasOwn(facetOf, name)

/** Computes the requested figures in one statement; the others are empty. */
export async function issuesStats(
  context: Context,
  companyId: Id,
  filters: IssueFilters,
  asked: readonly Figure[],
): Promise<Pick<IssuesStats, Figure>> {
  await authorize(context, 'issues:read', companyId)
  const by = asked.flatMap((figure): readonly Facet[] => facetOf[figure])
  const count = isTallied(filters) ? countTallied : countBy
  const groups = await count(context.db, companyId, conditionsOf(companyId, filters), by)
  const sum = (passes: (group: Group) => boolean) => {
    let all = 0
    for (const group of groups) if (passes(group)) all += group.count
    return all
  }
  const countAll = <Value extends string>(facet: Facet, values: readonly Value[]) =>
    values.map((value) => ({ value, count: sum((group) => group[facet] === value) }))
  return {
    total: sum(() => true),
    severities: countAll(
      'severity',
      severityNames.map(([severity]) => severity),
    ),
    statuses: countAll('status', issueStatuses).map((one) => ({
      ...one,
      permittedStatus: [...permittedFrom(one.value)],
    })),
    types: countAll('type', issueTypes),
    slaStates: countAll('slaState', slaStates),
    knownExploited: sum(({ isKnownExploited }) => isKnownExploited === true),
  }
}

/** The length of intervals and the time they cover; null for the defaults. */
type Span = { interval: Interval; from: string | null; to: string | null }

const endOf = (buckets: readonly Bucket[]): string => buckets.at(-1)?.end ?? ''

/** The starts of the intervals, and the end of the last. */
const limitsOf = (buckets: readonly Bucket[]): string[] => [...buckets.map(({ start }) => start), endOf(buckets)]

/** How many issues were opened, closed and open in each interval, from the history of those that pass the filters now. */
export async function issuesTrend(
  context: Context,
  companyId: Id,
  { interval, from, to }: Span,
  filters: IssueFilters,
): Promise<(Bucket & Trend)[]> {
  await authorize(context, 'issues:read', companyId)
  const buckets = bucketsOf(interval, from, to, Date.now())
  const changes = await countChanges(context.db, companyId, filters, limitsOf(buckets))
  const trends = accumulate(changes, buckets.length)
  return buckets.map((bucket, index) => ({
    ...bucket,
    ...(trends[index] ?? { opened: noCounts(), closed: noCounts(), open: noCounts() }),
  }))
}

/** Blocked deploys, failed scans and overdue findings in each interval, in one statement. */
export async function troubleTrend(
  context: Context,
  companyId: Id,
  { interval, from, to }: Span,
): Promise<(Bucket & Trouble)[]> {
  for (const action of ['issues:read', 'deploys:read', 'scans:read'] as const)
    await authorize(context, action, companyId)
  const buckets = bucketsOf(interval, from, to, Date.now())
  const changes = await countTrouble(context.db, companyId, limitsOf(buckets))
  const troubles = troubleOf(changes, buckets.length)
  return buckets.map((bucket, index) => ({
    ...bucket,
    ...(troubles[index] ?? { blockedDeploys: 0, failedScans: 0, breachedIssues: 0 }),
  }))
}

/** Days, or null if nothing was fixed; one entry for each date. */
type Mttr = { dates: string[] } & { [Name in keyof SeverityCounts]: (number | null)[] }

export async function mttrOverTime(
  context: Context,
  companyId: Id,
  { interval, from, to }: Span,
  filters: IssueFilters,
): Promise<Mttr> {
  await authorize(context, 'issues:read', companyId)
  const buckets = bucketsOf(interval, from, to, Date.now(), { from: 'params.startDate', to: 'params.endDate' })
  const starts = buckets.map(({ start }) => start)
  const conditions = conditionsOf(companyId, filters)
  const repairs = await sumRepairs(context.db, companyId, conditions, limitsOf(buckets))
  const meansOf = (severities: readonly SeverityCategory[]) =>
    buckets.map((_, index) => meanDays(repairs, index + 1, severities))
  return {
    dates: starts.map((start) => start.slice(0, 10)),
    all: meansOf(severityNames.map(([severity]) => severity)),
    critical: meansOf(['CRITICAL']),
    high: meansOf(['HIGH']),
    medium: meansOf(['MEDIUM']),
    low: meansOf(['LOW']),
    notification: meansOf(['NOTIFICATION']),
  }
}

/** Seconds. */
const DAY = 86_400

/** To two decimals. */
function meanDays(repairs: readonly Repair[], bucket: number, severities: readonly SeverityCategory[]) {
  let [count, seconds] = [0, 0]
  for (const repair of repairs) {
    if (repair.bucket !== bucket || !severities.includes(repair.severity)) continue
    count += repair.count
    seconds += repair.seconds
  }
  return count === 0 ? null : Math.round((seconds / count / DAY) * 100) / 100
}

const MOST_TITLES = 100

/** The most frequent titles, of open issues unless the filters name statuses. */
export async function topVulnerabilities(
  context: Context,
  companyId: Id,
  filters: IssueFilters,
  limit: number,
): Promise<store.TitleCounts[]> {
  await authorize(context, 'issues:read', companyId)
  if (limit < 1 || limit > MOST_TITLES)
    throw badUserInput(`limit is a number from 1 to ${MOST_TITLES}`, 'filters.limit')
  const conditions = conditionsOf(companyId, { ...filters, statuses: filters.statuses ?? openStatuses })
  return store.countByTitle(context.db, companyId, conditions, limit)
}

const MOST_DAYS = 366

type RiskPoint = { date: string; value: number }

/** Throws unless the viewer may read the company's assets. */
export async function overallRiskScoreHistory(context: Context, companyId: Id): Promise<{ companyId: Id }> {
  await authorize(context, 'assets:read', companyId)
  return { companyId }
}

/** The company's risk score at the end of each of the last `days` days before today, in UTC, and now. */
export async function riskPoints(context: Context, companyId: Id, days: number): Promise<RiskPoint[]> {
  if (days < 1 || days > MOST_DAYS) throw badUserInput(`days is a number from 1 to ${MOST_DAYS}`, 'days')
  const now = Date.now()
  const today = startOf('DAY', now)
  // changes before the n-th start took effect by the end of the day before it
  const starts = Array.from({ length: days }, (_, index) => shifted('DAY', today, index + 1 - days))
  const times = starts.map((start) => new Date(start).toISOString())
  const changes = await countChangesByAsset(context.db, companyId, [...times, new Date(now).toISOString()])
  const assets = await store.listImpacts(context.db, companyId)
  const values = meanRisk(assets, changes, days + 1, riskScore)
  const dates = [...starts.map((start) => start - 1), now].map((time) => new Date(time).toISOString().slice(0, 10))
  return dates.map((date, index) => ({ date, value: values[index] ?? 0 }))
}

/** The risk scores of companies at the end of yesterday, and now. */
export async function loadLastTwo(context: Context, companyIds: readonly string[]): Promise<Map<string, RiskPoint[]>> {
  const points = companyIds.map(async (id): Promise<[Id, RiskPoint[]]> => [id, await riskPoints(context, id, 1)])
  return new Map(await Promise.all(points))
}

export async function assetScansCount(context: Context, companyId: Id): Promise<store.ScanCounts> {
  await authorize(context, 'scans:read', companyId)
  return store.countScans(context.db, companyId)
}
