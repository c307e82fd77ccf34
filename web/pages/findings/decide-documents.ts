// What the dialog asks of the findings to be decided on, and how it changes them.

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
