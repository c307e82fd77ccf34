// Two error types, one for a vendor that failed and one for a vendor that refused, each with a closed list of kinds and no credential in its message.

import { ApplicationError, type ErrorCode } from '../core/errors.ts'

/** The vendor failed; the same call may succeed later. */
const failures = {
  UNREACHABLE: { code: 'UPSTREAM_FAILED', says: 'cannot be reached at the moment' },
  TIMEOUT: { code: 'UPSTREAM_TIMEOUT', says: 'took too long to answer' },
  SERVER_ERROR: { code: 'UPSTREAM_FAILED', says: 'has an internal error at the moment' },
  BROKEN_ANSWER: { code: 'UPSTREAM_FAILED', says: 'returned an unreadable response' },
  LED_ELSEWHERE: { code: 'UPSTREAM_FAILED', says: 'redirected to another host, which is not followed' },
  TOO_LARGE: { code: 'UPSTREAM_FAILED', says: 'returned a response that is too large' },
  WAIT: { code: 'RATE_LIMITED', says: 'limits the request rate' },
  PAUSED: { code: 'UPSTREAM_FAILED', says: 'failed several times in a row, so calls pause for a while' },
} as const satisfies Record<string, { code: ErrorCode; says: string }>

/** The vendor refused; the same call will not succeed. */
const refusals = {
  CREDENTIAL: { code: 'FAILED_PRECONDITION', says: 'does not accept the credential' },
  BROKEN: { code: 'FAILED_PRECONDITION', says: 'stopped accepting the credential; connect it again' },
  PERMISSION: { code: 'FAILED_PRECONDITION', says: 'does not permit this with the credential' },
  MISSING: { code: 'NOT_FOUND', says: 'has no such object' },
  CONFLICT: { code: 'CONFLICT', says: 'has changed this in the meantime' },
  INVALID: { code: 'BAD_USER_INPUT', says: 'does not accept this' },
  ADDRESS: { code: 'BAD_USER_INPUT', says: 'has an address that may not be called' },
} as const satisfies Record<string, { code: ErrorCode; says: string }>

export type FailureKind = keyof typeof failures
export type RefusalKind = keyof typeof refusals

type Told = {
  /** HTTP status of the vendor's answer, if there was one */
  status?: number
  /** the vendor's words, or ours on what is wrong with the answer */
  detail?: string | null
  cause?: unknown
  /** milliseconds that the vendor asks to wait */
  wait?: number
}

const sentence = (name: string, says: string, detail: string | null | undefined) =>
  `${name} ${says}${detail ? `: ${detail}` : ''}`

export class VendorFailed extends ApplicationError {
  readonly kind: FailureKind
  readonly status: number | undefined

  constructor(name: string, kind: FailureKind, { status, detail, cause, wait }: Told = {}) {
    const { code, says } = failures[kind]
    const retryAfterSeconds = wait === undefined ? undefined : Math.max(1, Math.ceil(wait / 1000))
    super(code, sentence(name, says, detail), { cause, retryAfterSeconds })
    this.kind = kind
    this.status = status
  }
}

export class VendorRefused extends ApplicationError {
  readonly kind: RefusalKind
  readonly status: number | undefined

  constructor(name: string, kind: RefusalKind, { status, detail, cause }: Told = {}) {
    const { code, says } = refusals[kind]
    super(code, sentence(name, says, detail), { cause, retryable: false })
    this.kind = kind
    this.status = status
  }
}

/** The meaning of a status from 400 to 499. */
export function refusalOfStatus(status: number): RefusalKind {
  if (status === 401) return 'CREDENTIAL'
  if (status === 402 || status === 403) return 'PERMISSION'
  if (status === 404 || status === 410) return 'MISSING'
  return status === 409 || status === 412 ? 'CONFLICT' : 'INVALID'
}

/** A vendor's message in one line of at most 200 characters, without any of the secrets. */
export function tellable(words: string | null, secrets: readonly string[]): string | null {
  if (words === null) return null
  let text = words
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, '[redacted]')
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line === '' ? null : line.length > 200 ? `${line.slice(0, 199)}…` : line
}
