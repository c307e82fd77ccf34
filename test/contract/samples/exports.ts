// Samples of exports: findings on their way out.

import type { Samples } from './types.ts'

export const exportSamples = {
  exportFindings: {
    select: 'export { id format state url filename mediaType findingsCount createdBy { id } createdAt expiresAt }',
    variables: () => ({ input: { format: 'NDJSON', filters: { statuses: ['CREATED'] } } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetIds.0': 'asset' },
    filters: {
      'input.filters.ids.0': 'issue',
      'input.filters.assetIds.0': 'asset',
      'input.filters.projectIds.0': 'project',
      'input.filters.deployIds.0': 'deploy',
      'input.filters.controlSyncStatusIds.0': 'scan',
      'input.filters.assigneeEmails.0': 'email',
    },
    reads: true,
  },
} satisfies Samples
