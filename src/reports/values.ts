// Extracts typed values from a parsed report; a value of an unexpected type counts as missing.

import type { Severity } from './types.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The longest text that is kept, in characters; a finding needs no more, and the database accepts no more. */
export const LONGEST_TEXT = 100_000

const noFields: Fields = Object.freeze(Object.create(null))

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object and not an array, else an empty object. */
export const object = (value: unknown): Fields => (isObject(value) ? value : noFields)

/** The value if it is an array, else an empty array. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects in an array; other items are skipped. */
export const objects = (value: unknown): readonly Fields[] => list(value).filter(isObject)

/** The non-empty texts in an array, or a single text as an array; other items are skipped. */
export const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map((each) => text(each)).filter((each) => each !== undefined)

/** The value at a path of keys and indexes, own properties only: `at(result, 'locations', 0, 'id')`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Fields)[key]
  }
  return here
}

/** A non-blank text, trimmed, or a number as text; without NUL and unpaired surrogates, which the database does not accept. */
export function text(value: unknown, most = LONGEST_TEXT): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return undefined
  return storable(value, most).trim() || undefined
}

/** Like `text`, but keeps surrounding white space, for code. */
export function code(value: unknown, most = LONGEST_TEXT): string | undefined {
  if (typeof value !== 'string') return undefined
  const whole = storable(value, most)
  return whole.trim() === '' ? undefined : whole
}

/** The text at the path: `textAt(rule, 'help', 'text')`. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined =>
  text(at(value, ...path))

/** A finite number, or a text that is one. */
export function number(value: unknown): number | undefined {
  if (
    typeof value === 'string' &&
    (value.length > 40 || !/^[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:e[-+]?\d{1,3})?$/i.test(value.trim()))
  )
    return undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : undefined
}

/** A whole number from `least` (1 for a line) to the largest GraphQL Int. */
export function whole(value: unknown, least = 1): number | undefined {
  const parsed = number(value)
  return parsed !== undefined && Number.isInteger(parsed) && parsed >= least && parsed <= 2_147_483_647
    ? parsed
    : undefined
}

/** In PostgreSQL's calendar, which has no year 0. */
const MOMENT = /^((?!0000)\d{4}-\d\d-\d\d)T[\d:.]+(Z|[+-]\d\d:?\d\d)?$/

/** A time in ISO 8601 and UTC that the database can store; without a zone it is taken as UTC. */
export function moment(value: unknown): string | undefined {
  const [given, day, zone] = MOMENT.exec(text(value, 40) ?? '') ?? []
  if (given === undefined || day === undefined || !isDay(day)) return undefined
  const time = Date.parse(zone === undefined ? `${given}Z` : given)
  const read = Number.isNaN(time) ? '' : new Date(time).toISOString()
  if (!MOMENT.test(read)) return undefined
  return zone === 'Z' ? given : read
}

