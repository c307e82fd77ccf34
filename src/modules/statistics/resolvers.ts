// Figures as the API shows them.

import type { GraphQLResolveInfo } from 'graphql'
import { parseId } from '../../core/ids.ts'
import type {
  OverallRiskScoreHistoryPointsArgs,
  QueryAssetScansCountArgs,
  QueryIssuesStatsArgs,
  QueryIssuesTrendArgs,
  QueryMttrOverTimeArgs,
  QueryOverallRiskScoreHistoryArgs,
  QueryTopVulnerabilitiesArgs,
  QueryTroubleTrendArgs,
} from '../api.generated.ts'
import { loadCompanies } from '../companies/service.ts'
import { type Context, load } from '../context.ts'
import { readFilters } from '../issues/service.ts'
import { selectionOf } from '../selection.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

type OfCompany = { companyId: string }

/** The score at the end of yesterday, and now. */
const lastTwo = async ({ companyId }: OfCompany, context: Context) => {
  const [before, now] = (await load(context, service.loadLastTwo, companyId)) ?? []
  return { before: before ?? { date: '', value: 0 }, now: now ?? { date: '', value: 0 } }
}

export const resolvers = {
  Query: {
    issuesStats: (
      _: unknown,
      { companyId, filters }: QueryIssuesStatsArgs,
      context: Context,
      info: GraphQLResolveInfo,
    ) => {
      const figures = [...selectionOf(info).keys()].filter(service.isFigure)
      return service.issuesStats(context, parseId(companyId, 'companyId'), readFilters(filters), figures)
    },
    issuesTrend: (
      _: unknown,
      { companyId, interval, from = null, to = null, filters }: QueryIssuesTrendArgs,
      context: Context,
    ) =>
      service.issuesTrend(
        context,
        parseId(companyId, 'companyId'),
        { interval: interval ?? 'WEEK', from, to },
        readFilters(filters),
      ),
    troubleTrend: (
      _: unknown,
      { companyId, interval, from = null, to = null }: QueryTroubleTrendArgs,
      context: Context,
    ) => service.troubleTrend(context, parseId(companyId, 'companyId'), { interval: interval ?? 'WEEK', from, to }),
    topVulnerabilities: (_: unknown, { companyId, filters }: QueryTopVulnerabilitiesArgs, context: Context) => {
      const { limit = 10, ...narrowing } = filters ?? {}
      return service.topVulnerabilities(context, parseId(companyId, 'companyId'), readFilters(narrowing), limit ?? 10)
    },
    mttrOverTime: (_: unknown, { companyId, params }: QueryMttrOverTimeArgs, context: Context) => {
      const { interval, startDate = null, endDate = null, ...narrowing } = params
      return service.mttrOverTime(
        context,
        parseId(companyId, 'companyId'),
        { interval: interval ?? 'MONTH', from: startDate, to: endDate },
        readFilters(narrowing),
      )
    },
    overallRiskScoreHistory: (_: unknown, { companyId }: QueryOverallRiskScoreHistoryArgs, context: Context) =>
      service.overallRiskScoreHistory(context, parseId(companyId, 'companyId')),
    assetScansCount: (_: unknown, { companyId }: QueryAssetScansCountArgs, context: Context) =>
      service.assetScansCount(context, parseId(companyId, 'companyId')),
  },
  OverallRiskScoreHistory: {
    company: ({ companyId }: OfCompany, _: unknown, context: Context) => load(context, loadCompanies, companyId),
    current: async (parent: OfCompany, _: unknown, context: Context) => (await lastTwo(parent, context)).now,
    differenceFromLast: async (parent: OfCompany, _: unknown, context: Context) => {
      const { before, now } = await lastTwo(parent, context)
      return { date: before.date, value: Math.round((now.value - before.value) * 10) / 10 }
    },
    points: ({ companyId }: OfCompany, { days }: OverallRiskScoreHistoryPointsArgs, context: Context) =>
      service.riskPoints(context, companyId, days ?? 30),
  },
} satisfies Resolvers
