// Samples of pulls from outside scanners, and of the decisions sent to them.

import type { Samples } from './types.ts'

export const pullSamples = {
  syncAsset: {
    select: 'controlSyncStatuses { id status asset { id } } isSourceAsked',
    ids: { 'input.assetId': 'asset' },
    refused: { code: 'FAILED_PRECONDITION', message: /scanner/ },
  },
  scannerDeliveries: {
    select: `collection { id issue { id } status reason riskAcceptedUntil state attempts nextAttemptAt request failure
      createdAt finishedAt } metadata { currentPage limitValue totalCount }`,
    ids: { integrationId: 'scannerB' },
  },
} satisfies Samples
