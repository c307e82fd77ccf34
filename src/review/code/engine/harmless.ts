// What a function sanitises and what it undoes, judged by its name and by the replacements in its body.

import type { Routine } from '../tree.ts'
import { harmlessReplacing } from './models.ts'
import type { Flow } from './value.ts'

export const NOTHING_CLEANED: ReadonlySet<string> = new Set()

/** Whether a function takes an escaping or an encoding back; bytes that become text do not. */
export const isUndoing = (name: string, paths: readonly string[]): boolean =>
  /unescape|unquote|atob|decode/i.test(name) &&
  paths.some((path) => /64|ur[li]|html|entit|percent|unescape|unquote|atob/i.test(path))

/** What was escaped for quotes alone: harmless to a statement of SQL between them, and nowhere else. */
const IN_QUOTES = 'quoted'

/** The flows as they are between quotes. */
export const quoted = (flows: readonly Flow[]): readonly Flow[] =>
  flows.some(({ cleaned }) => cleaned.has(IN_QUOTES))
    ? flows.map((flow) =>
        flow.cleaned.has(IN_QUOTES) ? { ...flow, cleaned: new Set([...flow.cleaned, 'sql']) } : flow,
      )
    : flows

/** Names that say what they make harmless, though no rule knows them. */
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

/** What a function does that escapes as its name says: it replaces, or looks at each character. */
const REPLACES = /replace|\bsub\s*\(|translate|strtr|switch|\bcase\b|charAt|codePointAt|\bfor\b|\bmap\b/

/** Texts and expressions that stand in code, without their quotes. */
const LITERALS = /(["'`])((?:\\.|(?!\1)[^\\\n]){0,60})\1|\/((?:\\.|[^/\\\n*])(?:\\.|[^/\\\n]){0,60})\/[dgimsuy]{0,7}/g

/** What replaces signs, or is put in their place: nothing but signs, a set, an entity. */
const SIGNS = /^\W{1,20}$|^\\\\?[nr]$|\[|&(?:lt|gt|amp|quot|#\w+);/

/** Letters of a function that are looked at. */
const LONGEST = 5000

/** Of what a function of this piece of code should make harmless by its name, that whose signs it is seen to replace. */
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
