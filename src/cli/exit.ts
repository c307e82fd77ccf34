// How a command ends: one sentence on standard error, and an exit code that a program can act on.

import { OperatorError } from '../core/errors.ts'
import { Refused, Unreachable } from './client.ts'
import { withoutControls } from './output.ts'
import { WrongUse } from './wrong-use.ts'

/** The service, or the command, said no. */
export const REFUSED = 1
/** The command was called in a way that it does not understand, or the configuration cannot be used. */
export const WRONG_USE = 2
/** The service could not be reached. */
const UNREACHABLE = 3
/** A gate said no. */
export const BLOCKED = 4

export function leave(error: unknown): never {
  process.stderr.write(`${withoutControls(describe(error))}\n`)
  process.exit(codeOf(error))
}

function codeOf(error: unknown): number {
  if (error instanceof Unreachable) return UNREACHABLE
  if (error instanceof Refused) return isOfWhatWasGiven(error) ? WRONG_USE : REFUSED
  const isWrongUse = error instanceof WrongUse || (error instanceof Error && error.name === 'ConfigurationError')
  return isWrongUse ? WRONG_USE : REFUSED
}

/** Whether an id, a name or a flag cannot be right. */
const isOfWhatWasGiven = ({ code, isOfWords }: Refused): boolean =>
  code === 'NOT_FOUND' || (code === 'BAD_USER_INPUT' && isOfWords)

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === UNDEFINED_TABLE) {
    return 'The database has no tables of Merlon, or older ones: run merlon migrate, or say where it is with MERLON_DATA or DATABASE_URL'
  }
  const isPlain = error instanceof OperatorError || isSystemFailure(error) || isDatabaseRefusal(error)
  return isPlain ? error.message : (error.stack ?? error.message)
}

/** PostgreSQL's code for a table that is not there. */
const UNDEFINED_TABLE = '42P01'

/** What PostgreSQL names well enough by itself: who may not come in, a database that is not there, no room, no connection left. */
const isDatabaseRefusal = (error: Error): boolean =>
  'severity' in error && 'code' in error && /^(28|3D|53|57P)/.test(String(error.code))

/** A failure that the system names well enough by itself, such as a port in use or a directory that may not be written. */
const isSystemFailure = (error: Error): boolean => 'syscall' in error && 'code' in error
