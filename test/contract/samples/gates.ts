// Samples of gates, their policies and branches.

import type { Samples } from './types.ts'

const policy = 'scope companyId asset { id } rules { sentence limit } updatedAt updatedBy { id }'

export const gateSamples = {
  gatePolicy: { select: policy, ids: { companyId: 'company' }, optional: { assetId: 'asset' } },
  setGatePolicy: {
    select: `gatePolicy { ${policy} }`,
    variables: () => ({
      input: { rules: [{ subject: 'INTRODUCED', minimumSeverity: 'HIGH', limit: 0, decision: 'BLOCK' }] },
    }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetId': 'asset' },
  },
  deleteGatePolicy: {
    select: `gatePolicy { ${policy} }`,
    ids: { 'input.companyId': 'company', 'input.assetId': 'gatePolicy' },
    consumes: ['input.assetId'],
  },
  branches: { ids: { companyId: 'company', assetId: 'asset' } },
  securityGateRun: { ids: { assetId: 'asset' }, optional: { branchId: 'branch' } },
  'deploy: its gate': {
    document: `query ($id: ID!) { deploy(id: $id) { gate { decision isJudged sentence unknown policy { ${policy} }
      reasons { rule limit count issues { collection { id title } metadata { totalCount } } }
      findings { collection { id title file line reasons } metadata { totalCount } } } } }`,
    ids: { id: 'deploy' },
  },
} satisfies Samples
