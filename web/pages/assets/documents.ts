// The queries and mutations of the assets pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Assets = graphql(`
  query Assets($companyId: ID!, $search: AssetsSearch, $after: String) {
    assets(companyId: $companyId, search: $search, limit: 100, after: $after) {
      collection {
        id
        name
        assetType
        lifeCycle
        repoUrl
        updatedAt
        riskScore { current { value points } }
        pendingVulnerabilitiesStats { value count }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type AssetRow = ResultOf<typeof Assets>['assets']['collection'][number]

export const OneAsset = graphql(`
  query OneAsset($id: ID!) {
    asset(id: $id) {
      id
      name
      description
      assetType
      lifeCycle
      businessImpact
      exploitability
      threat
      dataClassification
      environmentList
      repoUrl
      url
      technologies
      tags { name }
      integrations
      createdAt
      updatedAt
      riskScore { current { value points } }
      pendingVulnerabilitiesStats { value count }
    }
  }
`)

export const DeleteAsset = graphql(`
  mutation DeleteAsset($input: DeleteAssetInput!) {
    deleteAsset(input: $input) { clientMutationId }
  }
`)

export const SyncAsset = graphql(`
  mutation SyncAsset($input: SyncAssetInput!) {
    syncAsset(input: $input) { isSourceAsked controlSyncStatuses { id } }
  }
`)

export type AssetDetail = ResultOf<typeof OneAsset>['asset']

export const CreateAsset = graphql(`
  mutation CreateAssetHere($input: CreateAssetInput!) {
    createAsset(input: $input) { asset { id name } }
  }
`)

export const UpdateAsset = graphql(`
  mutation UpdateAssetHere($input: UpdateAssetInput!) {
    updateAsset(input: $input) { asset { id name description url repoUrl assetType lifeCycle businessImpact exploitability } }
  }
`)

export const AssetImports = graphql(`
  query AssetImports($companyId: ID!, $assetIds: [ID!], $after: String) {
    imports(companyId: $companyId, assetIds: $assetIds, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        status
        fileName
        format
        branchName
        createdAt
        progress
        result { read created updated unchanged reopened merged closed leftOut components }
        failure { message }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type ImportRow = ResultOf<typeof AssetImports>['imports']['collection'][number]

export const RecentDeploys = graphql(`
  query RecentDeploys($companyId: ID!, $assetIds: [ID!]) {
    deploys(companyId: $companyId, assetIds: $assetIds, pagination: { perPage: 20 }) {
      collection { id branchName currentCommit createdAt }
    }
  }
`)

export const ImportReport = graphql(`
  mutation ImportReport($input: ImportFindingsInput!) {
    importFindings(input: $input) { import { id status fileName } }
  }
`)

/** The answer is JSON with an importId. */
export const ImportBill = graphql(`
  mutation ImportBill($input: ImportSbomInput!) {
    importSbom(input: $input)
  }
`)

export const OneImport = graphql(`
  query OneImport($id: ID!) {
    import(id: $id) {
      id
      status
      asset { id name }
      format
      fileName
      fileSize
      branchName
      commitRef
      progress
      createdAt
      finishedAt
      unclosedReason
      incompleteReason
      failure { code message }
      result { read created updated unchanged reopened merged closed leftOut components }
    }
  }
`)

export const ImportRows = graphql(`
  query ImportRows($id: ID!, $disposition: ImportRowDisposition, $after: String) {
    import(id: $id) {
      rows(disposition: $disposition, pagination: { perPage: 100, after: $after }) {
        collection { at disposition matchedBy reason issue { id title severity } }
        metadata { endCursor totalCount totalCountIsExact }
      }
    }
  }
`)

export type ReportRow = ResultOf<typeof ImportRows>['import']['rows']['collection'][number]

export const AssetParts = graphql(`
  query AssetParts($companyId: ID!, $search: SbomComponentSearchInput, $after: String) {
    sbomComponents(companyId: $companyId, search: $search, limit: 100, after: $after) {
      collection { id name version packageManager license issuesBySeverity }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type PartRow = ResultOf<typeof AssetParts>['sbomComponents']['collection'][number]
