// Classifies a vendor's answers and failures (success, retry later, final), and says how long each kind of caller waits.

import type { OutboundAnswer } from '../core/outbound.ts'
import type { OutboundFailed } from '../core/outbound-errors.ts'
import { refusalOfStatus, tellable, VendorFailed, VendorRefused } from './errors.ts'
import type { Spoken } from './http-request.ts'
import type { Credential } from './kinds.ts'
import { readWait, readWaitOfGood } from './rates.ts'

/** `isTheirs`: counts for the breaker. LATER: retry after a pause; WAIT: retry when the limiter allows it. */
export type Trouble =
  | { kind: 'WAIT' | 'LATER'; isTheirs: boolean; error: VendorFailed }
  | { kind: 'FINAL'; isTheirs: boolean; error: VendorFailed | VendorRefused }
  | { kind: 'UNAUTHORIZED'; isTheirs: false; error: VendorRefused }

/**
 * Milliseconds: `timeout` of one try, `wait` for the vendor's limits before one try, `overall` for all tries; pauses between
 * tries are drawn from 0 to `first`, doubling up to `longest` (full jitter).
 */
export const patiences = {
  CALLER: { tries: 3, timeout: 12_000, wait: 5_000, overall: 20_000, first: 250, longest: 2_000 },
  JOB: { tries: 5, timeout: 60_000, wait: 600_000, overall: 900_000, first: 1_000, longest: 120_000 },
} as const

export const isRepeatable = (method: string, said: boolean | undefined): boolean =>
  said ?? ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method)

/** `also`: statuses that count as success besides 200 to 299; `now`: milliseconds since 1970. */
type Asked = { mayRepeat: boolean; also: readonly number[] | undefined; credential: Credential; now: number }

/** The trouble with an answer, null if there is none, and the milliseconds for which the vendor asks us to pause. */
export function judge(
  connector: Spoken,
  answer: OutboundAnswer,
  { mayRepeat, also, credential, now }: Asked,
): { trouble: Trouble | null; pause: number } {
  const { name, rates } = connector
  const { status, headers } = answer
  const isGood = (status >= 200 && status < 300) || also?.includes(status) === true
  if (isGood || status < 400) {
    const pause = readWaitOfGood(headers, rates, now) ?? 0
    if (connector.pageMeansSignIn && isSignInPage(answer)) return { trouble: unauthorized(name, status, null), pause }
    return { trouble: isGood ? null : final(new VendorFailed(name, 'LED_ELSEWHERE', { status }), false), pause }
  }
  const asked = status === 429 || status === 503 ? readWait(headers, rates, now) : null
  const pause = asked ?? (status === 429 ? rates.blindWait : 0)
  if (status === 429) {
    return {
      trouble: { kind: 'WAIT', isTheirs: false, error: new VendorFailed(name, 'WAIT', { status, wait: pause }) },
      pause,
    }
  }
  if (status >= 500) {
    const error = new VendorFailed(name, 'SERVER_ERROR', { status, wait: pause || undefined })
    return { trouble: again(error, mayRepeat), pause }
  }
  const detail = tellable(wordsOf(connector, answer), secretsOf(credential))
  if (status === 401) return { trouble: unauthorized(name, status, detail), pause }
  return { trouble: final(new VendorRefused(name, refusalOfStatus(status), { status, detail }), false), pause }
}

const unauthorized = (name: string, status: number, detail: string | null): Trouble => ({
  kind: 'UNAUTHORIZED',
  isTheirs: false,
  error: new VendorRefused(name, 'CREDENTIAL', { status, detail }),
})

function wordsOf({ readError }: Spoken, { body }: OutboundAnswer): string | null {
  try {
    return readError?.(readJson(body)) ?? null
  } catch {
    return null
  }
}

/** The trouble of a call without an answer: retried if the vendor cannot have received it, or if receiving it twice does no harm. */
export function failureOf(name: string, failed: OutboundFailed, mayRepeat: boolean): Trouble {
  const cause = failed
  switch (failed.reason) {
    case 'BAD_ADDRESS':
    case 'FORBIDDEN_ADDRESS':
      return final(new VendorRefused(name, 'ADDRESS', { detail: failed.message, cause }), false)
    case 'UNTRUSTED':
      return final(new VendorFailed(name, 'UNREACHABLE', { detail: failed.message, cause }), true)
    case 'TOO_LARGE':
      return final(new VendorFailed(name, 'TOO_LARGE', { cause }), false)
    case 'SENT_ELSEWHERE':
      return final(new VendorFailed(name, 'LED_ELSEWHERE', { cause }), false)
    case 'UNREADABLE':
      return final(new VendorFailed(name, 'BROKEN_ANSWER', { detail: failed.message, cause }), true)
    case 'TIMEOUT':
      return again(new VendorFailed(name, 'TIMEOUT', { cause }), !failed.isSent || mayRepeat)
    case 'NOT_FOUND':
    case 'UNREACHABLE':
    case 'CUT':
      return again(
        new VendorFailed(name, 'UNREACHABLE', { detail: failed.message, cause }),
        !failed.isSent || mayRepeat,
      )
  }
}

const final = (error: VendorFailed | VendorRefused, isTheirs: boolean): Trouble => ({ kind: 'FINAL', isTheirs, error })
const again = (error: VendorFailed, mayRepeat: boolean): Trouble =>
  mayRepeat ? { kind: 'LATER', isTheirs: true, error } : final(error, true)

/** Whether the answer is a web page, although data was requested. */
export const isSignInPage = ({ status, headers, body }: Pick<OutboundAnswer, 'status' | 'headers' | 'body'>): boolean =>
  (status >= 300 && status < 400) ||
  /^(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '') ||
  /^\s*<(!doctype|html)/i.test(body.subarray(0, 100).toString('latin1'))

/** Parsed JSON, with characters replaced that PostgreSQL cannot store; undefined for an empty body. Throws if it is not JSON. */
export function readJson(body: Buffer): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') return undefined
  if (!/\\u(0000|d[89a-f])/i.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value,
  )
}

/** As readJson, but undefined if it is not JSON. */
export function jsonOrNone(body: Uint8Array): unknown {
  try {
    return readJson(Buffer.from(body))
  } catch {
    return undefined
  }
}

/** The secret parts of a credential, which no message may contain. */
const secretsOf = (credential: Credential): string[] => {
  switch (credential.kind) {
    case 'KEY_PAIR':
      return [credential.secretKey, credential.accessKey]
    case 'TOKEN':
      return [credential.token]
    case 'LOGIN':
      return [credential.token, Buffer.from(`${credential.email}:${credential.token}`).toString('base64')]
    case 'OAUTH':
      return [credential.accessToken, ...(credential.refreshToken === null ? [] : [credential.refreshToken])]
  }
}
