// A finding as a scan reports it: a root cause with its place, its evidence, and its identity for the next scan.

import type { Severity } from './check.ts'
import type { Exchange } from './types.ts'

export type Finding = {
  check: string
  title: string
  severity: Severity
  cwes: readonly number[]
  detail: string
  solution: string
  /** the operation's key; if several share the cause, the first one's */
  operation: string
  /** what a later scan must cover to prove that the finding is gone: the operation's key, or the result of `placeOf` */
  place: string
  method: string
  url: string
  parameter: { place: string; name: string } | null
  evidence: Evidence
  /** the number of different responses that showed the cause, and at most 20 other operations that did */
  count: number
  others: readonly string[]
  /** SHA-256 over check, operation and parameter, or over check and cause; hexadecimal */
  fingerprint: string
}

/** Texts with credentials masked; `proof` are ranges of characters in `response`, or in `request` if `isInRequest`. */
export type Evidence = {
  request: string
  response: string
  proof: readonly { from: number; to: number; isInRequest: boolean }[]
  /** a command line that sends the same request */
  curl: string
}

/** The place of a request that belongs to no operation: its method and path, distinct from any operation's key. */
export const placeOf = ({ request }: Pick<Exchange, 'request'>): string => `asked ${addressOf(request)}`

export const addressOf = ({ method, url }: Exchange['request']): string =>
  `${method} ${URL.parse(url)?.pathname ?? url}`
