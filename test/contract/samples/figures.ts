// Samples of what findings are worth, and of figures.

import { inlineFile, type Samples } from './types.ts'

const policy = 'companyId rules { severity businessImpact days isDefault }'
const counts = 'all critical high medium low notification'
const narrowed = {
  'filters.ids.0': 'issue',
  'filters.assetIds.0': 'asset',
  'filters.projectIds.0': 'project',
  'filters.deployIds.0': 'deploy',
  'filters.controlSyncStatusIds.0': 'scan',
  'filters.assigneeEmails.0': 'email',
} as const

const epss = '#model_version:v1,score_date:2026-11-20T00:00:00+0000\ncve,epss,percentile\nCVE-2097-0001,0.5,0.9\n'

export const figureSamples = {
  slaPolicy: { select: policy, ids: { companyId: 'company' } },
  setSlaPolicy: {
    select: `slaPolicy { ${policy} }`,
    variables: () => ({ input: { rules: [{ severity: 'CRITICAL', businessImpact: 'HIGH', days: 2 }] } }),
    ids: { 'input.companyId': 'company' },
  },
  exploitationFeeds: { select: 'name rowCount' },
  importExploitationData: {
    select: 'feeds { name }',
    variables: () => ({ input: { epss: inlineFile(epss, 'epss.csv', 'text/csv') } }),
    administrator: true,
  },
  issuesStats: { ids: { companyId: 'company' } },
  'issuesStats:whole': {
    select: `total knownExploited severities { value count } statuses { value count } types { value count }
      slaStates { value count }`,
    ids: { companyId: 'company' },
    filters: narrowed,
  },
  issuesTrend: {
    select: `start opened { ${counts} } closed { ${counts} } open { ${counts} }`,
    variables: () => ({ interval: 'DAY' }),
    ids: { companyId: 'company' },
    filters: narrowed,
  },
  troubleTrend: {
    select: 'start end blockedDeploys failedScans breachedIssues',
    variables: () => ({ interval: 'DAY' }),
    ids: { companyId: 'company' },
  },
  topVulnerabilities: {
    ids: { companyId: 'company' },
    filters: { 'filters.assetIds.0': 'asset', 'filters.projectIds.0': 'project' },
  },
  mttrOverTime: {
    variables: () => ({ params: {} }),
    ids: { companyId: 'company' },
    filters: { 'params.assetIds.0': 'asset', 'params.projectIds.0': 'project' },
  },
  overallRiskScoreHistory: { ids: { companyId: 'company' } },
  assetScansCount: { ids: { companyId: 'company' } },
} satisfies Samples
