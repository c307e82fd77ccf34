// Samples of the links between assets and projects of outside tools.

import type { Samples } from './types.ts'

const shown = `id externalProjectId name isSource watch lookedAt lastDeliveryAt failure createdAt asset { id } integration { id }`

export const sourceSamples = {
  associatedProjects: {
    select: `collection { ${shown} } metadata { currentPage limitValue totalCount }`,
    ids: { companyId: 'company' },
    filters: { assetId: 'asset', integrationId: 'scannerB' },
  },
  associateProject: {
    select: `associatedProject { ${shown} } webhook { url secret token events }`,
    variables: () => ({
      input: {
        externalProjectId: 'a3952187-0d8e-45d8-9aa2-036642857b5b/a3952187-0d8e-45d8-9aa2-036642857b5c',
        name: 'A project',
      },
    }),
    ids: { 'input.assetId': 'asset', 'input.integrationId': 'scannerB' },
    consumes: ['input.assetId'],
  },
  dissociateProject: { select: 'id', ids: { 'input.id': 'association' }, consumes: ['input.id'] },
} satisfies Samples
