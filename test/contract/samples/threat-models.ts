// Samples of threat-model artifacts, their versions and imports.

import { unique } from '../../testkit/client.ts'
import { inlineFile, type Samples } from './types.ts'

const model = `otmVersion: 0.2.0
project: { name: A sample, id: sample }
threats:
  - { id: t1, name: Pages take scripts, cwes: [CWE-79], risk: { likelihood: 1, impact: 9 } }
`

export const threatModelSamples = {
  threatModelArtifact: { ids: { id: 'threatModel' } },
  threatModelArtifacts: {
    variables: () => ({ pagination: {} }),
    ids: { companyId: 'company' },
    filters: { assigneeEmail: 'email' },
  },
  createThreatModelArtifact: {
    variables: () => ({ input: { label: unique('Model') } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.assigneeEmail': 'email' },
  },
  updateThreatModelArtifact: {
    variables: () => ({ input: { label: unique('Model') } }),
    ids: { 'input.id': 'threatModel' },
    optional: { 'input.assigneeEmail': 'email' },
  },
  deleteThreatModelArtifact: {
    select: 'threatModelArtifact { id label }',
    ids: { 'input.id': 'threatModel' },
    consumes: ['input.id'],
  },
  createThreatModelArtifactVersion: {
    variables: () => ({ input: { architectureItems: [{ name: 'Web' }] } }),
    ids: { 'input.artifactId': 'threatModel' },
    optional: { 'input.requirementIds.0': 'requirement', 'input.sourceProjectId': 'project' },
  },
  importThreatModel: {
    select: 'createdCount threats { requirement { id } } version { id }',
    variables: () => ({ input: { file: inlineFile(model, 'model.yaml', 'application/yaml') } }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.projectId': 'project', 'input.artifactId': 'threatModel' },
  },
} satisfies Samples
