// A scan's scope: origins, path globs, and with `#Name` the operations that share a path.

import type { Scope } from './types.ts'

/** Whether the scan may call the address: one of its origins, in what is included, and not in what is left out. */
export function isInScope(url: string, scope: Scope): boolean {
  const isWhole = scope.include.length === 0 && scope.exclude.length === 0
  // the slash ends the host, whatever comes behind it
  if (isWhole && scope.origins.some((origin) => url.startsWith(origin) && url[origin.length] === '/')) return true
  const parsed = URL.parse(url)
  if (parsed === null || !scope.origins.includes(parsed.origin)) return false
  const matches = (glob: string) => matchesGlob(parsed.pathname, pathOf(glob))
  const excluded = scope.exclude.filter((glob) => !glob.includes('#'))
  return (scope.include.length === 0 || scope.include.some(matches)) && !excluded.some(matches)
}

/** Where somebody may sign in: an account is given with its address, which does not have to be among what is scanned. */
export const signInScope = (scope: Scope): Scope => ({ ...scope, include: [] })

const pathOf = (glob: string): string => glob.split('#')[0] ?? ''

/** Whether the scan may ask the operation of that key, by its name where others share its path: `/graphql#Mutation.deleteUser`. */
export function isNamedInScope(key: string, { include, exclude }: Scope): boolean {
  const [place = '', name] = key.split('#')
  if (name === undefined) return true
  const path = place.slice(place.indexOf(' ') + 1)
  const names = (glob: string) => {
    const [, wanted] = glob.split('#')
    return matchesGlob(path, pathOf(glob)) && (wanted === undefined || fitsSegment(name, wanted))
  }
  return (include.length === 0 || include.some(names)) && !exclude.some((glob) => glob.includes('#') && names(glob))
}

/** `*` is what one segment has, `**` any number of them; a glob without a star is a prefix of whole segments. */
function matchesGlob(path: string, glob: string): boolean {
  const wanted = glob.split('/').filter(Boolean)
  const given = path.split('/').filter(Boolean)
  if (!glob.includes('*')) return wanted.every((part, index) => part === given[index])
  return fits(given, wanted)
}

function fits(given: readonly string[], wanted: readonly string[]): boolean {
  // reachable[j]: the parts of the path read so far can be what the first j parts of the glob stand for
  let reachable = wanted.map(() => false)
  reachable.unshift(true)
  const open = (states: boolean[]) => {
    for (const [index, part] of wanted.entries()) if (part === '**' && states[index]) states[index + 1] = true
    return states
  }
  reachable = open(reachable)
  for (const part of given) {
    const next = reachable.map(() => false)
    for (const [index, pattern] of wanted.entries()) {
      if (pattern === '**' && reachable[index + 1]) next[index + 1] = true
      else if (pattern !== '**' && reachable[index] && fitsSegment(part, pattern)) next[index + 1] = true
    }
    reachable = open(next)
  }
  return reachable.at(-1) ?? false
}

function fitsSegment(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ''
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
