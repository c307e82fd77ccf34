// Samples of findings: those entered by people, those reported by tools, and decisions on them.

import { manual } from '../../testkit/manual.ts'
import { reported } from './texts.ts'
import type { Places, Sample, Samples } from './types.ts'

const asset: Places = { 'input.assetId': 'asset' }
const beside: Places = { 'input.projectId': 'project', 'input.controlSyncStatusId': 'scan' }
const ofTool: Places = { ...beside, 'input.deployId': 'deploy' }

const input = (make: () => object) => () => ({ input: make() })

const written = (make: () => object, optional = beside): Sample => ({ variables: input(make), ids: asset, optional })

const rewritten = (make: () => object, kind: 'issue' | 'network' | 'web', optional = beside): Sample => ({
  variables: input(make),
  ids: { 'input.id': kind, ...asset },
  optional,
})

const finding = (make: () => object): Sample => ({
  select: 'issue { id title status }',
  variables: input(make),
  ids: asset,
  optional: ofTool,
})

const batched = (member: string, make: () => object): Sample => {
  const place = `input.findings.0.${member}`
  return {
    variables: () => ({ input: { findings: [{ [member]: make() }] } }),
    ids: { [`${place}.assetId`]: 'asset' },
    optional: {
      [`${place}.projectId`]: 'project',
      [`${place}.deployId`]: 'deploy',
      [`${place}.controlSyncStatusId`]: 'scan',
    },
    select: 'issues { id title } findingErrors { index code message }',
    failureIn: (payload) => (payload.findingErrors as { code: string; message: string }[])[0],
  }
}

export const issueSamples = {
  issue: { ids: { id: 'issue' } },
  issues: {
    variables: () => ({ pagination: {} }),
    ids: { companyId: 'company' },
    filters: {
      'filters.ids.0': 'issue',
      'filters.similarTo': 'issue',
      'filters.assetIds.0': 'asset',
      'filters.projectIds.0': 'project',
      'filters.deployIds.0': 'deploy',
      'filters.controlSyncStatusIds.0': 'scan',
      'filters.assigneeEmails.0': 'email',
    },
  },
  createSourceCodeVulnerability: written(manual.code, ofTool),
  createNetworkVulnerability: written(manual.network),
  createWebVulnerability: written(manual.web),
  updateSourceCodeVulnerability: rewritten(manual.code, 'issue', ofTool),
  updateNetworkVulnerability: rewritten(manual.network, 'network'),
  updateWebVulnerability: rewritten(manual.web, 'web'),
  createSastFinding: finding(reported.code),
  createScaFinding: finding(reported.component),
  createDastFinding: finding(reported.exchange),
  createIacFinding: finding(reported.code),
  createSecretFinding: finding(reported.code),
  createContainerFinding: finding(reported.component),
  createMastFinding: finding(reported.code),
  createOrUpdateSastFinding: finding(reported.code),
  createOrUpdateScaFinding: finding(reported.component),
  createOrUpdateDastFinding: finding(reported.exchange),
  createOrUpdateIacFinding: finding(reported.code),
  createOrUpdateSecretFinding: finding(reported.code),
  createOrUpdateContainerFinding: finding(reported.component),
  createOrUpdateMastFinding: finding(reported.code),
  batchCreateOrUpdateFindings: batched('sastFinding', reported.code),
  'batchCreateOrUpdateFindings: in components': batched('scaFinding', reported.component),
  'batchCreateOrUpdateFindings: in an application': batched('dastFinding', reported.exchange),
  'batchCreateOrUpdateFindings: in infrastructure': batched('iacFinding', reported.code),
  'batchCreateOrUpdateFindings: of credentials': batched('secretFinding', reported.code),
  'batchCreateOrUpdateFindings: in containers': batched('containerFinding', reported.component),
  'batchCreateOrUpdateFindings: in a mobile application': batched('mastFinding', reported.code),
  changeIssueStatus: {
    variables: () => ({ input: { status: 'RISK_ACCEPTED', reason: 'Known' } }),
    ids: { 'input.id': 'issue' },
    optional: { 'input.controlSyncStatusId': 'scan' },
    consumes: ['input.id'],
  },
  bulkChangeIssueStatus: {
    variables: () => ({ input: { status: 'IDENTIFIED' } }),
    ids: { 'input.companyId': 'company', 'input.ids.0': 'issue' },
    consumes: ['input.ids.0'],
  },
  decideOnIssues: {
    select: 'issueDecision { id state total done unchanged refusals { from count } }',
    variables: () => ({ input: { status: 'IDENTIFIED', filters: { search: 'nothing says this' } } }),
    ids: { 'input.companyId': 'company' },
    filters: {
      'input.filters.ids.0': 'issue',
      'input.filters.assetIds.0': 'asset',
      'input.filters.projectIds.0': 'project',
      'input.filters.deployIds.0': 'deploy',
      'input.filters.controlSyncStatusIds.0': 'scan',
      'input.filters.assigneeEmails.0': 'email',
    },
  },
  issueDecision: { select: 'id state status total createdBy { id }', ids: { id: 'decision' } },
  updateIssueAssignee: {
    select: 'issue { id assignedUsers { email name } }',
    ids: { 'input.issueId': 'issue', 'input.assigneeEmails.0': 'email' },
    consumes: ['input.issueId'],
  },
  markIssueAsAnalyzed: {
    select: 'aiAgentAnalysis { id at issue { id } analyzedBy { id } }',
    ids: { 'input.companyId': 'company', 'input.issueId': 'issue' },
  },
  mergeIssues: {
    select: 'issue { id witnesses { id toolName } }',
    variables: () => ({ input: { reason: 'The same mistake' } }),
    ids: { 'input.companyId': 'company', 'input.issueId': 'issue', 'input.mergeIds.0': 'network' },
    consumes: ['input.mergeIds.0'],
  },
  splitIssue: {
    select: 'issue { id } splitIssue { id }',
    variables: () => ({ input: { reason: 'Two mistakes' } }),
    ids: { 'input.companyId': 'company', 'input.issueId': 'issue', 'input.witnessId': 'witness' },
    never: { 'input.placeId': 'issue' },
    consumes: ['input.witnessId'],
  },
  identityRules: { select: 'collection { toolName fields }', ids: { companyId: 'company' } },
  previewIdentityRule: {
    select:
      'fields observations isWhole merges splits unrecognised changedInPlace unexplained partlyKept examples { collection { change } }',
    variables: () => ({ toolName: 'a-scanner', rule: { fields: ['PLACE', 'SNIPPET', 'RULE'] } }),
    ids: { companyId: 'company', assetId: 'asset' },
  },
  setIdentityRule: {
    select: 'identityRule { toolName fields }',
    variables: () => ({ input: { toolName: 'a-scanner', rule: { fields: ['PLACE', 'SNIPPET', 'RULE'] } } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetId': 'asset' },
  },
  deleteIssue: { ids: { 'input.id': 'issue' }, consumes: ['input.id'] },
  bulkDeleteIssues: {
    ids: { 'input.companyId': 'company', 'input.ids.0': 'issue' },
    consumes: ['input.ids.0'],
  },
  savedViews: { select: 'id name filters createdAt', ids: { companyId: 'company' } },
  saveView: {
    select: 'savedView { id name filters }',
    variables: () => ({ input: { name: 'Urgent', filters: 'severity=CRITICAL' } }),
    ids: { 'input.companyId': 'company' },
    isPersonal: true,
  },
  deleteSavedView: { select: 'id', ids: { 'input.id': 'savedView' }, consumes: ['input.id'] },
} satisfies Samples
