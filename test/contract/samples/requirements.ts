// Samples of requirements, their checks, and the activities of projects.

import { unique } from '../../testkit/client.ts'
import { inlineFile, type Samples } from './types.ts'

const requirement = 'requirement { id label }'
const check = 'check { id state stateReason waiver { reason until by { id } } }'
const until = () => new Date(Date.now() + 86_400_000).toISOString()

export const requirementSamples = {
  requirement: { ids: { companyId: 'company', id: 'requirement' } },
  requirements: {
    variables: () => ({ pagination: {} }),
    ids: { scopeId: 'company' },
    filters: { 'filters.projectId': 'project' },
  },
  projectRequirements: { ids: { projectId: 'project' } },
  createThreatModelingRequirements: {
    select: 'requirements { id label check { id label } }',
    variables: () => ({ input: { requirements: [{ label: unique('Threat'), capecIds: ['66', 'CAPEC-63'] }] } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.projectId': 'project', 'input.requirements.0.requirementId': 'threat' },
  },
  createOrUpdateRequirement: {
    variables: () => ({ input: { label: unique('Requirement'), description: 'Why' } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.id': 'requirement' },
  },
  'createOrUpdateRequirement: with a check that is there': {
    variables: () => ({
      input: {
        label: unique('Requirement'),
        description: 'Why',
        activities: [{ label: 'Read it', description: 'All' }],
      },
    }),
    ids: { 'input.companyId': 'company', 'input.id': 'requirement', 'input.activities.0.id': 'check' },
  },
  'createOrUpdateRequirement: without one of its checks': {
    variables: () => ({ input: { label: unique('Requirement'), description: 'Why' } }),
    ids: { 'input.companyId': 'company', 'input.id': 'requirement', 'input.removeCheckIds.0': 'check' },
    consumes: ['input.removeCheckIds.0'],
  },
  deleteRequirement: {
    select: requirement,
    ids: { 'input.id': 'requirement' },
    optional: { 'input.companyId': 'company' },
    consumes: ['input.id'],
  },
  waiveCheck: {
    select: check,
    variables: () => ({ input: { reason: 'Known', until: until() } }),
    ids: { 'input.checkId': 'check' },
    consumes: ['input.checkId'],
  },
  revokeWaiver: { select: check, ids: { 'input.checkId': 'waiver' }, consumes: ['input.checkId'] },
  createProjectRequirement: {
    variables: () => ({ input: { label: unique('Requirement'), activities: [{ label: 'Read the code' }] } }),
    ids: { 'input.projectId': 'project' },
    optional: { 'input.requirementId': 'requirement' },
    never: { 'input.activities.0.id': 'projectActivity' },
  },
  updateProjectRequirement: {
    variables: () => ({ input: { label: unique('Requirement') } }),
    ids: { 'input.id': 'projectRequirement' },
    optional: { 'input.activities.0.id': 'projectActivity' },
  },
  'updateProjectRequirement: without one of its activities': {
    ids: { 'input.id': 'projectRequirement', 'input.removeActivityIds.0': 'projectActivity' },
    consumes: ['input.removeActivityIds.0'],
  },
  deleteProjectRequirement: {
    select: 'projectRequirement { id } errors',
    ids: { 'input.id': 'projectRequirement' },
    consumes: ['input.id'],
  },
  updateActivity: {
    select: 'activity { id title status }',
    variables: () => ({ input: { comment: 'Looked at' } }),
    ids: { 'input.id': 'activity' },
  },
  addActivityAttachment: {
    variables: () => ({ input: { archive: inlineFile('what was seen') } }),
    ids: { 'input.activityId': 'activity' },
  },
  'addActivityAttachment: by its other name': {
    variables: () => ({ input: { archive: inlineFile('what was seen') } }),
    ids: { 'input.id': 'activity' },
  },
} satisfies Samples
