// The queries of the overview: figures and tasks in one, and the trends in another, which takes longer where there is much history.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Overview = graphql(`
  query Overview(
    $companyId: ID!
    $open: IssuesFiltersInput
    $fresh: IssuesFiltersInput
    $week: ScansHistoriesFiltersInput
  ) {
    open: issuesStats(companyId: $companyId, filters: $open) {
      total
      knownExploited
      severities { value count }
      slaStates { value count }
    }
    fresh: issuesStats(companyId: $companyId, filters: $fresh) {
      total
      severities { value count }
    }
    assets(companyId: $companyId, limit: 6, search: { sortBy: risk_score, order: DESC }) {
      collection { id name riskScore { current { value points } } pendingVulnerabilitiesStats { value count } }
    }
    deploys(companyId: $companyId, pagination: { perPage: 8 }) {
      collection {
        id
        status
        branchName
        currentCommit
        lineage
        createdAt
        asset { id name }
        gate { decision isJudged sentence }
      }
    }
    blocked: deploys(companyId: $companyId, decisions: [BLOCK], pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
    scanHistories(companyId: $companyId, filters: $week, pagination: { perPage: 5 }) {
      collection { id status asset { id name } failureReason createdAt }
      metadata { totalCount }
    }
    running: scanHistories(companyId: $companyId, filters: { statuses: [RUNNING, PENDING] }, pagination: { perPage: 5 }) {
      collection { id status asset { id name } createdAt }
      metadata { totalCount }
    }
    integrations(companyId: $companyId, pagination: { perPage: 120 }) {
      collection { id integrationType brokenSince }
      metadata { totalCount }
    }
    due: issues(
      companyId: $companyId
      filters: { slaStates: [BREACHED, APPROACHING], statuses: [CREATED, IDENTIFIED, IN_PROGRESS, AWAITING_VALIDATION] }
      sortOptions: [{ field: SLA_DUE_AT, order: ASC }]
      pagination: { perPage: 6 }
    ) {
      collection { id title severity asset { name } sla { state dueAt } }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

export type OverviewAnswer = ResultOf<typeof Overview>

export const Trends = graphql(`
  query Trends($companyId: ID!, $from: ISO8601DateTime, $lately: ISO8601DateTime) {
    issuesTrend(companyId: $companyId, from: $from, interval: DAY) {
      start
      end
      open { all critical high medium low notification }
      opened { all }
      closed { all }
    }
    troubleTrend(companyId: $companyId, from: $lately, interval: DAY) {
      start
      blockedDeploys
      failedScans
      breachedIssues
    }
  }
`)

export type TrendsAnswer = ResultOf<typeof Trends>
