// Samples of reviews of deploys and their settings.

import type { Samples } from './types.ts'

const settings = 'deployReviewSettings { companyId assetId isOn }'

export const reviewSamples = {
  deployReviewSettings: { select: 'companyId assetId isOn', ids: { companyId: 'company' } },
  setDeployReview: {
    select: settings,
    variables: () => ({ input: { isOn: true } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetId': 'asset' },
  },
  'deploy: its sensitive changes': {
    document: 'query ($id: ID!) { deploy(id: $id) { sensitiveChanges { path area reason } } }',
    ids: { id: 'deploy' },
  },
  'deploy: its review': {
    document: `query ($id: ID!) { deploy(id: $id) { review { state reason files packages findings created
      unread { path area reason } controlSyncStatusId createdAt startedAt finishedAt } } }`,
    ids: { id: 'deploy' },
  },
} satisfies Samples
