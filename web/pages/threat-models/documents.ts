// The queries and mutations of the threat models pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const ThreatModels = graphql(`
  query ThreatModels($companyId: ID!, $search: String, $after: String) {
    threatModelArtifacts(companyId: $companyId, search: $search, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        label
        updatedAt
        assignee { name }
        latestVersion { id version diagramType }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type ThreatModelRow = ResultOf<typeof ThreatModels>['threatModelArtifacts']['collection'][number]

export const OneThreatModel = graphql(`
  query OneThreatModel($id: ID!) {
    threatModelArtifact(id: $id) {
      id
      label
      description
      scopeText
      createdAt
      updatedAt
      assignee { name email }
      versions { id version createdAt diagramType notes author { name } sourceProject { id label } }
    }
  }
`)

export type ThreatModel = ResultOf<typeof OneThreatModel>['threatModelArtifact']

/** The content of one version, which is too large to be loaded with the list of versions. */
export const VersionContent = graphql(`
  query VersionContent($id: ID!, $version: Int!) {
    threatModelArtifact(id: $id) {
      id
      label
      version(number: $version) { id diagramType diagramContent architectureItems }
    }
  }
`)

export const VersionRequirements = graphql(`
  query VersionRequirements($id: ID!, $version: Int!) {
    threatModelArtifact(id: $id) {
      id
      version(number: $version) { id requirements { id label } }
    }
  }
`)

export const CreateThreatModel = graphql(`
  mutation CreateThreatModel($input: CreateThreatModelArtifactInput!) {
    createThreatModelArtifact(input: $input) { threatModelArtifact { id label } }
  }
`)

export const UpdateThreatModel = graphql(`
  mutation UpdateThreatModel($input: UpdateThreatModelArtifactInput!) {
    updateThreatModelArtifact(input: $input) { threatModelArtifact { id label } }
  }
`)

export const DeleteThreatModel = graphql(`
  mutation DeleteThreatModel($input: DeleteThreatModelArtifactInput!) {
    deleteThreatModelArtifact(input: $input) { clientMutationId }
  }
`)

export const AddVersion = graphql(`
  mutation AddVersion($input: CreateThreatModelArtifactVersionInput!) {
    createThreatModelArtifactVersion(input: $input) { version { id version } }
  }
`)
