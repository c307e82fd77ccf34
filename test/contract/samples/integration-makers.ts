// Creates a subject's records that belong to outside tools.

import { board, type Credentials, credentialsOf } from './integrations.ts'
import { type Maker, made } from './making.ts'

const integrated = (mutation: string, kind: keyof Credentials, more: object = {}): Maker =>
  made(mutation, async ({ companyId }) => ({ companyId, ...credentialsOf(companyId)[kind], ...more }), 'integration.id')

export const integrationMakers = {
  association: made(
    'associateProject',
    async ({ id, fresh }) => ({
      assetId: await fresh('asset'),
      integrationId: await id('scannerB'),
      externalProjectId: 'a3952187-0d8e-45d8-9aa2-036642857b5b/a3952187-0d8e-45d8-9aa2-036642857b5c',
    }),
    'associatedProject.id',
  ),
  hostA: integrated('createOrUpdateHostAIntegration', 'hostA'),
  hostB: integrated('createOrUpdateHostBIntegration', 'hostB'),
  scannerA: integrated('createOrUpdateScannerAIntegration', 'scannerA'),
  scannerB: integrated('createOrUpdateScannerBIntegration', 'scannerB'),
  boards: integrated('createOrUpdateBoardsTrackerIntegration', 'boards'),
  tasks: integrated('createOrUpdateTaskTrackerIntegration', 'tasks'),
  integration: integrated('createOrUpdateScannerAIntegration', 'scannerA', { addAnother: true }),
  companyBoard: made(
    'createBoardsTrackerConfiguration',
    async ({ id }) => ({ ...board(), scopeIntegrationId: await id('boards') }),
    'defectTrackerConfiguration.id',
  ),
  workItem: made(
    'createWorkItem',
    async ({ id }) => {
      await id('companyBoard')
      return { issueId: await id('issue'), integrationId: await id('boards') }
    },
    'workItem.id',
  ),
  boardsConfiguration: made(
    'createBoardsTrackerConfiguration',
    async ({ id, fresh }) => ({ ...board(), scopeIntegrationId: await id('boards'), assetId: await fresh('asset') }),
    'defectTrackerConfiguration.id',
  ),
} satisfies Record<string, Maker>
