// How a command ends: one sentence on standard error, and an exit code that a program can act on.

import { ApplicationError, OperatorError } from '../core/errors.ts'
import { Refused, Unreachable } from './client.ts'
import { withoutControls } from './output.ts'
import { brokenOffWith } from './signals.ts'
import { WrongUse } from './wrong-use.ts'

/** The service or the command refused. */
export const REFUSED = 1
/** The command was called wrongly, or the configuration is invalid. */
export const WRONG_USE = 2
/** The service could not be reached. */
const UNREACHABLE = 3
/** A gate did not pass. */
export const BLOCKED = 4

export function leave(error: unknown): never {
  process.stderr.write(`${withoutControls(describe(error))}\n`)
  process.exit(brokenOffWith() ?? codeOf(error))
}

function codeOf(error: unknown): number {
  if (error instanceof Unreachable) return UNREACHABLE
  if (error instanceof Refused) return isOfWhatWasGiven(error) ? WRONG_USE : REFUSED
  const isWrongUse = error instanceof WrongUse || (error instanceof Error && error.name === 'ConfigurationError')
  return isWrongUse ? WRONG_USE : REFUSED
}

/** Whether the caller gave a wrong id, name or flag. */
const isOfWhatWasGiven = ({ code, isOfWords }: Refused): boolean =>
  code === 'NOT_FOUND' || (code === 'BAD_USER_INPUT' && isOfWords)

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === UNDEFINED_TABLE) {
    return 'The database has no tables of Merlon, or older ones: run merlon migrate, or say where it is with MERLON_DATA or DATABASE_URL'
  }
  if (error instanceof ApplicationError) return [error.message, ...reasonOf(error.cause)].join(': ')
  const isPlain = error instanceof OperatorError || isSystemFailure(error) || isDatabaseRefusal(error)
  return isPlain ? error.message : (error.stack ?? error.message)
}

/** What the store of the files or an outside host said; a refused connection to several addresses has a code alone. */
const reasonOf = (cause: unknown): string[] =>
  cause instanceof Error ? [cause.message || ('code' in cause ? String(cause.code) : cause.name)] : []

/** PostgreSQL's code for a missing table. */
const UNDEFINED_TABLE = '42P01'

/** Failures that PostgreSQL explains well enough: refused logins, a missing database, no disk space, no free connection. */
const isDatabaseRefusal = (error: Error): boolean =>
  'severity' in error && 'code' in error && /^(28|3D|53|57P)/.test(String(error.code))

/** Failures that the operating system explains well enough, such as a port in use or a directory that is not writable. */
const isSystemFailure = (error: Error): boolean => 'syscall' in error && 'code' in error
