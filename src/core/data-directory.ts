// The data directory: created with access for this account alone, or refused in a sentence that names its setting.

import { chmodSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OperatorError } from './errors.ts'

/**
 * Makes the directory where there is none, and answers with its real path. One that root makes can be passed through, but not
 * listed, by the account that PostgreSQL runs as; any other is closed to everybody else.
 */
export function makeDataDirectory(path: string): string {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  try {
    // A strict umask must not take away what the account needs, so the mode is set once more.
    if (make(resolve(path), mode)) chmodSync(path, mode)
    return realpathSync(path)
  } catch (cause) {
    throw new OperatorError(
      `The data directory ${resolve(path)} cannot be made or used (${codeOf(cause)}): set MERLON_DATA to a directory that this user may write to`,
      { cause },
    )
  }
}

/** Step by step, because mkdir's own recursion never ends below /proc. Answers with whether it was made. */
function make(path: string, mode: number): boolean {
  try {
    mkdirSync(path, mode)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return false
    if (codeOf(error) !== 'ENOENT' || !make(dirname(path), mode)) throw error
  }
  mkdirSync(path, mode)
  return true
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
