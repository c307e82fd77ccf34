// The queries and mutations of the scans pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Scans = graphql(`
  query Scans($companyId: ID!, $assetIds: [ID!], $filters: ScansHistoriesFiltersInput, $after: String) {
    scanHistories(companyId: $companyId, assetIds: $assetIds, filters: $filters, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        status
        integration
        asset { id name }
        externalVulnerabilityCount
        successCount
        failureCount
        failureReason
        createdAt
        durationInSeconds
        createdVulnerabilityCount
        closedVulnerabilityCount
        importedVulnerabilityCount
        dynamicScan { phase done of requests ending findings { value count } }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type ScanRow = ResultOf<typeof Scans>['scanHistories']['collection'][number]

export const CancelScan = graphql(`
  mutation CancelScan($input: CancelScanInput!) {
    cancelScan(input: $input) { controlSyncStatus { id status } }
  }
`)

export const Configuration = graphql(`
  query Configuration($assetId: ID!) {
    scannerConfiguration(assetId: $assetId) {
      id
      targetUrl
      apiFormat
      apiSchemaSourceFile
      scanProfile
      secretIds
      secondSecretIds
      apiSchemaUrl
      includePaths
      excludePaths
      requestsPerSecond
      maxRequests
      maxMinutes
      schedule
      allowDestructive
      updatedAt
      target { host token filePath dnsName isAllowed verifiedBy verifiedAt }
    }
  }
`)

export type ConfigurationAnswer = ResultOf<typeof Configuration>

export const SaveConfiguration = graphql(`
  mutation SaveConfiguration($input: CreateOrUpdateScannerConfigurationInput!) {
    createOrUpdateScannerConfiguration(input: $input) {
      scannerConfiguration { id targetUrl apiFormat apiSchemaSourceFile scanProfile secretIds }
    }
  }
`)

export const StartScan = graphql(`
  mutation StartScan($input: StartPlatformDastInput!) {
    startPlatformDast(input: $input) { controlSyncStatus { id status } }
  }
`)

export const VerifyTarget = graphql(`
  mutation VerifyTarget($input: VerifyScanTargetInput!) {
    verifyScanTarget(input: $input) { target { isAllowed } }
  }
`)

export const AllowTarget = graphql(`
  mutation AllowTarget($input: AllowScanTargetInput!) {
    allowScanTarget(input: $input) { target { isAllowed } }
  }
`)

export const DeleteConfiguration = graphql(`
  mutation DeleteConfiguration($input: DeleteScannerConfigurationInput!) {
    deleteScannerConfiguration(input: $input) { id }
  }
`)
