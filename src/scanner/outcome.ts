// How a scan ends, and what it reports while it runs.

import type { Covered } from './coverage.ts'
import type { Finding } from './finding.ts'

/**
 * COMPLETED: everything was tried. REQUESTS_SPENT, TIME_SPENT: the budget ended first. CANCELED: by the signal. TARGET_UNREACHABLE:
 * it never answered. TARGET_LOST: it answered no more. TARGET_THROTTLES: it answers 429 or 503 however slowly it is asked.
 * LOGIN_FAILED: no identity could sign in. NOTHING_TO_SCAN: neither description nor pages led to an operation.
 * BAD_SCHEMA: the description cannot be read. TARGET_REFUSED: it is an address that is not scanned. FAILED: a fault of the scanner's own.
 */
export const endings = {
  COMPLETED: 'everything was tried',
  REQUESTS_SPENT: 'the budget of requests was spent',
  TIME_SPENT: 'the budget of time was spent',
  CANCELED: 'the scan was canceled',
  TARGET_UNREACHABLE: 'the target never answered',
  TARGET_LOST: 'the target stopped answering',
  TARGET_THROTTLES: 'the target refuses requests however slowly they come',
  LOGIN_FAILED: 'no identity could sign in',
  NOTHING_TO_SCAN: 'neither a description nor the pages led to anything that can be asked',
  BAD_SCHEMA: 'the description cannot be read',
  TARGET_REFUSED: 'the target is an address that is not scanned',
  FAILED: 'the scanner failed',
} as const satisfies Record<string, string>

export type Ending = keyof typeof endings

export type Outcome = {
  state: Ending
  /** one sentence more, such as why a description cannot be read */
  reason: string | null
  findings: readonly Finding[]
  operations: readonly string[]
  /** operations that answered nothing, or were not sent, with the reason */
  skipped: readonly { operation: string; reason: string }[]
  /** where a scan that is COMPLETED would have seen what is there */
  covered: readonly Covered[]
  /** what of the description was left out, and why: a sentence each */
  notes: readonly string[]
  /** of accounts that the scan may have registered: for whoever removes them, and for no log */
  accountPassword: string | null
  /** CWEs that checks looked for at least once */
  coveredCwes: readonly number[]
  /** checks that ran and had all that they need: what one of them did not see where it looked is not there */
  looked: readonly string[]
  requests: number
  /** requests without an answer */
  failures: number
  ms: number
}

/** In this order; `seeds` reads descriptions and follows pages, and `out-of-band` is there with a listener alone. */
export type Phase = 'sign-in' | 'seeds' | 'first-pass' | 'target-checks' | 'checks' | 'last-checks' | 'out-of-band'

export type Progress = {
  phase: Phase
  /** steps of the phase; `of` 0: nobody knows how many there are */
  done: number
  of: number
  /** 0 until the seeds are known */
  operations: number
  requests: number
  findings: number
}

export type ScanEvents = {
  /** told once for each root cause, as soon as it is seen */
  onFinding?: (finding: Finding) => void
  /** told when a phase begins, and twice a second */
  onProgress?: (progress: Progress) => void
}

/** The scan is over: what is under way ends, and what was found stands. */
export class ScanStopped extends Error {
  override readonly name = 'ScanStopped'
  readonly state: Ending

  constructor(state: Ending, detail?: string) {
    super(detail ?? endings[state])
    this.state = state
  }
}

/** No answer came to one request. */
export class SendFailed extends Error {
  override readonly name = 'SendFailed'
  readonly reason: 'TIMEOUT' | 'UNREACHABLE' | 'CUT' | 'FORBIDDEN_ADDRESS' | 'OUT_OF_SCOPE' | 'BAD_ANSWER'

  constructor(reason: SendFailed['reason'], detail?: string) {
    super(detail ?? reason)
    this.reason = reason
  }
}
