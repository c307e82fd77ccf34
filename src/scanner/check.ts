// The types of checks: what a check is, what it works with, and what it reports.

import type { Allowed } from '../core/outbound-address.ts'
import type { CertificateFault } from './certificates.ts'
import type { Change, Credentials, Exchange, HttpRequest, Identity, Operation, Point, Profile, Scope } from './types.ts'

export type Severity = 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'

/** What a check reports. The engine adds the operation's place, the fingerprint and the masked evidence. */
export type Sighting = {
  /** the most specific CWE first; by default those of the check */
  cwes?: readonly number[]
  severity?: Severity
  title?: string
  /** one sentence: what shows the vulnerability here */
  detail: string
  /** texts of the response (or the request) that prove it; they are marked in the evidence */
  proof: readonly string[]
  exchange: Exchange
  operation?: Operation
  point?: Point
  /** identifies the root cause: sightings of a check with the same cause become one finding, in whichever operations */
  cause?: string
}

type CheckFacts = {
  /** such as `sql-injection`; never changes */
  id: string
  title: string
  cwes: readonly number[]
  severity: Severity
  /** how to fix it, in one or two sentences */
  solution: string
  /** the lowest profile that runs it */
  profile: Profile
  /** runs only if the scan names it */
  isOnRequest?: boolean
  /** whether it misses some vulnerabilities without a listener */
  usesListener?: boolean
  /** whether a rate limit on an operation shows that it is not vulnerable */
  isRefutedByLimit?: boolean
}

/** Examines every exchange without sending requests. */
export type PassiveCheck = CheckFacts & {
  kind: 'passive'
  /** whether its result also depends on the request, not only on the response, its operation and its identity */
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
  /** whose credentials to send; by default the first identity's; null: none */
  identity?: Identity | null
  /** milliseconds */
  timeout?: number
  /** sends no other request meanwhile, for measurements of time */
  isAlone?: boolean
  /** the request was sent before, and refused for the moment */
  isRetry?: boolean
  /** a step of a sign-in: its response never causes another sign-in */
  isSignIn?: boolean
  /** the operation that the request belongs to */
  operation?: Operation
  /** the values that replace the operation's own */
  values?: readonly string[]
}

/** The normal response of an operation, and how similar it is from one request to the next. */
export type Baseline = {
  exchange: Exchange
  /** a second request at another time */
  again: Exchange
  /** the similarity of the two, 0 to 1; less than 1 for dynamic pages */
  likeness: number
}

/** A listener for requests that a payload makes the target send; each token belongs to one probe. */
export type OutOfBand = {
  /** Returns an address with a new token. `onHit` is called for each request to it, which is answered with `content`. */
  expect: (
    onHit: (hit: { method: string; path: string }) => void,
    content?: string,
  ) => { url: string; host: string; token: string }
}

/** What a check works with. Every request goes through it, which enforces rate, budget, scope, sessions and cancellation. */
export type Context = {
  profile: Profile
  /** whether operations that delete, log out, reset or change passwords may be sent */
  allowsDestructive: boolean
  /** the address given to the scan */
  target: URL
  scope: Scope
  operations: readonly Operation[]
  /** the first one's credentials are used by default; empty: the target is scanned anonymously */
  identities: readonly Identity[]
  /** The operation's request with the currently known values, some of them replaced by `changes`. */
  requestOf: (operation: Operation, changes?: readonly Change[]) => HttpRequest
  pointsOf: (operation: Operation) => readonly Point[]
  /** Sends a request; rejects with SendFailed if there is no response, or with ScanStopped if the scan is over. */
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  /** As `send` with `requestOf`, but null if there is no response. */
  attempt: (operation: Operation, changes?: readonly Change[], options?: SendOptions) => Promise<Exchange | null>
  /** The operation's baseline, made on first use; null if the operation does not respond. */
  baseline: (operation: Operation) => Promise<Baseline | null>
  /** The operation's response to that identity in the first pass; by default the first identity's; null: the anonymous one. */
  seen: (operation: Operation, identity?: Identity | null) => Exchange | undefined
  /** The response to an identity's sign-in; null if its login returned no token. */
  signedIn: (identity: Identity) => Exchange | null
  /** the current cookies of the first identity, or of the anonymous visitor */
  cookies: () => readonly (readonly [name: string, value: string])[]
  /** the path below which a browser sends that cookie */
  pathOfCookie: (name: string) => string
  /** the credentials of the first identity, or of the anonymous visitor, that a browser adds to such a request from another site */
  acrossSites: (method: string) => HttpRequest['headers']
  /** a new lower-case word that occurs nowhere else */
  word: () => string
  /** a new whole number of so many digits, without a zero at its start or end */
  number: (digits: number) => number
  /** private addresses that may be called */
  allowed: Allowed
  /** what a browser needs to act as the first identity; null if the scan uses no browser */
  asBrowser: (() => Credentials) | null
  /** what is wrong with the certificate of an address's host */
  certificateFaults: (url: string) => readonly CertificateFault[]
  /** null if the scan has no listener */
  outOfBand: OutOfBand | null
  /** Reports what appears only after the probe: an out-of-band request, or a stored value. */
  report: (check: Check, sighting: Sighting) => void
  signal: AbortSignal
}
