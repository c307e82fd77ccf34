// Each vendor's rate limits, and how its answers ask us to wait: one row per vendor, with a link to its documentation.

import type { ConnectorType } from './kinds.ts'

/** A header that says when to continue. DATE_OR_SECONDS is Retry-After (RFC 9110, 10.2.3); EPOCH counts seconds since 1970. */
type WaitSignal = { header: string; unit: 'DATE_OR_SECONDS' | 'EPOCH' | 'SECONDS' }

export type RateRow = {
  /** requests in any window of `per` milliseconds, for one credential */
  requests: number
  per: number
  /** most requests of a credential at the same time */
  concurrency: number
  /** the first header that is present counts */
  waits: readonly WaitSignal[]
  /** header with the requests left in the window; at 0 the waits are obeyed on successful answers too. Null: there is no such header */
  remaining: string | null
  /** milliseconds to wait after a 429 that does not say how long */
  blindWait: number
  page: string
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const retryAfter: WaitSignal = { header: 'retry-after', unit: 'DATE_OR_SECONDS' }

export const rateTable = {
  HOST_A: {
    requests: 1_000,
    per: HOUR,
    concurrency: 4,
    waits: [retryAfter],
    remaining: null,
    blindWait: 30 * SECOND,
    page: 'https://support.atlassian.com/bitbucket-cloud/docs/api-request-limits/',
  },
  HOST_B: {
    requests: 2_000,
    per: MINUTE,
    concurrency: 8,
    waits: [retryAfter, { header: 'ratelimit-reset', unit: 'EPOCH' }],
    remaining: 'ratelimit-remaining',
    blindWait: MINUTE,
    page: 'https://docs.gitlab.com/user/gitlab_com/#rate-limits-on-gitlabcom',
  },
  // 200 units in 5 minutes; the cost of a request is unknown beforehand, so this is an estimate that Retry-After corrects
  BOARDS_TRACKER: {
    requests: 600,
    per: 5 * MINUTE,
    concurrency: 4,
    waits: [retryAfter, { header: 'x-ratelimit-reset', unit: 'EPOCH' }],
    remaining: 'x-ratelimit-remaining',
    blindWait: 30 * SECOND,
    page: 'https://learn.microsoft.com/en-us/azure/devops/integrate/concepts/rate-limits',
  },
  TASK_TRACKER: {
    requests: 100,
    per: MINUTE,
    concurrency: 4,
    waits: [{ header: 'x-ratelimit-reset', unit: 'EPOCH' }, retryAfter],
    remaining: 'x-ratelimit-remaining',
    blindWait: MINUTE,
    page: 'https://developer.clickup.com/docs/rate-limits',
  },
  // the limit moves with the load: only the concurrency is known
  SCANNER_A: {
    requests: 300,
    per: MINUTE,
    concurrency: 1,
    waits: [retryAfter],
    remaining: null,
    blindWait: 30 * SECOND,
    page: 'https://developer.tenable.com/docs/rate-limiting',
  },
  // beyond the limit every call is refused until none was made for a minute
  SCANNER_B: {
    requests: 1_620,
    per: MINUTE,
    concurrency: 4,
    waits: [retryAfter],
    remaining: null,
    blindWait: MINUTE,
    page: 'https://docs.snyk.io/developer-tools/snyk-api/rest-api/about-the-rest-api',
  },
} as const satisfies Record<ConnectorType, RateRow>

type Headers = Readonly<Record<string, string>>

/** Milliseconds for which an answer asks us to wait; null if it does not. 0 for a time that has passed. */
export function readWait(headers: Headers, { waits }: Pick<RateRow, 'waits'>, now: number): number | null {
  for (const { header, unit } of waits) {
    const text = headers[header]?.trim()
    if (!text) continue
    const wait = /^\d{1,15}(\.\d+)?$/.test(text) ? numbered(Number(text), unit, now) : dated(text, now)
    if (wait !== null) return Math.max(0, wait)
  }
  return null
}

/** An epoch of fewer than ten digits is a number of seconds, as drafts of RateLimit-Reset have it; of thirteen, milliseconds. */
function numbered(value: number, unit: WaitSignal['unit'], now: number): number {
  if (unit !== 'EPOCH' || value < 1e9) return value * 1000
  return (value < 1e12 ? value * 1000 : value) - now
}

function dated(text: string, now: number): number | null {
  const time = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : time - now
}

/** As readWait, for a successful answer: Retry-After always counts, the other headers only once nothing is left in the window. */
export function readWaitOfGood(headers: Headers, row: Pick<RateRow, 'waits' | 'remaining'>, now: number) {
  const isUsedUp = row.remaining !== null && /^0+(\.0+)?$/.test(headers[row.remaining]?.trim() ?? '')
  return readWait(headers, isUsedUp ? row : { waits: [retryAfter] }, now)
}

/** The requests left in the window; null if the answer does not say. */
export function readRemaining(headers: Headers, { remaining }: Pick<RateRow, 'remaining'>): number | null {
  const text = remaining === null ? '' : (headers[remaining]?.trim() ?? '')
  return /^\d{1,9}(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : null
}
