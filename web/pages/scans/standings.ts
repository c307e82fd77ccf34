// How each state of a scan stands: good, bad, or neither yet.

import type { EnumOf } from '../../api/graphql.ts'
import type { Standing } from '../../ui/verdict.tsx'

export const standings: Record<EnumOf<'ControlSyncStatusState'>, Standing> = {
  PENDING: 'waiting',
  RUNNING: 'running',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  CANCELED: 'plain',
}
