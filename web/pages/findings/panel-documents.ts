// The queries and mutations of the finding's panel.

import { graphql, type ResultOf } from '../../api/graphql.ts'

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
      assignedUsers { name email }
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
        controlSyncStatusId
        deployId
      }
      ... on FindingInterface { toolName rule }
      ... on SastFinding { detail { ...Code } }
      ... on IacFinding { detail { ...Code } }
      ... on SecretFinding { detail { ...Code } }
      ... on SourceCodeVulnerability { detail { ...Code } }
      ... on DastFinding { http: detail { url method request response proof { from to isInRequest } } }
      ... on WebVulnerability { http: detail { url method request response proof { from to isInRequest } } }
    }
  }
`,
  [Code],
)

export type FindingDetail = ResultOf<typeof Finding>['issue']
