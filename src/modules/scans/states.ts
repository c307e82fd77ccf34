// Which states of a run may follow which.

import { failedPrecondition } from '../../core/errors.ts'
import type { ControlSyncStatusState } from '../api.generated.ts'

export type { ControlSyncStatusState as ScanState } from '../api.generated.ts'

const next: Record<ControlSyncStatusState, readonly ControlSyncStatusState[]> = {
  PENDING: ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'],
  RUNNING: ['SUCCEEDED', 'FAILED', 'CANCELED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELED: [],
}

export const hasEnded = (state: ControlSyncStatusState): boolean => next[state].length === 0

/** Throws FAILED_PRECONDITION, naming the allowed states, unless the state is unchanged or may follow. */
export function requireState(from: ControlSyncStatusState, to: ControlSyncStatusState): void {
  if (from === to || next[from].includes(to)) return
  const allowed = hasEnded(from) ? 'it has ended' : `it may become ${next[from].join(', ')}`
  throw failedPrecondition(`The run is ${from} and cannot become ${to}: ${allowed}`)
}

type Counts = { externalVulnerabilityCount: number; successCount: number }

/** Whether all findings of the tool were reported. If the tool set 0 although some were reported, it has not counted them yet. */
export const isComplete = ({ externalVulnerabilityCount, successCount }: Counts): boolean =>
  externalVulnerabilityCount === 0 ? successCount === 0 : successCount >= externalVulnerabilityCount
