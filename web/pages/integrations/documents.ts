// The queries and mutations of the integrations pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Integrations = graphql(`
  query Integrations($companyId: ID!, $after: String) {
    integrations(companyId: $companyId, pagination: { perPage: 100, after: $after }) {
      collection {
        __typename
        id
        integrationType
        hasCredential
        brokenSince
        health { lastSuccessAt lastFailureAt lastFailure credentialExpiresAt remainingRequests }
        ... on HostAIntegration { astScansEnabled astBranchPattern workspaceIds }
        ... on HostBIntegration { astScansEnabled astBranchPattern groupIds instanceUrl }
        ... on ScannerAIntegration { baseUrl accessKey }
        ... on ScannerBIntegration { region baseUrl }
        ... on BoardsTrackerIntegration { organizationName }
        ... on TaskTrackerIntegration { workspaceId }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type Integration = ResultOf<typeof Integrations>['integrations']['collection'][number]

export const MappedBoards = graphql(`
  query MappedBoards($companyId: ID!, $after: String) {
    defectTrackerConfigurations(companyId: $companyId, pagination: { perPage: 100, after: $after }) {
      collection {
        id
        asset { id name }
        integration { id }
        boardsTrackerDetail {
          project { id name }
          team { id }
          board { id name }
          statusMappings { internalIssueStatus externalIssueStatus alsoExternalIssueStatuses }
        }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type MappedBoard = ResultOf<typeof MappedBoards>['defectTrackerConfigurations']['collection'][number]

export const MappedLists = graphql(`
  query MappedLists($companyId: ID!, $after: String) {
    taskTrackerConfigurations(companyId: $companyId, pagination: { perPage: 100, after: $after }) {
      collection {
        id
        asset { id name }
        integration { id }
        list { id name }
        statusMappings { internalIssueStatus externalIssueStatus alsoExternalIssueStatuses }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type MappedList = ResultOf<typeof MappedLists>['taskTrackerConfigurations']['collection'][number]

export const SaveHostA = graphql(`
  mutation SaveHostA($input: CreateOrUpdateHostAIntegrationInput!) {
    createOrUpdateHostAIntegration(input: $input) { integration { id } }
  }
`)

export const SaveHostB = graphql(`
  mutation SaveHostB($input: CreateHostBIntegrationInput!) {
    createOrUpdateHostBIntegration(input: $input) { integration { id } }
  }
`)

export const SaveScannerA = graphql(`
  mutation SaveScannerA($input: CreateOrUpdateScannerAIntegrationInput!) {
    createOrUpdateScannerAIntegration(input: $input) { integration { id } }
  }
`)

export const SaveScannerB = graphql(`
  mutation SaveScannerB($input: CreateOrUpdateScannerBIntegrationInput!) {
    createOrUpdateScannerBIntegration(input: $input) { integration { id } }
  }
`)

export const SaveBoardsTracker = graphql(`
  mutation SaveBoardsTracker($input: CreateOrUpdateBoardsTrackerIntegrationInput!) {
    createOrUpdateBoardsTrackerIntegration(input: $input) { integration { id } }
  }
`)

export const SaveTaskTracker = graphql(`
  mutation SaveTaskTracker($input: CreateOrUpdateTaskTrackerIntegrationInput!) {
    createOrUpdateTaskTrackerIntegration(input: $input) { integration { id } }
  }
`)

export const ConsentTypes = graphql(`
  query ConsentTypes($companyId: ID!) {
    authorizationTypes(companyId: $companyId)
  }
`)

export const StartConsent = graphql(`
  mutation StartConsent($input: StartAuthorizationInput!) {
    startAuthorization(input: $input) { url state }
  }
`)

export const Disconnect = graphql(`
  mutation Disconnect($input: DeleteIntegrationInput!) {
    deleteIntegration(input: $input) { clientMutationId }
  }
`)

export const ExternalProjects = graphql(`
  query ExternalProjects($companyId: ID!, $type: ToolTypeCategory!, $integrationId: ID, $name: String) {
    externalProjects(
      companyId: $companyId
      integrationType: $type
      integrationId: $integrationId
      filterName: $name
      pagination: { perPage: 25 }
    ) {
      collection { id name }
      metadata { totalCount totalCountIsExact }
    }
  }
`)

export const Associate = graphql(`
  mutation Associate($input: AssociateProjectInput!) {
    associateProject(input: $input) { webhook { events secret token url } }
  }
`)

export const TrackerProjects = graphql(`
  query TrackerProjects($companyId: ID!, $integrationId: ID!) {
    boardsTrackerProjects(filters: { companyId: $companyId }, integrationId: $integrationId) { id name }
  }
`)

export const TrackerTeams = graphql(`
  query TrackerTeams($companyId: ID!, $integrationId: ID!, $project: ID!) {
    boardsTrackerTeams(companyId: $companyId, integrationId: $integrationId, trackerProjectId: $project) { id name }
  }
`)

export const TrackerBoards = graphql(`
  query TrackerBoards($companyId: ID!, $integrationId: ID!, $project: ID!, $team: ID!) {
    boardsTrackerBoards(
      companyId: $companyId
      integrationId: $integrationId
      trackerProjectId: $project
      trackerTeamId: $team
    ) {
      id
      name
    }
  }
`)

export const TrackerStates = graphql(`
  query TrackerStates($companyId: ID!, $integrationId: ID!, $project: ID!, $team: ID!, $board: ID!) {
    boardsTrackerStates(
      companyId: $companyId
      integrationId: $integrationId
      trackerProjectId: $project
      trackerTeamId: $team
      trackerBoardId: $board
    ) {
      name
    }
  }
`)

export const ListStatuses = graphql(`
  query ListStatuses($companyId: ID!, $integrationId: ID!, $listId: ID!) {
    taskTrackerStatuses(companyId: $companyId, integrationId: $integrationId, listId: $listId) { id status }
  }
`)

export const MapBoard = graphql(`
  mutation MapBoard($input: CreateBoardsTrackerConfigurationInput!) {
    createBoardsTrackerConfiguration(input: $input) { defectTrackerConfiguration { id } }
  }
`)

export const MapList = graphql(`
  mutation MapList($input: CreateTaskTrackerConfigurationInput!) {
    createTaskTrackerConfiguration(input: $input) { taskTrackerConfiguration { id } }
  }
`)

export const MakeTrackerCall = graphql(`
  mutation MakeTrackerCall($input: CreateTrackerWebhookInput!) {
    createTrackerWebhook(input: $input) { isMade webhook { events password url userName } }
  }
`)

export const SyncNow = graphql(`
  mutation SyncNow($input: SyncTrackerInput!) {
    syncTracker(input: $input) { success }
  }
`)

export const Test = graphql(`
  mutation TestIntegrationHere($input: TestIntegrationInput!) {
    testIntegration(input: $input) {
      isAccepted
      sentence
      integration {
        id
        brokenSince
        health { lastSuccessAt lastFailureAt lastFailure credentialExpiresAt remainingRequests }
      }
    }
  }
`)

export const Remap = graphql(`
  mutation Remap($input: UpdateDefectTrackerConfigurationInput!) {
    updateDefectTrackerConfiguration(input: $input) { id }
  }
`)

export const Unmap = graphql(`
  mutation Unmap($input: DeleteDefectTrackerConfigurationInput!) {
    deleteDefectTrackerConfiguration(input: $input) { id }
  }
`)

export const Preview = graphql(`
  query Preview($id: ID!, $statusMappings: [DefectTrackerStatusMappingInput!]) {
    previewSync(configurationId: $id, statusMappings: $statusMappings) {
      isCut
      steps { action from to reason issue { id title } }
    }
  }
`)
