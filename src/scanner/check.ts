// The types of checks: what a check is, what it works with, and what it reports.

import type { Allowed } from '../core/outbound-address.ts'
import type { CertificateFault } from './certificates.ts'
import type { Change, Credentials, Exchange, HttpRequest, Identity, Operation, Point, Profile, Scope } from './types.ts'

export type Severity = 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'

/** What a check reports. The engine adds the operation's place, the fingerprint and the masked evidence. */
export type Sighting = {
  /** the flaw's own CWE first; the check's when left out */
  cwes?: readonly number[]
  severity?: Severity
  title?: string
  /** one sentence: what shows the flaw here */
  detail: string
  /** texts of the response (or the request) that prove it, which are marked in the evidence */
  proof: readonly string[]
  exchange: Exchange
  operation?: Operation
  point?: Point
  /** identifies the root cause: findings of a check with the same cause are one, whatever operation showed it */
  cause?: string
}

type CheckFacts = {
  /** `sql-injection`, the same for good */
  id: string
  title: string
  cwes: readonly number[]
  severity: Severity
  /** what to change, one or two sentences */
  solution: string
  /** the lowest profile that runs it */
  profile: Profile
  /** runs only if the scan names it */
  isOnRequest?: boolean
  /** without a listener it does not see all that it looks for */
  usesListener?: boolean
  /** an operation that limits how often it is asked shows that the flaw is not there */
  isRefutedByLimit?: boolean
}

/** Examines every exchange, and sends nothing. */
export type PassiveCheck = CheckFacts & {
  kind: 'passive'
  /** what it says rests on the request too, and not on the answer, its operation and its identity alone */
  readsRequest?: boolean
  look: (exchange: Exchange, context: Context) => Iterable<Sighting>
}

/** Changes one value of one operation. Returns the first finding, or null if it sees nothing wrong. */
export type PointCheck = CheckFacts & {
  kind: 'point'
  accepts?: (point: Point, operation: Operation) => boolean
  probe: (point: Point, operation: Operation, context: Context) => Promise<Sighting | null>
}

/** Examines one operation as a whole. */
export type OperationCheck = CheckFacts & {
  kind: 'operation'
  accepts?: (operation: Operation, context: Context) => boolean
  probe: (operation: Operation, context: Context) => AsyncIterable<Sighting>
}

/** Examines the target as a whole, once. `isLast`: after all others, for what is visible only then. */
export type TargetCheck = CheckFacts & {
  kind: 'target'
  isLast?: boolean
  probe: (context: Context) => AsyncIterable<Sighting>
}

export type Check = PassiveCheck | PointCheck | OperationCheck | TargetCheck

export type SendOptions = {
  /** whose credentials; the first identity's when left out, null: nobody's */
  identity?: Identity | null
  /** milliseconds */
  timeout?: number
  /** nothing else is sent meanwhile: for what is measured by time */
  isAlone?: boolean
  /** it was sent before, and refused for now */
  isRetry?: boolean
  /** a step of signing in: whatever it answers, the session is not opened anew for it */
  isSignIn?: boolean
  /** the operation that the request belongs to */
  operation?: Operation
  /** what was put in the place of its values */
  values?: readonly string[]
}

/** What a normal request of an operation answers, and how much of it stays the same from one request to the next. */
export type Baseline = {
  exchange: Exchange
  /** a second request at another time */
  again: Exchange
  /** 0 to 1: how alike the two are; dynamic pages have less than 1 */
  likeness: number
}

/** A listener that targets reach when they call out; each token belongs to one probe. */
export type OutOfBand = {
  /** an address with a fresh token, what to call when something asked for it, and what is answered there */
  expect: (
    onHit: (hit: { method: string; path: string }) => void,
    content?: string,
  ) => { url: string; host: string; token: string }
}

/** What a check works with. All sending goes through it: rate, budget, scope, sessions and cancelling are kept there. */
export type Context = {
  profile: Profile
  /** what deletes, logs out, resets or changes passwords may be asked */
  allowsDestructive: boolean
  /** the address that the scan was given */
  target: URL
  scope: Scope
  operations: readonly Operation[]
  /** the first one's credentials are used unless a check says else; empty: the target is scanned as nobody */
  identities: readonly Identity[]
  /** The operation's request with the values known now; `changes` in place of some of them. */
  requestOf: (operation: Operation, changes?: readonly Change[]) => HttpRequest
  pointsOf: (operation: Operation) => readonly Point[]
  /** Sends and answers; rejects with SendFailed when no answer came, or with ScanStopped when the scan is over. */
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  /** As `send` of `requestOf`; null when no answer came. */
  attempt: (operation: Operation, changes?: readonly Change[], options?: SendOptions) => Promise<Exchange | null>
  /** Made at the first question; null when the operation does not answer. */
  baseline: (operation: Operation) => Promise<Baseline | null>
  /** What the first pass got for the operation as that identity (the first one when left out; null: nobody). */
  seen: (operation: Operation, identity?: Identity | null) => Exchange | undefined
  /** What the sign-in of an identity was answered with; null where its login gave no token. */
  signedIn: (identity: Identity) => Exchange | null
  /** the cookies of the first identity, or of nobody, as they are now */
  cookies: () => readonly (readonly [name: string, value: string])[]
  /** what a browser sends along of the first identity's credentials, or of nobody's, when another site makes it ask so */
  acrossSites: (method: string) => HttpRequest['headers']
  /** a fresh lower-case word that occurs nowhere else */
  word: () => string
  /** a fresh whole number of so many digits, without a zero at its start or end */
  number: (digits: number) => number
  /** private addresses that may be called */
  allowed: Allowed
  /** what a browser needs to be the first identity; null when the scan uses none */
  asBrowser: (() => Credentials) | null
  /** what is wrong with the certificate that the host of an address answered with */
  certificateFaults: (url: string) => readonly CertificateFault[]
  /** null when the scan has no listener */
  outOfBand: OutOfBand | null
  /** Tells of what shows itself later than the probe: an out-of-band call, a stored value. */
  report: (check: Check, sighting: Sighting) => void
  signal: AbortSignal
}
