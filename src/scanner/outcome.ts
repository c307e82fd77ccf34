// How a scan ends, and what it reports while it runs.

import type { Covered } from './coverage.ts'
import type { Finding } from './finding.ts'

/**
 * COMPLETED: everything was tried. REQUESTS_SPENT, TIME_SPENT: the budget ended first. CANCELED: by the signal. TARGET_UNREACHABLE:
 * the target never responded. TARGET_LOST: it stopped responding. TARGET_THROTTLES: it responds with 429 or 503 at any rate of requests.
 * LOGIN_FAILED: no identity could sign in. NOTHING_TO_SCAN: neither description nor pages led to an operation.
 * BAD_SCHEMA: the description cannot be read. TARGET_REFUSED: the address may not be scanned. FAILED: an error of the scanner itself.
 */
export const endings = {
  COMPLETED: 'the scan is complete',
  REQUESTS_SPENT: 'the request limit was reached',
  TIME_SPENT: 'the time limit was reached',
  CANCELED: 'the scan was canceled',
  TARGET_UNREACHABLE: 'the target never responded',
  TARGET_LOST: 'the target stopped responding',
  TARGET_THROTTLES: 'the target throttles requests however slowly they come',
  LOGIN_FAILED: 'no identity could sign in',
  NOTHING_TO_SCAN: 'neither an API description nor the pages led to anything to scan',
  BAD_SCHEMA: 'the API description cannot be read',
  TARGET_REFUSED: 'the target’s address may not be scanned',
  FAILED: 'the scanner failed',
} as const satisfies Record<string, string>

export type Ending = keyof typeof endings

export type Outcome = {
  state: Ending
  /** a further sentence, such as why a description cannot be read */
  reason: string | null
  findings: readonly Finding[]
  operations: readonly string[]
  /** operations that did not respond, or were not sent, with the reason */
  skipped: readonly { operation: string; reason: string }[]
  /** where findings that a COMPLETED scan does not report are gone */
  covered: readonly Covered[]
  /** the parts of the description that were left out, and why: one sentence each */
  notes: readonly string[]
  /** the password of accounts that the scan may have registered, for the person who removes them; must not be logged */
  accountPassword: string | null
  /** CWEs that checks looked for at least once */
  coveredCwes: readonly number[]
  /** checks that ran with everything they need, so that a finding that they no longer report where they looked is gone */
  looked: readonly string[]
  requests: number
  /** requests without a response */
  failures: number
  ms: number
}

/** The phases in their order. `seeds` reads descriptions and follows pages; `out-of-band` only happens with a listener. */
export type Phase = 'sign-in' | 'seeds' | 'first-pass' | 'target-checks' | 'checks' | 'last-checks' | 'out-of-band'

export type Progress = {
  phase: Phase
  /** steps of the phase; `of` is 0 if their number is unknown */
  done: number
  of: number
  /** 0 until the seeds are known */
  operations: number
  requests: number
  findings: number
}

export type ScanEvents = {
  /** called once for each root cause, as soon as it is seen */
  onFinding?: (finding: Finding) => void
  /** called when a phase begins, and twice a second */
  onProgress?: (progress: Progress) => void
}

/** The scan is over: requests in progress end, and the findings so far stay. */
export class ScanStopped extends Error {
  override readonly name = 'ScanStopped'
  readonly state: Ending

  constructor(state: Ending, detail?: string) {
    super(detail ?? endings[state])
    this.state = state
  }
}

/** There was no response to a request. */
export class SendFailed extends Error {
  override readonly name = 'SendFailed'
  readonly reason: 'TIMEOUT' | 'UNREACHABLE' | 'CUT' | 'FORBIDDEN_ADDRESS' | 'OUT_OF_SCOPE' | 'BAD_ANSWER'

  constructor(reason: SendFailed['reason'], detail?: string) {
    super(detail ?? reason)
    this.reason = reason
  }
}
