// Patterns of dotted names as rules write them, indexed by their last part: `*.query`, `(cp|child_process).exec`.

/** What is found by names; many patterns lead to one thing. */
export type Index<Thing> = {
  add: (pattern: string, thing: Thing) => void
  find: (paths: readonly string[]) => readonly Thing[]
  size: () => number
}

type Entry<Thing> = { expression: RegExp; thing: Thing }

/** Characters that `*` stands for at most: no name of anything is longer, and without an end it would be looked for in the square of them. */
const LONGEST = 200

/**
 * `*.` at the head stands for any object, `?.` for an object or none, `*` elsewhere for any text within one part, `(a|b)`
 * for either, `~` at the very head for upper and lower case alike. Everything else stands for itself.
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

/** The names that the last part of a pattern may be; null where that cannot be listed. */
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

/** Names whose answer is kept: code says the same ones again and again. */
const MOST_ANSWERS = 20_000

const members = new Map<string, Map<string, string>>()
let memberCount = 0

/** The dotted name of a member, one text for all who ask: what is the same text is found in a map without being compared. */
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

export function openIndex<Thing>(): Index<Thing> {
  const byName = new Map<string, Entry<Thing>[]>()
  const others: Entry<Thing>[] = []
  const answers = new Map<string, readonly Thing[]>()

  const known = (path: string): readonly Thing[] => {
    const answer = answers.get(path)
    if (answer) return answer
    if (answers.size >= MOST_ANSWERS) answers.clear()
    const found = sought(path)
    answers.set(path, found)
    return found
  }

  const sought = (path: string): readonly Thing[] => {
    const last = path.slice(path.lastIndexOf('.') + 1).replace(/^new /, '')
    const entries = [...(byName.get(last) ?? []), ...others].filter(({ expression }) => expression.test(path))
    return entries.length === 0 ? NONE : [...new Set(entries.map(({ thing }) => thing))]
  }

  return {
    add(pattern, thing) {
      answers.clear()
      const entry = { expression: patternExpression(pattern), thing }
      const names = lastNames(pattern)
      if (!names) others.push(entry)
      for (const name of names ?? []) byName.set(name, [...(byName.get(name) ?? []), entry])
    },
    find(paths) {
      const [first] = paths
      if (first === undefined) return NONE
      let found = known(first)
      for (let at = 1; at < paths.length; at++) found = united(found, known(paths[at] ?? ''))
      return found
    },
    size: () => byName.size + others.length,
  }
}
