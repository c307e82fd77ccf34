// Patterns of dotted names, as rules write them, found by their last part: `*.query`, `(cp|child_process).exec`.

/** What is found by names; many patterns lead to one thing. */
export type Index<Thing> = {
  add: (pattern: string, thing: Thing) => void
  find: (paths: readonly string[]) => Thing[]
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
  const group = /^\(([\w|$]+)\)$/.exec(last)
  if (group?.[1]) return group[1].split('|')
  return /^[\w$@]+(\(\))?$/.test(last) ? [last] : null
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

export function openIndex<Thing>(): Index<Thing> {
  const byName = new Map<string, Entry<Thing>[]>()
  const others: Entry<Thing>[] = []
  return {
    add(pattern, thing) {
      const entry = { expression: patternExpression(pattern), thing }
      const names = lastNames(pattern)
      if (!names) others.push(entry)
      for (const name of names ?? []) byName.set(name, [...(byName.get(name) ?? []), entry])
    },
    find(paths) {
      const found: Thing[] = []
      for (const path of paths) {
        const last = path.slice(path.lastIndexOf('.') + 1).replace(/^new /, '')
        for (const { expression, thing } of byName.get(last) ?? []) {
          if (!found.includes(thing) && expression.test(path)) found.push(thing)
        }
        for (const { expression, thing } of others)
          if (!found.includes(thing) && expression.test(path)) found.push(thing)
      }
      return found
    },
    size: () => byName.size + others.length,
  }
}
