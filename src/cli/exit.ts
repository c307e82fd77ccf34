// How a command ends: one sentence on standard error and a code that programs can tell apart.

import { BackupError } from '../core/backup.ts'
import { ConfigurationError } from '../core/config.ts'
import { DataDirectoryHeld } from '../core/db/embedded.ts'
import { MigrationError } from '../core/db/migrate.ts'
import { WrongRootKey } from '../core/keyring.ts'
import { Refused, Unreachable, WrongUse } from './client.ts'

/** The service, or the command, said no. */
export const REFUSED = 1
/** The command was called in a way that it does not understand. */
export const WRONG_USE = 2
/** The service could not be reached. */
export const UNREACHABLE = 3
/** A gate said no. */
export const GATE = 4

/** Faults whose message is made for the operator; others are shown with their stack. */
const spoken = [BackupError, DataDirectoryHeld, MigrationError, WrongRootKey, Refused, Unreachable, WrongUse]

export function leave(error: unknown): never {
  if (error instanceof ConfigurationError) {
    process.stderr.write(`The configuration cannot be used:\n${error.message}\n`)
    process.exit(WRONG_USE)
  }
  const text = error instanceof Error ? describe(error) : String(error)
  process.stderr.write(`${text}\n`)
  if (error instanceof Unreachable) process.exit(UNREACHABLE)
  process.exit(error instanceof WrongUse ? WRONG_USE : REFUSED)
}

function describe(error: Error): string {
  const isSpoken = spoken.some((kind) => error instanceof kind) || isSystemFailure(error)
  return isSpoken ? error.message : (error.stack ?? error.message)
}

/** A failure that the system names well enough by itself, such as a port in use or a directory that may not be written. */
const isSystemFailure = (error: Error): boolean => 'syscall' in error && 'code' in error
