// The mutations that accept files, each with the permission that a viewer must have in some company before a file is stored for it.

import type { Action } from './access/service.ts'

export const takingFiles: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['addActivityAttachment', 'requirements:write'],
  ['createAttachment', 'attachments:write'],
  ['createDeploy', 'deploys:write'],
  ['createOrUpdateScannerConfiguration', 'scans:configure'],
  ['createProject', 'projects:write'],
  ['createTicket', 'tickets:write'],
  ['importAstFindingsFile', 'issues:write'],
  ['importContainerFindingsFile', 'issues:write'],
  ['importExploitationData', 'exploitation:import'],
  ['importFindings', 'issues:write'],
  ['importSbom', 'issues:write'],
  ['importThreatModel', 'requirements:write'],
  ['updateProject', 'projects:write'],
  ['updateTicket', 'tickets:write'],
])
