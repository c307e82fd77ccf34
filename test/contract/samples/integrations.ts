// Samples of integrations with outside tools.

import { BOARD, PROJECT, TEAM } from '../../testkit/boards-fake.ts'
import { LIST_ID } from '../../testkit/tasks-list.ts'
import type { Sample, Samples } from './types.ts'

const page = 'metadata { currentPage limitValue totalCount }'
const boards = 'project { id name } board { id name } team { id name }'

/** Identifies the one board that the fake tracker has. */
export const board = () => ({
  statusMappings: [
    { internalIssueStatus: 'CREATED', externalIssueStatus: 'New' },
    { internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'Active' },
  ],
  project: PROJECT,
  board: BOARD,
  team: TEAM,
})

/** A credential for each kind of integration, which contains the company's id. */
export function credentialsOf(companyId: string) {
  const token = `a-token-of-company-${companyId}`
  return {
    hostA: { accessToken: token },
    hostB: { personalToken: token },
    scannerA: { accessKey: 'an-access-key-of-a-scanner', secretKey: token },
    scannerB: { apiToken: token, region: 'US_1' },
    boards: { personalToken: token, organizationName: 'acme' },
    tasks: { personalToken: token, workspaceId: '7' },
  }
}

export type Credentials = ReturnType<typeof credentialsOf>

/** The company to which a credential belongs; null if it is none of these. */
export const companyOf = (credential: string): string | null =>
  /^a-token-of-company-(\d+)$/.exec(credential)?.[1] ?? null

const saved = (kind: keyof Credentials, select: string) =>
  ({
    select: `integration { id ${select} }`,
    variables: ({ companyId }) => ({ input: credentialsOf(companyId)[kind] }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.integrationId': kind },
  }) satisfies Sample

export const integrationSamples = {
  integrations: {
    select: `collection { id integrationType createdAt ... on ScannerAIntegration { accessKey } } ${page}`,
    ids: { companyId: 'company' },
  },
  integration: { select: 'id integrationType createdAt', ids: { id: 'integration' } },
  externalProjects: {
    select: `collection { id name branches } ${page}`,
    variables: async (subject) => {
      await subject.id('hostB')
      return { integrationType: 'HOST_B', pagination: {} }
    },
    ids: { companyId: 'company' },
    optional: { integrationId: 'hostB' },
  },
  hostAWorkspaces: {
    select: 'id uuid name',
    variables: () => ({ pagination: {} }),
    ids: { integrationId: 'hostA' },
  },
  hostBGroups: { select: 'id name', variables: () => ({ pagination: {} }), ids: { integrationId: 'hostB' } },
  boardsTrackerProjects: {
    select: 'id name',
    variables: async (subject) => {
      await subject.id('boards')
      return { filters: { organizationName: 'acme' } }
    },
    ids: { 'filters.companyId': 'company' },
    optional: { integrationId: 'boards' },
  },
  taskTrackerStatuses: {
    select: 'id status color',
    variables: async (subject) => {
      await subject.id('tasks')
      return { listId: LIST_ID }
    },
    ids: { companyId: 'company' },
    optional: { integrationId: 'tasks' },
  },
  defectTrackerConfigurations: {
    select: `collection { id asset { id } boardsTrackerDetail { ${boards} } } ${page}`,
    ids: { companyId: 'company' },
  },
  createOrUpdateHostAIntegration: saved('hostA', 'astBranchPattern astScansEnabled'),
  createOrUpdateHostBIntegration: saved('hostB', 'astBranchPattern astScansEnabled'),
  createOrUpdateScannerAIntegration: saved('scannerA', 'accessKey createdAt'),
  createOrUpdateScannerBIntegration: saved('scannerB', 'baseUrl region'),
  createOrUpdateBoardsTrackerIntegration: saved('boards', 'organizationName'),
  createOrUpdateTaskTrackerIntegration: saved('tasks', 'workspaceId'),
  authorizationTypes: {
    document: 'query ($companyId: ID!) { authorizationTypes(companyId: $companyId) }',
    ids: { companyId: 'company' },
  },
  startAuthorization: {
    select: 'url state expiresAt',
    variables: () => ({ input: { type: 'HOST_B' } }),
    ids: { 'input.companyId': 'company' },
    refused: { code: 'FAILED_PRECONDITION', message: /OAuth client/ },
  },
  testIntegration: {
    select: 'isAccepted sentence integration { id health { lastSuccessAt lastFailure remainingRequests } }',
    ids: { 'input.id': 'integration' },
  },
  deleteIntegration: { select: 'id', ids: { 'input.id': 'integration' }, consumes: ['input.id'] },
  createBoardsTrackerConfiguration: {
    select: `defectTrackerConfiguration { id asset { id } boardsTrackerDetail { ${boards} } }`,
    variables: () => ({ input: board() }),
    ids: { 'input.scopeIntegrationId': 'boards', 'input.assetId': 'asset' },
    consumes: ['input.assetId'],
  },
  updateDefectTrackerConfiguration: {
    select: 'id',
    variables: () => ({
      input: { statusMappings: [{ internalIssueStatus: 'IDENTIFIED', externalIssueStatus: 'New' }] },
    }),
    ids: { 'input.id': 'boardsConfiguration' },
  },
  deleteDefectTrackerConfiguration: {
    select: 'id',
    ids: { 'input.id': 'boardsConfiguration' },
    consumes: ['input.id'],
  },
} satisfies Samples
