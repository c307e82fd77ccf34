// Turns the contract's names and values into words: enums, counts, sizes and times.

/** Words with a spelling that the usual rule, lower case after the first letter, would get wrong. */
const spelt: Record<string, string> = {
  ...Object.fromEntries(
    ['SAST', 'SCA', 'DAST', 'MAST', 'SLA', 'CVSS', 'EPSS', 'SOAP', 'HAR'].map((name) => [name, name]),
  ),
  IAC: 'IaC',
  OPENAPI: 'OpenAPI',
  GRAPHQL: 'GraphQL',
}

/** IN_PROGRESS → In progress; acronyms of techniques keep their spelling. */
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
  PLATFORM_AST: 'Merlon (code)',
  PLATFORM_DAST: 'Merlon (dynamic)',
}

/** A tool under the name that people know. */
export const toolName = (type: string): string => tools[type] ?? wordsOf(type)

/** Tool names in the server's sentences, and the enum value of each. */
const named: Record<string, string> = {
  HostA: 'HOST_A',
  HostB: 'HOST_B',
  ScannerA: 'SCANNER_A',
  ScannerB: 'SCANNER_B',
  BoardsTracker: 'BOARDS_TRACKER',
  TaskTracker: 'TASK_TRACKER',
}

/** A sentence of the server with each tool called by the name that people know. */
export const withToolNames = (sentence: string): string =>
  sentence.replace(/\b(?:(?:Host|Scanner)[AB]|(?:Boards|Task)Tracker)\b/g, (name) => toolName(named[name] ?? name))

/** A refusal by the server, worded as a disabled button words it: without the action's id, and with roles in lower case. */
export const withPermissionWords = (sentence: string): string =>
  sentence
    .replace(/^[a-z-]+:[a-z-]+(?= requires (?:a key with the scope|the role) )/, 'This')
    .replace(/(?<=\b(?:role|yours is) )(?:READER|DEVELOPER|ANALYST|OWNER)\b/g, (role) => role.toLowerCase())

/** A sentence about a gate with severities and types as words rather than enum values. */
export const withGateWords = (sentence: string): string =>
  sentence.replace(/\bof [A-Z]+(?:(?:, | or )[A-Z]+)* severity\b|\btype [A-Z_]+(?:(?:, | or )[A-Z_]+)*/g, (list) =>
    list.replace(/[A-Z_]+/g, (name) => {
      const words = wordsOf(name)
      return /[A-Z]{2}/.test(words) ? words : words.toLowerCase()
    }),
  )

/** A sentence about a finding's score or a requirement's state, with severity and impact as words rather than enum values. */
export const withSeverityWords = (sentence: string): string =>
  sentence.replace(
    /(?<=^[\d.]+: )[A-Z]+(?= severity, )|(?<=\()[A-Z]+(?=, CWE-)|(?<=\bwith )[A-Z]+(?= business impact\b)/g,
    (name) => wordsOf(name).toLowerCase(),
  )

/** A sentence about a finding and its card with statuses as words, as elsewhere; the tracker's own names of states stay. */
export const withStatusWords = (sentence: string): string =>
  sentence.replace(
    /(?<=\bfinding (?:is|stays|had been set to) |\bset the finding to |^)[A-Z]{5,}(?:_[A-Z]+)*\b(?:(?: → [A-Z]{5,}(?:_[A-Z]+)*)*$)?/g,
    (names) => names.replace(/[A-Z_]+/g, (name) => `“${wordsOf(name)}”`),
  )

/** The values of an enum as options of a field. */
export const optionsOf = <T extends string>(values: readonly T[]): { value: T; label: string }[] =>
  values.map((value) => ({ value, label: wordsOf(value) }))

type Place = { path: string | null; line: number | null }

/** `src/db.ts:42`; empty without a file, because a line number alone says nothing. */
export const placeWords = ({ path, line }: Place): string => (path ? `${path}${line === null ? '' : `:${line}`}` : '')

const whole = new Intl.NumberFormat('en')

export const count = (value: number): string => whole.format(value)

/** A count with its noun: 1 finding, 12,481 findings. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** A risk approaches 100 without ever reaching it, so values above 99 keep a decimal, which is cut and not rounded up to 100. */
export const riskOf = (value: number): string =>
  value > 99 && value < 100 ? (Math.floor(value * 10) / 10).toFixed(1) : count(Math.round(value))

/** How the points behind a risk are counted. */
export const POINTS = '40 points per open critical finding, 15 per high, 4 per medium, 1 per low'

/** As `counted`, for a total that may be a lower bound. */
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

/** `2 days ago`, `in 3 hr.`, `just now`: short enough for a table. Both arguments are in milliseconds. */
export const ago = (then: number, now: number): string => agoBy(relative, then, now)

/** As `ago`, with units written out: `3 hours ago`, `last week`. */
export const agoInFull = (then: number, now: number): string => agoBy(relativeInFull, then, now)

function agoBy(format: Intl.RelativeTimeFormat, then: number, now: number): string {
  const seconds = (then - now) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', Number.POSITIVE_INFINITY]
  return Number.isFinite(size) ? format.format(Math.trunc(seconds / size), unit) : 'just now'
}

/** A number of seconds as `42 s`, `3 min`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A number of bytes as `512 B`, `12 KiB`, `3.4 MiB`. */
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

/** A day relative to `now` in the user's time zone: `today`, `tomorrow`, `3 days ago`, `in 2 mo.` */
export function dayWords(day: string, now: number): string {
  const here = new Date(now)
  const today = Date.UTC(here.getFullYear(), here.getMonth(), here.getDate())
  return Date.parse(day) === today ? relative.format(0, 'day') : ago(Date.parse(day), today)
}
