// Creates a subject's requirements, threats, and their checks and evidence.

import { unique } from '../../testkit/client.ts'
import { type Maker, made } from './making.ts'
import { inlineFile } from './types.ts'

const activities = [{ label: 'Read the code', description: 'Line by line' }]

export const requirementMakers = {
  requirement: made(
    'createOrUpdateRequirement',
    async ({ companyId }) => ({ companyId, label: unique('Requirement'), description: 'Why', activities }),
    'requirement.id',
  ),
  check: made(
    'createOrUpdateRequirement',
    async ({ companyId, id }) => ({
      companyId,
      id: await id('requirement'),
      label: 'Changed',
      description: 'Why',
      activities,
    }),
    'requirement.check.id',
  ),
  threat: made(
    'createThreatModelingRequirements',
    async ({ companyId }) => ({ companyId, requirements: [{ label: unique('Threat'), capecIds: ['66'] }] }),
    'requirements.id',
  ),
  threatModel: made(
    'createThreatModelArtifact',
    async ({ companyId }) => ({ companyId, label: unique('Model') }),
    'threatModelArtifact.id',
  ),
  waiver: async (subject) => {
    const checkId = await made(
      'createThreatModelingRequirements',
      async ({ companyId }) => ({ companyId, requirements: [{ label: unique('Threat'), capecIds: ['66'] }] }),
      'requirements.check.id',
    )(subject)
    const until = new Date(Date.now() + 86_400_000).toISOString()
    return made('waiveCheck', async () => ({ checkId, reason: 'Known', until }), 'check.id')(subject)
  },
  projectRequirement: made(
    'createProjectRequirement',
    async ({ id }) => ({ projectId: await id('project'), label: unique('Requirement'), activities }),
    'projectRequirement.id',
  ),
  projectActivity: made(
    'updateProjectRequirement',
    async ({ id }) => ({ id: await id('projectRequirement'), activities }),
    'projectRequirement.activities.id',
  ),
  activity: made(
    'createProjectRequirement',
    async ({ id }) => ({ projectId: await id('project'), label: unique('Requirement'), activities }),
    'projectRequirement.activities.id',
  ),
  evidence: made(
    'addActivityAttachment',
    async ({ id }) => ({ activityId: await id('activity'), archive: inlineFile('what was seen') }),
    'activity.evidences.id',
  ),
} satisfies Record<string, Maker>
