// How errors leave the service: masked unless they are meant for the caller, with a code and the request's id.

import { GraphQLError } from 'graphql'
import { databaseFailure } from '../core/db/open.ts'
import { ApplicationError, type ErrorCode, type ErrorReason } from '../core/errors.ts'
import type { Log } from '../core/log.ts'

/** An entry of `errors` as it is sent. */
export type ShownError = {
  message: string
  path?: readonly (string | number)[]
  locations?: readonly { line: number; column: number }[]
  extensions: { code: ErrorCode; requestId: string; argument?: string; reason?: ErrorReason; retryable: boolean }
}

const MASKED = 'Something went wrong on our side'

/** The failure as one that may be shown; an unknown one is logged in full and masked. */
export function asApplicationError(error: unknown, log: Log, requestId: string): ApplicationError {
  if (error instanceof ApplicationError) return error
  const known = databaseFailure(error)
  if (known) {
    log.warn({ requestId, err: error }, known.message)
    return known
  }
  log.error({ requestId, err: error }, MASKED)
  return new ApplicationError('INTERNAL_SERVER_ERROR', MASKED, { cause: error })
}

export function showError(error: ApplicationError, requestId: string): ShownError {
  const { code, argument, reason, retryable } = error
  const more = { ...(argument ? { argument } : {}), ...(reason ? { reason } : {}) }
  return { message: error.message, extensions: { code, requestId, ...more, retryable } }
}

/**
 * Cuts messages of graphql-js before the value that they repeat, because a value in a document may be a secret. Names and null stay.
 */
const withoutValue = (message: string): string =>
  message
    .replace(/^Value ".*" does not exist in /s, 'The value does not exist in ')
    .replace(/ value: .*$/s, ' value')
    .replace(/, found (?!null)(?:["'[{$\d.-]|true|false|[A-Za-z_]\w*[;.]).*$/s, '')
    .replace(/(found|Unexpected) (String|BlockString|Int|Float) ".*"/s, '$1 $2')

/** An error in parsing or validating a document, or in reading its variables. */
export function showDocumentError(error: GraphQLError, code: ErrorCode, requestId: string): ShownError {
  return {
    message: withoutValue(error.message),
    ...(error.locations ? { locations: error.locations } : {}),
    extensions: { code, requestId, retryable: false },
  }
}

/** An error raised by a field during execution; one without an original error is a value that could not be read. */
export function showFieldError(error: GraphQLError, log: Log, requestId: string): ShownError {
  const cause = originalOf(error)
  if (cause instanceof ApplicationError || !(cause instanceof GraphQLError)) {
    const shown = showError(asApplicationError(cause, log, requestId), requestId)
    return error.path ? { ...shown, path: error.path } : shown
  }
  if (!error.path) return showDocumentError(error, 'BAD_USER_INPUT', requestId)
  const masked = asApplicationError(new Error(error.message), log, requestId)
  return { ...showError(masked, requestId), path: error.path }
}

/** The original error, without the wrappers of executors. */
function originalOf(error: Error): Error {
  if (error instanceof GraphQLError && error.originalError && error.originalError !== error) {
    return originalOf(error.originalError)
  }
  return error
}
