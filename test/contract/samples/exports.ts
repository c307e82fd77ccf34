// Samples of exports: findings on their way out.

import type { Samples } from './types.ts'

export const exportSamples = {
  exportFindings: {
    select: 'export { id format state url filename mediaType findingsCount createdBy { id } createdAt expiresAt }',
    variables: () => ({ input: { format: 'NDJSON', filters: { statuses: ['CREATED'] } } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetIds.0': 'asset' },
    reads: true,
  },
} satisfies Samples
