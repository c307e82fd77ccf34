// The queries and mutations of the requirements pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Requirements = graphql(`
  query Requirements($scopeId: Int!, $filters: RequirementsFilterInput, $after: String) {
    requirements(scopeId: $scopeId, filters: $filters, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        label
        type
        project { id label }
        check { id state }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type RequirementRow = ResultOf<typeof Requirements>['requirements']['collection'][number]

export const RequirementMatrix = graphql(`
  query RequirementMatrix($scopeId: Int!, $filters: RequirementsFilterInput, $after: String) {
    requirements(scopeId: $scopeId, filters: $filters, pagination: { perPage: 25, after: $after }) {
      collection {
        id
        label
        check {
          id
          label
          capecId
          state
          openFindings
          openFindingsByWeakness { openFindings weakness { id name } }
        }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type MatrixRow = ResultOf<typeof RequirementMatrix>['requirements']['collection'][number]

export const OneRequirement = graphql(`
  query OneRequirement($companyId: ID!, $id: ID!) {
    requirement(companyId: $companyId, id: $id) {
      id
      label
      description
      type
      project { id label }
      check {
        id
        label
        capecId
        description
        state
        stateReason
        satisfiedAt
        openFindings
        importId
        scan { id integration }
        cwes { id name }
        waiver { reason until at by { name } }
        findings(pagination: { perPage: 5 }) { collection { id title severity cweIds } }
      }
    }
  }
`)

export type RequirementDetail = ResultOf<typeof OneRequirement>['requirement']
export type CheckDetail = RequirementDetail['check'][number]

export const CreateFromPatterns = graphql(`
  mutation CreateFromPatterns($input: CreateThreatModelingRequirementsInput!) {
    createThreatModelingRequirements(input: $input) { clientMutationId }
  }
`)

export const ImportModel = graphql(`
  mutation ImportModel($input: ImportThreatModelInput!) {
    importThreatModel(input: $input) {
      title
      format
      createdCount
      updatedCount
      unchangedCount
      leftOut { reason }
    }
  }
`)

export const ChangeRequirement = graphql(`
  mutation ChangeRequirement($input: RequirementInput!) {
    createOrUpdateRequirement(input: $input) { clientMutationId }
  }
`)

export const DeleteRequirement = graphql(`
  mutation DeleteRequirement($input: DeleteRequirementInput!) {
    deleteRequirement(input: $input) { clientMutationId }
  }
`)

export const Waive = graphql(`
  mutation Waive($input: WaiveCheckInput!) {
    waiveCheck(input: $input) { clientMutationId }
  }
`)

export const Unwaive = graphql(`
  mutation Unwaive($input: RevokeWaiverInput!) {
    revokeWaiver(input: $input) { clientMutationId }
  }
`)
