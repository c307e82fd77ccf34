// The queries and mutations of the deploys pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Deploys = graphql(`
  query Deploys($companyId: ID!, $assetIds: [ID!], $decisions: [GateDecision!], $after: String) {
    deploys(
      companyId: $companyId
      assetIds: $assetIds
      decisions: $decisions
      pagination: { perPage: 25, after: $after }
    ) {
      collection {
        id
        status
        branchName
        currentCommit
        createdAt
        files
        added
        removed
        asset { id name }
        gate { decision isJudged sentence }
        lineage
        isCarried
        findings { moved renamed touched removed }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type DeployRow = ResultOf<typeof Deploys>['deploys']['collection'][number]

export const OneDeploy = graphql(`
  query OneDeploy($id: ID!) {
    deploy(id: $id) {
      id
      status
      permittedStatus
      branchName
      previousCommit
      currentCommit
      diffState
      diffReason
      diffPath
      createdAt
      authoredAt
      createdBy { name }
      files
      added
      removed
      lineage
      isCarried
      asset { id name }
      languages { name files added removed }
      commits(limit: 5) { id message author authoredAt }
      findings { moved renamed touched removed }
      gate {
        decision
        isJudged
        sentence
        policy { scope }
        reasons { rule decision sentence count }
      }
      review {
        state
        reason
        files
        packages
        findings
        created
        controlSyncStatusId
        unread { area path reason }
      }
      sensitiveChanges { area path reason }
    }
  }
`)

export type DeployDetail = ResultOf<typeof OneDeploy>['deploy']

const FoundFindings = graphql(`
  fragment FoundFindings on IssueCollection {
    collection { id title severity occurrences { path line } }
    metadata { endCursor totalCount totalCountIsExact }
  }
`)

export const IntroducedFindings = graphql(
  `
  query IntroducedFindings($id: ID!, $after: String) {
    deploy(id: $id) {
      found: introduced(pagination: { perPage: 50, after: $after }) {
        ...FoundFindings
      }
    }
  }
`,
  [FoundFindings],
)

export const TouchedFindings = graphql(
  `
  query TouchedFindings($id: ID!, $after: String) {
    deploy(id: $id) {
      found: touched(pagination: { perPage: 50, after: $after }) {
        ...FoundFindings
      }
    }
  }
`,
  [FoundFindings],
)

export const FixedFindings = graphql(
  `
  query FixedFindings($id: ID!, $after: String) {
    deploy(id: $id) {
      found: fixed(pagination: { perPage: 50, after: $after }) {
        ...FoundFindings
      }
    }
  }
`,
  [FoundFindings],
)

export const DeployChanges = graphql(`
  query DeployChanges($id: ID!, $after: String) {
    deploy(id: $id) {
      changes(findingsFirst: true, pagination: { perPage: 10, after: $after }) {
        collection {
          oldPath
          newPath
          kind
          binary
          added
          removed
          language
          findings { moved renamed touched removed }
          placedFindings { kind isFixed oldLine newLine issue { id title severity } }
          diff { text isCut }
        }
        metadata { endCursor totalCount totalCountIsExact }
      }
    }
  }
`)

export type DeployFile = ResultOf<typeof DeployChanges>['deploy']['changes']['collection'][number]

export type PlacedFinding = DeployFile['placedFindings'][number]

export const ReviewDeploy = graphql(`
  mutation ReviewDeploy($input: UpdateDeployStatusInput!) {
    updateDeployStatus(input: $input) { deploy { id status permittedStatus } }
  }
`)

export const DeleteDeploy = graphql(`
  mutation DeleteDeploy($input: DeleteDeployInput!) {
    deleteDeploy(input: $input) { clientMutationId }
  }
`)
