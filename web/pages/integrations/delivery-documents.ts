// The queries and mutations for exchanges with trackers, decisions sent to scanners, and retries of both.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const SyncLog = graphql(`
  query SyncLog($companyId: ID!, $outcomes: [SyncOutcome!], $after: String) {
    syncDeliveries(companyId: $companyId, outcomes: $outcomes, pagination: { perPage: 50, after: $after }) {
      collection { id action outcome request answer reason issueId issue { id title } at duration integration { id integrationType } }
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

export const Scanners = graphql(`
  query Scanners($companyId: ID!) {
    integrations(companyId: $companyId, type: SCANNER_B, pagination: { perPage: 200 }) {
      collection { __typename id ... on ScannerBIntegration { region baseUrl } }
      metadata { totalCount }
    }
  }
`)

export const ToldScanner = graphql(`
  query ToldScanner($integrationId: ID!, $after: String) {
    scannerDeliveries(integrationId: $integrationId, pagination: { perPage: 50, after: $after }) {
      collection { id issue { id title } status state attempts reason request failure nextAttemptAt createdAt finishedAt }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type ToldRow = ResultOf<typeof ToldScanner>['scannerDeliveries']['collection'][number]
