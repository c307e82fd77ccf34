// The contract's names as words: enums, counts, sizes and times.

/** What is spelt otherwise than by a capital at its head. */
const spelt: Record<string, string> = {
  ...Object.fromEntries(
    ['SAST', 'SCA', 'DAST', 'MAST', 'SLA', 'CVSS', 'EPSS', 'SOAP', 'HAR'].map((name) => [name, name]),
  ),
  IAC: 'IaC',
  OPENAPI: 'OpenAPI',
  GRAPHQL: 'GraphQL',
}

/** IN_PROGRESS → In progress; names of techniques are spelt as they are. */
export function wordsOf(name: string): string {
  const words = name.replace(/_(FINDING|VULNERABILITY)$/, '').split('_')
  return words
    .map((word, index) => {
      const own = spelt[word]
      if (own !== undefined) return own
      const lower = word.toLowerCase()
      return index === 0 ? lower.charAt(0).toUpperCase() + lower.slice(1) : lower
    })
    .join(' ')
}

const tools: Record<string, string> = {
  HOST_A: 'Bitbucket Cloud',
  HOST_B: 'GitLab',
  SCANNER_A: 'Tenable',
  SCANNER_B: 'Snyk',
  BOARDS_TRACKER: 'Azure DevOps',
  TASK_TRACKER: 'ClickUp',
  PLATFORM_AST: 'Merlon, of code',
  PLATFORM_DAST: 'Merlon, dynamic',
}

/** A tool by the name that people know it by. */
export const toolName = (type: string): string => tools[type] ?? wordsOf(type)

/** The contract's names of tools, as they stand in sentences. */
const named: Record<string, string> = {
  HostA: 'HOST_A',
  HostB: 'HOST_B',
  ScannerA: 'SCANNER_A',
  ScannerB: 'SCANNER_B',
  BoardsTracker: 'BOARDS_TRACKER',
  TaskTracker: 'TASK_TRACKER',
}

/** A sentence of the server's about a tool, which is called in it as people know it. */
export const withToolNames = (sentence: string): string =>
  sentence.replace(/\b(?:(?:Host|Scanner)[AB]|(?:Boards|Task)Tracker)\b/g, (name) => toolName(named[name] ?? name))

/** A refusal of the server's as a button says it beforehand: without the action's id, and with roles as words. */
export const withPermissionWords = (sentence: string): string =>
  sentence
    .replace(/^[a-z-]+:[a-z-]+(?= takes (?:a key with the scope|the role) )/, 'This')
    .replace(/(?<=\b(?:role|yours is) )(?:READER|DEVELOPER|ANALYST|OWNER)\b/g, (role) => role.toLowerCase())

/** A sentence about a gate, with severities and types as the words that they are elsewhere. */
export const withGateWords = (sentence: string): string =>
  sentence.replace(/\bof (?:severity|type) [A-Z_]+(?:(?:, | or )[A-Z_]+)*/g, (list) =>
    list.replace(/[A-Z_]+/g, (name) => {
      const words = wordsOf(name)
      return /[A-Z]{2}/.test(words) ? words : words.toLowerCase()
    }),
  )

/** A sentence about a finding's worth or a requirement's state, in which severity and impact are words as they are elsewhere. */
export const withSeverityWords = (sentence: string): string =>
  sentence.replace(
    /(?<=^[\d.]+: )[A-Z]+(?=, )|(?<=\()[A-Z]+(?=, CWE-)|(?<=\bof )[A-Z]+(?= business impact\b)/g,
    (name) => wordsOf(name).toLowerCase(),
  )

/** A sentence about a finding and its card, in which statuses are words as they are elsewhere; what the tracker calls its states stays. */
export const withStatusWords = (sentence: string): string =>
  sentence.replace(
    /(?<=\bfinding (?:is|stays|had been set to) |\bset the finding to |^)[A-Z]{5,}(?:_[A-Z]+)*\b(?:(?: → [A-Z]{5,}(?:_[A-Z]+)*)*$)?/g,
    (names) => names.replace(/[A-Z_]+/g, (name) => `“${wordsOf(name)}”`),
  )

/** Values of an enum as what a field offers. */
export const optionsOf = <T extends string>(values: readonly T[]): { value: T; label: string }[] =>
  values.map((value) => ({ value, label: wordsOf(value) }))

type Place = { path: string | null; line: number | null }

/** `src/db.ts:42`; empty without a file, of which alone a line says something. */
export const placeWords = ({ path, line }: Place): string => (path ? `${path}${line === null ? '' : `:${line}`}` : '')

const whole = new Intl.NumberFormat('en')

export const count = (value: number): string => whole.format(value)

/** A count with its word: 1 finding, 12,481 findings. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** A risk of 100 at most, which it comes ever closer to: rounded, save where that would make it 100. */
export const riskOf = (value: number): string =>
  value > 99 && value < 100 ? value.toFixed(1) : count(Math.round(value))

/** What the points behind a risk are. */
export const POINTS = '40 points for each open critical finding, 15 for a high, 4 for a medium, 1 for a low one'

/** The same of a total that may be counted no further. */
export const countedUpTo = (total: { count: number; isExact: boolean }, one: string): string =>
  `${counted(total.count, one)}${total.isExact ? '' : ' or more'}`

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const relativeInFull = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** `2 days ago`, `in 3 hr.`, `just now`, as there is room for in a table; both in milliseconds. */
export const ago = (then: number, now: number): string => agoBy(relative, then, now)

/** As `ago`, in whole words: `3 hours ago`, `last week`. */
export const agoInFull = (then: number, now: number): string => agoBy(relativeInFull, then, now)

function agoBy(format: Intl.RelativeTimeFormat, then: number, now: number): string {
  const seconds = (then - now) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', Number.POSITIVE_INFINITY]
  return Number.isFinite(size) ? format.format(Math.trunc(seconds / size), unit) : 'just now'
}

/** Seconds as `42 s`, `3 min`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Bytes as `512 B`, `12 KiB`, `3.4 MiB`. */
export function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB']
  return `${value < 10 ? value.toFixed(1) : count(Math.round(value))} ${unit}`
}

const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

export const exact = (at: string): string => exactFormat.format(new Date(at))

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

/** `2026-03-01` as Sunday, 1 March 2026. */
export const exactDay = (day: string): string => dayFormat.format(new Date(day))

/** A day beside the moment `now` where one looks: `today`, `tomorrow`, `3 days ago`, `in 2 mo.` */
export function dayWords(day: string, now: number): string {
  const here = new Date(now)
  const today = Date.UTC(here.getFullYear(), here.getMonth(), here.getDate())
  return Date.parse(day) === today ? relative.format(0, 'day') : ago(Date.parse(day), today)
}
