// What the pages of integrations ask and change.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Integrations = graphql(`
  query Integrations($companyId: ID!) {
    integrations(companyId: $companyId, pagination: { perPage: 50 }) {
      collection {
        __typename
        id
        integrationType
        hasCredential
        brokenSince
        updatedAt
        ... on HostAIntegration { astScansEnabled astBranchPattern workspaceIds }
        ... on HostBIntegration { astScansEnabled astBranchPattern groupIds instanceUrl }
        ... on ScannerAIntegration { baseUrl accessKey }
        ... on ScannerBIntegration { region baseUrl }
        ... on BoardsTrackerIntegration { organizationName }
        ... on TaskTrackerIntegration { workspaceId }
      }
    }
    defectTrackerConfigurations(companyId: $companyId, pagination: { perPage: 50 }) {
      collection {
        id
        asset { id name }
        integration { id }
        boardsTrackerDetail {
          project { name }
          board { name }
          statusMappings { internalIssueStatus externalIssueStatus }
        }
      }
    }
    taskTrackerConfigurations(companyId: $companyId, pagination: { perPage: 50 }) {
      collection {
        id
        asset { id name }
        integration { id }
        list { name }
        statusMappings { internalIssueStatus externalIssueStatus }
      }
    }
  }
`)

export type IntegrationsAnswer = ResultOf<typeof Integrations>
export type Integration = IntegrationsAnswer['integrations']['collection'][number]

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
    }
  }
`)

export const Associate = graphql(`
  mutation Associate($input: AssociateProjectInput!) {
    associateProject(input: $input) { clientMutationId }
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
    createTaskTrackerConfiguration(input: $input) { clientMutationId }
  }
`)

export const Preview = graphql(`
  query Preview($id: ID!) {
    previewSync(configurationId: $id) {
      isCut
      steps { action from to reason issue { id title } }
    }
  }
`)

export const SyncLog = graphql(`
  query SyncLog($companyId: ID!, $after: String) {
    syncDeliveries(companyId: $companyId, pagination: { perPage: 50, after: $after }) {
      collection { id action outcome request answer reason issueId at duration integration { id integrationType } }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type SyncRow = ResultOf<typeof SyncLog>['syncDeliveries']['collection'][number]

export const ReplaySync = graphql(`
  mutation ReplaySyncHere($input: ReplaySyncInput!) {
    replaySync(input: $input) { count }
  }
`)