/** Date.parse accepts the 31st of February as a day in March. */
function isDay(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A number between the bounds, such as a CVSS score (0 to 10) or a probability (0 to 1). */
export function between(value: unknown, least: number, most: number): number | undefined {
  const parsed = number(value)
  return parsed !== undefined && parsed >= least && parsed <= most ? parsed : undefined
}

/**
 * A title: the first line (with the next if its sentence continues there), or its first sentence if that is too long, or as much as fits;
 * `fallback` if there is no text.
 */
export function headline(value: string | undefined, fallback: string, most = 200): string {
  const start = (value ?? '').slice(0, 2000).trim()
  const line =
    start
      .replace(/\r?\n[ \t]*(?=[a-z])/g, ' ')
      .split('\n', 1)[0]
      ?.trim() || fallback
  if (line.length <= Math.min(most, 100)) return line
  const sentence = /^.{10,}?(?:(?<!\.)\.|[!?])(?=\s)/.exec(line)?.[0] ?? line
  return sentence.length <= most ? sentence : `${storable(sentence, most - 1).trimEnd()}…`
}

/** The distinct paragraphs, separated by empty lines; undefined if there are none. */
export const paragraphs = (...parts: readonly (string | undefined)[]): string | undefined =>
  uniq(parts).join('\n\n').slice(0, LONGEST_TEXT) || undefined

/** The distinct http and https links, one per line; undefined if there are none. */
export const links = (...parts: readonly (string | undefined)[]): string | undefined =>
  uniq(parts)
    .filter((part) => /^https?:\/\/\S+$/i.test(part))
    .slice(0, 200)
    .join('\n') || undefined

/** The distinct defined values, in their order. */
export const uniq = <T>(values: readonly (T | undefined)[]): T[] => [
  ...new Set(values.filter((value) => value !== undefined)),
]

/** A non-empty array, or undefined, for fields that are omitted if empty. */
export const some = <T>(values: readonly T[]): readonly T[] | undefined => (values.length > 0 ? values : undefined)

/** Caches the result of `make` for an object, as long as the object lives. */
export function onceFor<Key extends object, Made>(): (key: Key, make: () => Made) => Made {
  const known = new WeakMap<Key, { made: Made }>()
  return (key, make) => {
    const before = known.get(key)
    if (before) return before.made
    const made = make()
    known.set(key, { made })
    return made
  }
}

/** The distinct CWE numbers in values of any form (`CWE-79`, `CWE-79: …`, `external/cwe/cwe-079`, `79`, 79). */
export function cwesIn(...values: readonly unknown[]): readonly number[] | undefined {
  const found = values.flatMap((value) => (Array.isArray(value) ? value : [value])).flatMap(cwesOf)
  return some(uniq(found).slice(0, 50))
}

function cwesOf(value: unknown): number[] {
  const plain = whole(value)
  const numbers = plain === undefined ? [...(text(value) ?? '').matchAll(/cwe[-_: /]?0*(\d{1,5})\b/gi)] : [['', plain]]
  return numbers.map(([, digits]) => Number(digits)).filter((id) => id > 0 && id < 100_000)
}

const VULNERABILITY_ID =
  /\b(?:CVE-\d{4}-\d{4,19}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|(?:PYSEC|GO|OSV|RUSTSEC|MAL|RHSA|RHBA|USN|DSA|DLA|GMS|BDSA|ALSA|ELSA|ALAS|SUSE-[SRO]U|TEMP|PRISMA|ZDI|NSWG-ECO)-[0-9][0-9A-Za-z:_-]{2,40}|SNYK-[A-Z0-9]{1,30}-[A-Z0-9-]{1,100}-\d{1,12})\b/gi

/** The distinct vulnerability ids (CVE, GHSA, RUSTSEC and the like) in texts or arrays of texts. */
export function vulnerabilityIdsIn(...values: readonly unknown[]): readonly string[] | undefined {
  const found = values
    .flatMap(texts)
    .flatMap((each) => [...each.matchAll(VULNERABILITY_ID)].map(([id]) => properCase(id)))
  return some(uniq(found).slice(0, 100))
}

/** CVE ids are in upper case, GHSA ids in lower case after the prefix. */
const properCase = (id: string): string =>
  /^ghsa-/i.test(id) ? `GHSA${id.slice(4).toLowerCase()}` : /^cve-/i.test(id) ? id.toUpperCase() : id

const severities: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'CRITICAL'],
  ['blocker', 'CRITICAL'],
  ['high', 'HIGH'],
  ['important', 'HIGH'],
  ['error', 'HIGH'],
  ['severe', 'HIGH'],
  ['major', 'HIGH'],
  ['medium', 'MEDIUM'],
  ['moderate', 'MEDIUM'],
  ['warning', 'MEDIUM'],
  ['low', 'LOW'],
  ['minor', 'LOW'],
  ['note', 'LOW'],
  ['info', 'NOTIFICATION'],
  ['information', 'NOTIFICATION'],
  ['informational', 'NOTIFICATION'],
  ['negligible', 'NOTIFICATION'],
  ['none', 'NOTIFICATION'],
  ['notification', 'NOTIFICATION'],
])

/** A severity by its usual name; undefined for an unknown one. A format with other names maps them itself. */
export const severityOf = (word: unknown): Severity | undefined => severities.get(text(word)?.toLowerCase() ?? '')

/** A CVSS 3.x or 4.0 vector; undefined for any other text. */
export function cvssVectorOf(value: unknown): string | undefined {
  const vector = text(value, 500)?.replace(/^\(|\)$/g, '')
  return vector !== undefined && /^CVSS:(3\.[01]|4\.0)(\/[A-Za-z]{1,3}:[A-Za-z]{1,6}){6,60}$/.test(vector)
    ? vector
    : undefined
}

function storable(value: string, most: number): string {
  const short = value.length > most ? value.slice(0, most) : value
  return short.replaceAll('\0', '').toWellFormed()
}
