// Decides which fields of a known finding a scan may overwrite: those whose value is still what a scan wrote last.

import { sha256In } from '../../../core/crypto.ts'
import { remembered } from '../../../core/remembered.ts'
import type { ScanFields } from './finding.ts'

type FieldName = keyof ScanFields

/** Field → short hash of what a scan last wrote there; `unrated`: the severity that a finding has because no scan gave one, else '' or nothing. */
export type ScanDigest = Record<string, string>

/** What to write: the fields that change, and the entries to add to the digest. */
type FieldChange = { set: Partial<ScanFields>; digest: ScanDigest }

/** The change of a report whose fields are to be ignored. */
export const noChange: FieldChange = { set: {}, digest: {} }

const names = [
  'title',
  'description',
  'severity',
  'impactLevel',
  'probabilityLevel',
  'cvssScore',
  'cvssVector',
  'category',
  'cweIds',
  'patterns',
  'reference',
  'solution',
  'source',
  'sink',
  'detail',
  'originalIssueIdFromTool',
  'fingerprint',
  'partialFingerprint',
] as const satisfies readonly FieldName[]

/** The digest of what a scan writes when it creates the finding. */
export function digestOf(fields: ScanFields): ScanDigest {
  const digest: ScanDigest = {}
  for (const name of names) {
    if (!isEmpty(fields[name])) digest[name] = hashOf(fields[name])
  }
  return digest
}

/**
 * The changes that a scan's fields make. A field that differs from what a scan wrote last was edited by a person and stays; so does a field
 * that a person filled in and no scan ever wrote. Fields that the scan leaves out stay as they are. The first severity that is given is a
 * change even if it is the one that the finding had without.
 */
export function changeOf(present: ScanFields, digest: ScanDigest, given: ScanFields): FieldChange {
  const set: Partial<Record<FieldName, unknown>> = {}
  const gained: ScanDigest = {}
  for (const name of names) {
    const value = given[name]
    const isFirst = name === 'severity' && Boolean(digest.unrated)
    if (isEmpty(value) || (value === present[name] && !isFirst)) continue
    const [before, after] = [hashOf(present[name]), hashOf(value)]
    if (before === after && !isFirst) continue
    const isScans = digest[name] === undefined ? isEmpty(present[name]) : digest[name] === before
    if (!isScans) continue
    set[name] = value
    gained[name] = after
    if (isFirst) gained.unrated = ''
  }
  return { set: set as Partial<ScanFields>, digest: gained }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

/** Caches hashes of short values, most of which many findings share: a severity, a category, a rule's title. */
const rememberedHash = remembered(5000, shortHash)
const LONGEST_KNOWN = 200

function hashOf(value: unknown): string {
  const text = canonical(value)
  return text.length > LONGEST_KNOWN ? shortHash(text) : rememberedHash(text)
}

/** 48 bits: all that a collision could do is let a scan overwrite a person's edit of one field. */
function shortHash(text: string): string {
  return sha256In('base64url', text).slice(0, 8)
}

const canonical = (value: unknown): string => JSON.stringify(ordered(value ?? null))

/** Sorts the keys of objects, which the database returns in an order of its own. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(ordered)
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, each]) => [name, ordered(each)])
}
