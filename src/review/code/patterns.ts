// Patterns of dotted names as rules write them, indexed by their last part: `*.query`, `(cp|child_process).exec`.

/** Finds things by names; several patterns may lead to the same thing. */
export type Index<Thing> = {
  add: (pattern: string, thing: Thing) => void
  find: (paths: readonly string[]) => readonly Thing[]
  size: () => number
}

type Entry<Thing> = { expression: RegExp; thing: Thing }

/** The most characters that `*` matches: no name is longer, and without a limit the time to match would be quadratic. */
const LONGEST = 200

/**
 * `*.` at the beginning matches any object, `?.` an object or none, `*` elsewhere any text within one part, `(a|b)` either
 * alternative; `~` before all of it ignores case. Everything else matches itself.
 */
export function patternExpression(pattern: string): RegExp {
  const isLoose = pattern.startsWith('~')
  const [, head = '', rest = ''] = /^([*?]\.)?(.*)$/s.exec(isLoose ? pattern.slice(1) : pattern) ?? []
  const body = rest
    .replace(/[.$[\]{}^+]/g, '\\$&')
    .replaceAll('()', '\\(\\)')
    .replaceAll('*', `[^.]{0,${LONGEST}}`)
  const before = head === '*.' ? '.+\\.' : head === '?.' ? '(?:.+\\.)?' : ''
  return new RegExp(`^(?:${before}${body})$`, isLoose ? 'i' : '')
}

/** The names that the last part of a pattern can match; null if they cannot be listed. */
function lastNames(pattern: string): string[] | null {
  if (pattern.startsWith('~')) return null
  const last = pattern.slice(lastDot(pattern) + 1).replace(/^new /, '')
  const [, group, end = ''] = /^\(([\w$@/.|: -]+)\)((?:\(\)|\[\])*)$/.exec(last) ?? []
  if (group) return group.split('|').map((each) => each.slice(each.lastIndexOf('.') + 1).replace(/^new /, '') + end)
  return /^[\w$@/-]+(?:\(\)|\[\])*$/.test(last) ? [last] : null
}

/** The last dot outside of parentheses. */
function lastDot(text: string): number {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    if (text[at] === '(') depth--
    if (text[at] === '.' && depth === 0) return at
  }
  return -1
}

/** The most names whose answers are kept: code uses the same ones again and again. */
const MOST_ANSWERS = 20_000

const members = new Map<string, Map<string, string>>()
let memberCount = 0

/** The dotted name of a member, as one shared string: a map finds an identical string without comparing characters. */
export function memberPath(path: string, name: string): string {
  let known = members.get(path)
  const made = known?.get(name)
  if (made !== undefined) return made
  if (++memberCount > MOST_ANSWERS) {
    members.clear()
    known = undefined
    memberCount = 0
  }
  if (!known) {
    known = new Map()
    members.set(path, known)
  }
  const whole = `${path}.${name}`
  known.set(name, whole)
  return whole
}

const NONE: readonly never[] = []

function united<Thing>(one: readonly Thing[], other: readonly Thing[]): readonly Thing[] {
  if (other.length === 0) return one
  return one.length === 0 ? other : [...new Set([...one, ...other])]
}

/**
 * What the indexes of one language answered. They are asked about the same names one after the other, so that a name is
 * looked up once for all of them: `told` holds what each index, by its number, says of the names in `asked`.
 */
type Answers = { byPath: Map<string, unknown[]>; asked: readonly string[]; told: unknown[][]; indexes: number }

export const openAnswers = (): Answers => ({ byPath: new Map(), asked: NONE, told: [], indexes: 0 })

/** For each of the names, what the indexes answered so far. */
function toldOf(answers: Answers, paths: readonly string[]): unknown[][] {
  if (answers.asked === paths) return answers.told
  const told: unknown[][] = []
  for (const path of paths) {
    let known = answers.byPath.get(path)
    if (!known) {
      if (answers.byPath.size >= MOST_ANSWERS) answers.byPath.clear()
      known = new Array(answers.indexes).fill(undefined)
      answers.byPath.set(path, known)
    }
    told.push(known)
  }
  answers.asked = paths
  answers.told = told
  return told
}

/** An index whose answers are kept beside those of the others. All patterns are added before the first name is sought. */
export function openIndex<Thing>(answers: Answers): Index<Thing> {
  const byName = new Map<string, Entry<Thing>[]>()
  const others: Entry<Thing>[] = []
  const place = answers.indexes++

  const sought = (path: string): readonly Thing[] => {
    const last = path.slice(path.lastIndexOf('.') + 1).replace(/^new /, '')
    const entries = [...(byName.get(last) ?? []), ...others].filter(({ expression }) => expression.test(path))
    return entries.length === 0 ? NONE : [...new Set(entries.map(({ thing }) => thing))]
  }

  const answerAt = (told: unknown[], path: string): readonly Thing[] => {
    told[place] ??= sought(path)
    return told[place] as readonly Thing[]
  }

  return {
    add(pattern, thing) {
      const entry = { expression: patternExpression(pattern), thing }
      const names = lastNames(pattern)
      if (!names) others.push(entry)
      for (const name of names ?? []) byName.set(name, [...(byName.get(name) ?? []), entry])
    },
    find(paths) {
      if (byName.size + others.length === 0) return NONE
      const told = toldOf(answers, paths)
      let found: readonly Thing[] = NONE
      for (let at = 0; at < paths.length; at++) found = united(found, answerAt(told[at] ?? [], paths[at] ?? ''))
      return found
    },
    size: () => byName.size + others.length,
  }
}
