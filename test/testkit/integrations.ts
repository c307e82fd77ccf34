// Creates integrations for tests: the mutations with everything that they select.

import { type Data, run } from './client.ts'

const save = (name: string, input: string, fields: string) =>
  `mutation ($input: ${input}!) { ${name}(input: $input) { clientMutationId integration { id ${fields} } } }`

export const SCANNER_A = save(
  'createOrUpdateScannerAIntegration',
  'CreateOrUpdateScannerAIntegrationInput',
  'accessKey createdAt hasCredential baseUrl',
)
export const SCANNER_B = save(
  'createOrUpdateScannerBIntegration',
  'CreateOrUpdateScannerBIntegrationInput',
  'baseUrl region hasCredential',
)
export const HOST_A = save(
  'createOrUpdateHostAIntegration',
  'CreateOrUpdateHostAIntegrationInput',
  'astBranchPattern astScansEnabled workspaceIds hasCredential',
)
export const HOST_B = save(
  'createOrUpdateHostBIntegration',
  'CreateHostBIntegrationInput',
  'astBranchPattern astScansEnabled instanceUrl groupIds hasCredential',
)
export const BOARDS = save(
  'createOrUpdateBoardsTrackerIntegration',
  'CreateOrUpdateBoardsTrackerIntegrationInput',
  'organizationName hasCredential',
)
export const TASKS = save(
  'createOrUpdateTaskTrackerIntegration',
  'CreateOrUpdateTaskTrackerIntegrationInput',
  'workspaceId hasCredential',
)
export const DELETE = 'mutation ($input: DeleteIntegrationInput!) { deleteIntegration(input: $input) { id } }'
export const INTEGRATION = `query ($id: ID!) { integration(id: $id) { __typename id integrationType hasCredential createdAt
  ... on ScannerAIntegration { accessKey baseUrl } ... on HostBIntegration { instanceUrl groupIds } } }`
export const INTEGRATIONS = `query ($companyId: ID!, $type: ToolTypeCategory, $pagination: PaginationInput) {
  integrations(companyId: $companyId, type: $type, pagination: $pagination) {
    collection { __typename id integrationType hasCredential createdAt ... on ScannerAIntegration { accessKey } }
    metadata { currentPage limitValue totalCount totalPages } } }`
export const AUDIT = `query ($companyId: ID!) { auditRecords(companyId: $companyId) {
  collection { operation object before after } } }`

type Fields = Record<string, unknown>

/** Saves an integration, and resolves to what the mutation selects of it. */
export const saved = async (key: string, mutation: string, input: Fields) => {
  const [payload] = Object.values(await run(key, mutation, { input })) as Data[]
  return payload.integration
}
