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
  /** the operation's key; of a cause that many share, of the first */
  operation: string
  /** what has to be asked again before its absence says something: the operation's key, or what `placeOf` answers with */
  place: string
  method: string
  url: string
  parameter: { place: string; name: string } | null
  evidence: Evidence
  /** how many answers that differ showed the cause, and where besides: at most 20 operations */
  count: number
  others: readonly string[]
  /** hex of SHA-256 over check, operation and parameter, or check and cause */
  fingerprint: string
}

/** Texts with credentials masked; `proof` are ranges of characters in `response` (or `request` when `isInRequest`). */
export type Evidence = {
  request: string
  response: string
  proof: readonly { from: number; to: number; isInRequest: boolean }[]
  /** a command line that asks the same */
  curl: string
}

/** Of what is no operation: its method and path, told apart from an operation's key. */
export const placeOf = ({ request }: Pick<Exchange, 'request'>): string => `asked ${addressOf(request)}`

export const addressOf = ({ method, url }: Exchange['request']): string =>
  `${method} ${URL.parse(url)?.pathname ?? url}`
