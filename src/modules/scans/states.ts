// Which state of a run may follow which.

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

/** Passes a state that stays or may follow; FAILED_PRECONDITION naming what is allowed otherwise. */
export function requireState(from: ControlSyncStatusState, to: ControlSyncStatusState): void {
  if (from === to || next[from].includes(to)) return
  const allowed = hasEnded(from) ? 'it has ended' : `it may become ${next[from].join(', ')}`
  throw failedPrecondition(`The run is ${from} and cannot become ${to}: ${allowed}`)
}

type Counts = { externalVulnerabilityCount: number; successCount: number }

/** Whether all that the tool has were reported; a tool that said 0 may not have counted yet, unless nothing was reported. */
export const isComplete = ({ externalVulnerabilityCount, successCount }: Counts): boolean =>
  externalVulnerabilityCount === 0 ? successCount === 0 : successCount >= externalVulnerabilityCount
