// The mapping of a configuration, in the form that `reconcile` takes.

import type { Configured } from '../integrations/service.ts'
import type { Mapping } from './reconcile.ts'

export const mappingsOf = ({ statusMappings }: Pick<Configured, 'statusMappings'>): Mapping[] =>
  statusMappings.map(({ internalIssueStatus, externalIssueStatus, alsoExternalIssueStatuses }) => ({
    status: internalIssueStatus,
    states: [externalIssueStatus, ...alsoExternalIssueStatuses],
  }))
