// The queries and mutations of the decision dialogs.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Decided = graphql(`
  query Decided($companyId: ID!, $ids: [ID!]!, $perPage: Int!) {
    issues(companyId: $companyId, filters: { ids: $ids }, pagination: { perPage: $perPage }) {
      collection { id status permittedStatus }
    }
  }
`)

export type Standing = ResultOf<typeof Decided>['issues']['collection'][number]

export const DecideOne = graphql(`
  mutation DecideOne($input: ChangeIssueStatusInput!) {
    changeIssueStatus(input: $input) {
      issue { id status permittedStatus }
    }
  }
`)

export const DecideMany = graphql(`
  mutation DecideMany($input: BulkChangeIssueStatusInput!) {
    bulkChangeIssueStatus(input: $input) { clientMutationId }
  }
`)

export const Matching = graphql(`
  query Matching($companyId: ID!, $filters: IssuesFiltersInput) {
    issuesStats(companyId: $companyId, filters: $filters) {
      total
      statuses { value count permittedStatus }
    }
  }
`)

export type Matched = ResultOf<typeof Matching>['issuesStats']

export const DecideAll = graphql(`
  mutation DecideAll($input: DecideOnIssuesInput!) {
    decideOnIssues(input: $input) { issueDecision { id } }
  }
`)

export const HowFar = graphql(`
  query HowFar($id: ID!) {
    issueDecision(id: $id) {
      state
      status
      total
      done
      unchanged
      failure
      refusals { from count }
    }
  }
`)

export type Decision = ResultOf<typeof HowFar>['issueDecision']
