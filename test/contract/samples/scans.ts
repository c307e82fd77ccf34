// Samples of scans: the runs that clients drive, and the dynamic scanner.

import { inlineFile, type Samples } from './types.ts'

const run = 'controlSyncStatus { id status asset { id } } success'
const configuration = 'scannerConfiguration { id apiFormat apiSchemaSourceFile }'

export const scanSamples = {
  controlSyncStatus: { select: 'id status asset { id }', ids: { id: 'scan' } },
  scanHistories: {
    variables: () => ({ pagination: {} }),
    ids: { companyId: 'company' },
    optional: { 'assetIds.0': 'asset' },
  },
  createControlSyncStatus: {
    select: run,
    variables: () => ({ input: { integration: 'PLATFORM_AST', externalVulnerabilityCount: 0 } }),
    ids: { 'input.assetId': 'asset' },
  },
  updateControlSyncStatus: {
    select: run,
    variables: () => ({ input: { externalVulnerabilityCount: 9 } }),
    ids: { 'input.id': 'scan' },
    consumes: ['input.id'],
  },
  increaseIssueScanCount: {
    select: run,
    variables: () => ({ input: { successCount: 1 } }),
    ids: { 'input.controlSyncStatusId': 'scan' },
    optional: { 'input.assetId': 'asset' },
    consumes: ['input.controlSyncStatusId'],
  },
  cancelScan: { select: run, ids: { 'input.id': 'scan' }, consumes: ['input.id'] },
  deleteControlSyncStatus: { select: 'id success', ids: { 'input.id': 'scan' }, consumes: ['input.id'] },
  scannerConfiguration: { select: 'id apiFormat apiSchemaSourceFile', ids: { assetId: 'scannerConfiguration' } },
  createOrUpdateScannerConfiguration: {
    select: configuration,
    variables: () => ({
      input: {
        targetUrl: 'https://shop.example.test/',
        apiFormat: 'OPENAPI',
        apiSchemaSourceFile: inlineFile('{"openapi":"3.1.0"}', 'openapi.json', 'application/json'),
      },
    }),
    ids: { 'input.assetId': 'asset' },
    optional: { 'input.secretIds.0': 'secret', 'input.secondSecretIds.0': 'secret' },
  },
  deleteScannerConfiguration: {
    select: 'id',
    ids: { 'input.assetId': 'scannerConfiguration' },
    consumes: ['input.assetId'],
  },
  startPlatformDast: {
    select: `controlSyncStatus { id status asset { id name } } ${configuration}`,
    ids: { 'input.assetId': 'scannerConfiguration' },
    consumes: ['input.assetId'],
  },
  verifyScanTarget: {
    select: 'target { host isAllowed }',
    ids: { 'input.assetId': 'scannerConfiguration' },
    refused: { code: 'FAILED_PRECONDITION', message: /token/ },
  },
  allowScanTarget: {
    select: 'target { host isAllowed verifiedBy }',
    ids: { 'input.assetId': 'scannerConfiguration' },
    refused: { code: 'FORBIDDEN', message: /administrator/i },
  },
  astErrors: {
    select: 'collection { id asset { id } log portalUser { id } createdAt } metadata { totalCount }',
    ids: { companyId: 'company' },
    optional: { assetId: 'asset' },
  },
  logAstError: {
    select: 'success',
    variables: () => ({ input: { log: 'It went down' } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetId': 'asset' },
  },
} satisfies Samples
