// Reads a record in the OSV schema (ossf.github.io/osv-schema) into an advisory.

import { scoreOfVector, severityOfScore } from '../../../core/cvss.ts'
import { osvFields } from '../../../reports/osv.ts'
import { type Fields, isObject, objects, text, textAt, texts } from '../../../reports/values.ts'
import { properName } from '../reviewer.ts'
import { compareVersions, type Ecosystem, isEcosystem } from '../versions/compare.ts'
import type { Advisory, Affected, Interval } from './types.ts'

/** Characters of a description that are kept, and listed versions of one package. */
const LONGEST_TEXT = 4000
const MOST_VERSIONS = 5000

/** The id of a record and when it was modified (ISO 8601), which is read before the rest; null for what is no record. */
export function headOf(value: unknown): { id: string; modified: string } | null {
  if (!isObject(value)) return null
  const id = text(value.id, 200)
  const modified = text(value.modified, 40) ?? ''
  return id === undefined || Number.isNaN(Date.parse(modified))
    ? null
    : { id, modified: new Date(modified).toISOString() }
}

/** Null for what is no record, and for one that speaks of no package of an ecosystem that is compared. */
export function readAdvisory(value: unknown): Advisory | null {
  const head = headOf(value)
  if (head === null || !isObject(value)) return null
  const isWithdrawn = text(value.withdrawn) !== undefined
  const affected = isWithdrawn ? [] : affectedOf(value)
  const [first] = affected
  if (!isWithdrawn && first === undefined) return null
  return { ...head, isWithdrawn, said: saidOf(value, first?.name ?? ''), affected }
}

function saidOf(record: Fields, name: string): Advisory['said'] {
  const { title, description, severity, cvssVector, cweIds, vulnerabilityIds, reference } = osvFields(record, name)
  const cvssScore = cvssVector === undefined ? undefined : (scoreOfVector(cvssVector) ?? undefined)
  return {
    title,
    description: description?.slice(0, LONGEST_TEXT).toWellFormed(),
    severity: severity ?? (cvssScore === undefined ? undefined : severityOfScore(cvssScore)),
    cvssScore,
    cvssVector,
    cweIds,
    vulnerabilityIds,
    reference,
  }
}

function affectedOf(record: Fields): Affected[] {
  return objects(record.affected).flatMap((affected): Affected[] => {
    const [ecosystem = ''] = (textAt(affected.package, 'ecosystem') ?? '').split(':')
    const given = textAt(affected.package, 'name')
    if (!isEcosystem(ecosystem) || given === undefined) return []
    const intervals = objects(affected.ranges)
      .filter(({ type }) => text(type) !== 'GIT')
      .flatMap(({ events }) => intervalsOf(objects(events)))
    const versions = texts(affected.versions)
      .filter((version) => !intervals.some((interval) => isWithin(ecosystem, interval, version)))
      .slice(0, MOST_VERSIONS)
    if (intervals.length === 0 && versions.length === 0) return []
    return [{ ecosystem, name: properName(ecosystem, given), intervals, versions }]
  })
}

/** Each `introduced` opens an interval, and the `fixed` or `last_affected` after it closes it. */
function intervalsOf(events: readonly Fields[]): Interval[] {
  const intervals: Interval[] = []
  let introduced: string | null = null
  for (const event of events) {
    const opens = text(event.introduced)
    const [fixed, lastAffected] = [text(event.fixed) ?? null, text(event.last_affected) ?? null]
    if (opens !== undefined) {
      if (introduced !== null) intervals.push({ introduced, fixed: null, lastAffected: null })
      introduced = opens
    } else if ((fixed ?? lastAffected) !== null) {
      intervals.push({ introduced: introduced ?? '0', fixed, lastAffected })
      introduced = null
    }
  }
  if (introduced !== null) intervals.push({ introduced, fixed: null, lastAffected: null })
  return intervals
}

/** Whether the version is in the interval; false where it cannot be compared. */
export function isWithin(
  ecosystem: Ecosystem,
  { introduced, fixed, lastAffected }: Interval,
  version: string,
): boolean {
  const start = introduced === '0' ? 1 : compareVersions(ecosystem, version, introduced)
  if (start === null || start < 0) return false
  if (fixed !== null) return compareVersions(ecosystem, version, fixed) === -1
  if (lastAffected === null) return compareVersions(ecosystem, version, version) === 0
  const end = compareVersions(ecosystem, version, lastAffected)
  return end === 0 || end === -1
}
