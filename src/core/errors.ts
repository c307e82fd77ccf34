// The closed table of errors: code, HTTP status, whether a retry may help; and the functions that create them.

import { type Kind, theRecord } from './kinds.ts'

export const errorTable = {
  BAD_REQUEST: { status: 400, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  GRAPHQL_PARSE_FAILED: { status: 400, retryable: false },
  GRAPHQL_VALIDATION_FAILED: { status: 400, retryable: false },
  QUERY_TOO_COMPLEX: { status: 400, retryable: false },
  BAD_USER_INPUT: { status: 400, retryable: false },
  UNAUTHENTICATED: { status: 401, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  CONFLICT: { status: 409, retryable: false },
  FAILED_PRECONDITION: { status: 422, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  UPSTREAM_FAILED: { status: 502, retryable: true },
  UPSTREAM_TIMEOUT: { status: 504, retryable: true },
  TIMEOUT: { status: 504, retryable: true },
  UNAVAILABLE: { status: 503, retryable: true },
  INTERNAL_SERVER_ERROR: { status: 500, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>

export type ErrorCode = keyof typeof errorTable

/** A fault of the installation or of a command; the message is for the person at the terminal. */
export class OperatorError extends Error {}

/** What a program has to tell from other errors of the same code and argument: the file may not be a report at all. */
export type ErrorReason = 'FORMAT_NOT_RECOGNISED'

type Details = {
  argument?: string
  reason?: ErrorReason
  retryable?: boolean
  cause?: unknown
  retryAfterSeconds?: number
}

/** An error whose message is one sentence that may be shown to the caller. */
export class ApplicationError extends Error {
  readonly code: ErrorCode
  readonly argument: string | undefined
  readonly reason: ErrorReason | undefined
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'ApplicationError'
    this.code = code
    this.argument = details.argument
    this.reason = details.reason
    this.retryable = details.retryable ?? errorTable[code].retryable
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** The caller gave an invalid value; `argument` is its path, such as `input.assetId`. */
export const badUserInput = (message: string, argument?: string) =>
  new ApplicationError('BAD_USER_INPUT', message, { argument })

/** The same message for what does not exist and for what belongs to somebody else. */
export const notFound = (kind: Kind, id: string | number) =>
  new ApplicationError('NOT_FOUND', `${theRecord(kind, id)} was not found`)

export const forbidden = (message: string) => new ApplicationError('FORBIDDEN', message)

export const conflict = (message: string, retryable = false) => new ApplicationError('CONFLICT', message, { retryable })

export const failedPrecondition = (message: string) => new ApplicationError('FAILED_PRECONDITION', message)

export const payloadTooLarge = (message: string, argument?: string) =>
  new ApplicationError('PAYLOAD_TOO_LARGE', message, { argument })
