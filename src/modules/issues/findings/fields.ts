// What a scan may overwrite of a finding that is known: the fields whose value is still the one that a scan wrote.

import { sha256In } from '../../../core/crypto.ts'
import { remembered } from '../../../core/remembered.ts'
import type { ScanFields } from './finding.ts'

export type FieldName = keyof ScanFields

/** Field → short hash of what a scan last wrote there. */
export type ScanDigest = Record<string, string>

/** What is to be written: the fields that change, and what the digest gains by it. */
export type FieldChange = { set: Partial<ScanFields>; digest: ScanDigest }

/** What a report comes to whose words are not to be taken. */
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
 * What a scan's new words change. A field that differs from what a scan last wrote is a person's and stays; so does one
 * that a person filled where scans had said nothing. What the scan leaves out stays as it is.
 */
export function changeOf(present: ScanFields, digest: ScanDigest, given: ScanFields): FieldChange {
  const set: Partial<Record<FieldName, unknown>> = {}
  const gained: ScanDigest = {}
  for (const name of names) {
    const value = given[name]
    if (isEmpty(value) || value === present[name]) continue
    const [before, after] = [hashOf(present[name]), hashOf(value)]
    if (before === after) continue
    const isScans = digest[name] === undefined ? isEmpty(present[name]) : digest[name] === before
    if (!isScans) continue
    set[name] = value
    gained[name] = after
  }
  return { set: set as Partial<ScanFields>, digest: gained }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

/** Hashes of short values, most of which many findings have: a severity, a category, a rule's title. */
const rememberedHash = remembered(5000, shortHash)
const LONGEST_KNOWN = 200

function hashOf(value: unknown): string {
  const text = canonical(value)
  return text.length > LONGEST_KNOWN ? shortHash(text) : rememberedHash(text)
}

/** 48 bits: a chance collision would keep a scan's word as a person's, which harms nothing. */
function shortHash(text: string): string {
  return sha256In('base64url', text).slice(0, 8)
}

const canonical = (value: unknown): string => JSON.stringify(ordered(value ?? null))

/** Whatever order the database gives the keys of an object. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(ordered)
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, each]) => [name, ordered(each)])
}
