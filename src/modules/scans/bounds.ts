// The limits and schedule of a scan: read from input and checked. Uses no database.

import { badUserInput } from '../../core/errors.ts'
import { isSchedule } from '../../core/schedules.ts'

export type Bounds = {
  /** globs over the path; empty: all */
  includePaths: string[]
  excludePaths: string[]
  /** null: 50 */
  requestsPerSecond: number | null
  /** null: 60,000 */
  maxRequests: number | null
  /** null: 60 */
  maxMinutes: number | null
  /** minute hour day month weekday, in UTC; null: only started by people */
  schedule: string | null
  /** whether operations that delete, log out, reset or change passwords are sent too */
  allowDestructive: boolean
}

/** Undefined leaves a value as it is; null removes it. */
export type BoundsInput = { [Name in keyof Bounds]: Bounds[Name] | null | undefined }

const MOST_GLOBS = 100
const LONGEST_GLOB = 500

/** BAD_USER_INPUT naming the field. */
export function readBounds(given: Partial<BoundsInput>, before: Bounds): Bounds {
  return {
    includePaths: readGlobs(given.includePaths, before.includePaths, 'includePaths'),
    excludePaths: readGlobs(given.excludePaths, before.excludePaths, 'excludePaths'),
    requestsPerSecond: readNumber(given.requestsPerSecond, before.requestsPerSecond, 'requestsPerSecond', 1_000),
    maxRequests: readNumber(given.maxRequests, before.maxRequests, 'maxRequests', 10_000_000),
    maxMinutes: readNumber(given.maxMinutes, before.maxMinutes, 'maxMinutes', 24 * 60),
    schedule: readSchedule(given.schedule, before.schedule),
    allowDestructive:
      given.allowDestructive === undefined ? before.allowDestructive : (given.allowDestructive ?? false),
  }
}

function readGlobs(given: string[] | null | undefined, before: string[], field: string): string[] {
  if (given === undefined) return before
  const globs = (given ?? []).map((glob) => glob.trim()).filter((glob) => glob !== '')
  if (globs.length > MOST_GLOBS) throw badUserInput(`${field} takes at most ${MOST_GLOBS} patterns`, `input.${field}`)
  const wrong = globs.find((glob) => !glob.startsWith('/') || glob.length > LONGEST_GLOB)
  if (wrong !== undefined) {
    throw badUserInput(
      `A pattern of ${field} starts with / and has at most ${LONGEST_GLOB} characters`,
      `input.${field}`,
    )
  }
  return globs
}

function readNumber(
  given: number | null | undefined,
  before: number | null,
  field: string,
  most: number,
): number | null {
  if (given === undefined) return before
  if (given === null || (given >= 1 && given <= most)) return given
  throw badUserInput(`${field} is a number from 1 to ${most}`, `input.${field}`)
}

function readSchedule(given: string | null | undefined, before: string | null): string | null {
  if (given === undefined) return before
  const schedule = given?.trim().replace(/\s+/g, ' ') ?? ''
  if (schedule === '') return null
  if (isSchedule(schedule)) return schedule
  throw badUserInput('schedule is minute hour day month weekday, such as 0 3 * * 1', 'input.schedule')
}
