// What the pages of findings ask and change.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Findings = graphql(`
  query Findings($companyId: ID!, $filters: IssuesFiltersInput, $sort: [IssueSortOptionInput!], $after: String) {
    issues(companyId: $companyId, filters: $filters, sortOptions: $sort, pagination: { perPage: 100, after: $after }) {
      collection {
        id
        title
        type
        severity
        status
        createdAt
        asset { id name }
        sla { state dueAt }
        occurrences { path line branchName }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type FindingRow = ResultOf<typeof Findings>['issues']['collection'][number]

const Code = graphql(`
  fragment Code on CodeDetail {
    fileName
    vulnerableLine
    firstLine
    codeSnippet
    commitRef
    flow { path line text }
  }
`)

export type CodeOf = ResultOf<typeof Code>

export const Finding = graphql(
  `
  query Finding($id: ID!) {
    issue(id: $id) {
      id
      title
      type
      description
      severity
      status
      permittedStatus
      statusReason
      riskAcceptedUntil
      solution
      reference
      cweIds
      cvssScore
      createdAt
      asset { id name repoUrl }
      priority { score sentence }
      sla { state dueAt daysRemaining }
      assignedUsers { name }
      occurrences { branchName path line commit disposition isOpen firstSeenAt lastSeenAt }
      places { branchName path line commit disposition at }
      history {
        eventId
        at
        action
        kind
        authorEmail
        assigneeEmail
        previousStatus
        status
        reason
      }
      ... on FindingInterface { toolName rule }
      ... on SastFinding { detail { ...Code } }
      ... on IacFinding { detail { ...Code } }
      ... on SecretFinding { detail { ...Code } }
      ... on SourceCodeVulnerability { detail { ...Code } }
      ... on DastFinding { http: detail { url method request response } }
      ... on WebVulnerability { http: detail { url method request response } }
    }
  }
`,
  [Code],
)

export type FindingDetail = ResultOf<typeof Finding>['issue']

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
