// What a function sanitises and what it undoes, judged by its name and by the replacements in its body.

import type { Routine } from '../tree.ts'
import { harmlessReplacing } from './models.ts'
import type { Flow } from './value.ts'

export const NOTHING_CLEANED: ReadonlySet<string> = new Set()

/** Whether a function reverses an escaping or an encoding. Decoding bytes into text does not count. */
export const isUndoing = (name: string, paths: readonly string[]): boolean =>
  /unescape|unquote|atob|decode/i.test(name) &&
  paths.some((path) => /64|ur[li]|html|entit|percent|unescape|unquote|atob/i.test(path))

/** Marks data that was escaped for quotes only: in SQL it is harmless between quotes, and nowhere else. */
const IN_QUOTES = 'quoted'

/** The flows as they count between quotes. */
export const quoted = (flows: readonly Flow[]): readonly Flow[] =>
  flows.some(({ cleaned }) => cleaned.has(IN_QUOTES))
    ? flows.map((flow) =>
        flow.cleaned.has(IN_QUOTES) ? { ...flow, cleaned: new Set([...flow.cleaned, 'sql']) } : flow,
      )
    : flows

/** Names that suggest what a function makes harmless, for functions that no rule lists. */
export function guessed(name: string): string[] {
  if (!/escape|saniti[sz]e|purif|encodeFor|(?:^|_)safe|[a-z]Safe/i.test(name) || /unescape/i.test(name)) return []
  const kinds: string[] = []
  if (/html|xml|markup|tags|attr|javascript|css/i.test(name)) kinds.push('html')
  if (/xpath|xml/i.test(name)) kinds.push('xpath')
  if (/sql|string$|query/i.test(name)) kinds.push('sql')
  if (/shell|cmd|arg|os$/i.test(name)) kinds.push('command')
  if (/ldap|dn$|filter/i.test(name)) kinds.push('ldap')
  if (/reg/i.test(name)) kinds.push('regex')
  if (/url|uri|path|file/i.test(name)) kinds.push('redirect', 'ssrf', 'path', 'header', 'html')
  return kinds.length > 0 ? kinds : ['*']
}

/** What the body of a function that really escapes contains: a replacement, or a loop over characters. */
const REPLACES = /replace|\bsub\s*\(|translate|strtr|switch|\bcase\b|charAt|codePointAt|\bfor\b|\bmap\b/

/** String and regular expression literals, without their delimiters. */
const LITERALS = /(["'`])((?:\\.|(?!\1)[^\\\n]){0,60})\1|\/((?:\\.|[^/\\\n*])(?:\\.|[^/\\\n]){0,60})\/[dgimsuy]{0,7}/g

/** A literal that replaces special characters or is their replacement: only signs, a character class, or an entity. */
const SIGNS = /^\W{1,20}$|^\\\\?[nr]$|\[|&(?:lt|gt|amp|quot|#\w+);/

/** Characters of a function that are examined at most. */
const LONGEST = 5000

/** Of the kinds of rules that a function's name suggests, those whose special characters its body replaces. */
export function believed(name: string, routine: Routine): string[] {
  if (!/escape|saniti[sz]e|purif|encodeFor/i.test(name)) return []
  const body = routine.text()
  if (!REPLACES.test(body)) return []
  const kinds = guessed(name)
  const replaced = [...body.slice(0, LONGEST).matchAll(LITERALS)]
    .map(([, , text, expression]) => text ?? expression ?? '')
    .filter((each) => SIGNS.test(each))
    .flatMap(harmlessReplacing)
  return kinds.includes('*') ? replaced : replaced.filter((kind) => kinds.includes(kind))
}
