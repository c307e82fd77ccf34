// Samples of assets, applications and projects.

import { unique } from '../../testkit/client.ts'
import { inlineFile, type Samples } from './types.ts'

export const assetSamples = {
  assets: {
    ids: { companyId: 'company' },
    filters: { 'search.applicationId': 'application', 'search.projectId': 'project', 'search.ids.0': 'asset' },
  },
  asset: { ids: { id: 'asset' } },
  createAsset: {
    variables: () => ({
      input: { name: unique('Asset'), scanType: 'SAST', assetsTagList: ['web'], repoUrl: 'https://git.example.test/a' },
    }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.projectIds.0': 'project', 'input.integrationIds.0': 'hostA' },
  },
  importAssetToIntegration: {
    variables: () => ({
      input: {
        integrationType: 'BACKSTAGE',
        projects: [{ id: 'component:shop', name: unique('Shop'), assetType: 'API' }],
      },
    }),
    ids: { 'input.companyId': 'company' },
  },
  updateAsset: {
    variables: () => ({ input: { name: unique('Asset'), businessImpact: 'HIGH' } }),
    ids: { 'input.id': 'asset', 'input.companyId': 'company' },
    optional: { 'input.projectIds.0': 'project', 'input.integrationIds.0': 'hostA' },
  },
  deleteAsset: {
    ids: { 'input.id': 'asset' },
    optional: { 'input.companyId': 'company' },
    consumes: ['input.id'],
  },
  applications: { ids: { companyId: 'company' } },
  application: { ids: { id: 'application', companyId: 'company' } },
  createApplication: {
    variables: () => ({ input: { name: unique('Application') } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assetIds.0': 'asset' },
  },
  updateApplication: {
    variables: () => ({ input: { name: unique('Application') } }),
    ids: { 'input.id': 'application', 'input.companyId': 'company' },
    optional: { 'input.assetIds.0': 'asset' },
  },
  addApplicationAssets: {
    ids: { 'input.id': 'application', 'input.companyId': 'company', 'input.assetIds.0': 'asset' },
  },
  removeApplicationAssets: {
    ids: { 'input.id': 'application', 'input.companyId': 'company', 'input.assetIds.0': 'asset' },
  },
  deleteApplication: {
    select: 'application { id } errors',
    ids: { 'input.id': 'application', 'input.companyId': 'company' },
    consumes: ['input.id'],
  },
} satisfies Samples

const project = () => ({
  typeId: 1,
  label: unique('Project'),
  goal: 'To know what is wrong',
  scope: 'All that is reachable',
  startDate: '2026-03-01',
})

const ties = {
  'input.assetsIds.0': 'asset',
  'input.playbooksIds.0': 'requirement',
  'input.attachments.0.allowedPortalUserIds.0': 'user',
  'input.attachments.0.issueId': 'issue',
  'input.allocatedPortalUserEmails.0': 'email',
  'input.accessPortalUserEmails.0': 'email',
} as const

const attachments = () => [{ archive: inlineFile('The scope') }]

export const projectSamples = {
  projects: {
    optional: { 'params.companyId': 'company', 'params.scopeIdEq': 'company' },
    filters: {
      'params.idEq': 'project',
      'params.idIn.0': 'project',
      'params.assetIdIn.0': 'asset',
      'params.analystsEmailIn.0': 'email',
    },
  },
  project: { ids: { id: 'project', companyId: 'company' } },
  projectTypes: {},
  projectStatuses: {},
  createProject: {
    variables: () => ({ input: { ...project(), attachments: attachments() } }),
    ids: { 'input.companyId': 'company' },
    optional: ties,
    never: { 'input.attachments.0.projectId': 'project' },
  },
  'createProject: with an attachment that is there': {
    variables: () => ({ input: project() }),
    ids: { 'input.companyId': 'company', 'input.attachments.0.id': 'attachment' },
  },
  updateProject: {
    variables: () => ({ input: { goal: 'To know more', attachments: attachments() } }),
    ids: { 'input.id': 'project' },
    optional: { ...ties, 'input.companyId': 'company', 'input.attachments.0.projectId': 'project' },
  },
  'updateProject: with an attachment that is there': {
    ids: { 'input.id': 'project', 'input.attachments.0.id': 'attachment' },
  },
  updateProjectStatus: {
    variables: () => ({ input: { projectStatus: 'ANALYSIS', reason: 'It starts' } }),
    ids: { 'input.id': 'project' },
  },
  bulkUpdateProjectStatus: {
    variables: () => ({ input: { projectStatus: 'PAUSED', reason: 'It waits' } }),
    ids: { 'input.companyId': 'company', 'input.ids.0': 'project' },
  },
  deleteProject: {
    select: 'project { id } errors',
    ids: { 'input.id': 'project' },
    optional: { 'input.companyId': 'company' },
    consumes: ['input.id'],
  },
  bulkDeleteProjects: {
    ids: { 'input.companyId': 'company', 'input.ids.0': 'project' },
    consumes: ['input.ids.0'],
  },
} satisfies Samples
