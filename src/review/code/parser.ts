// Parses code with the parser of its language, if this machine's platform has one.

import { createRequire } from 'node:module'
import { type Bracketing, bracketed, type Fragment, isCut } from './fragment.ts'
import { indented } from './indented.ts'
import { lowerGo } from './languages/go-statements.ts'
import { lowerJava } from './languages/java-statements.ts'
import { lowerJavascript } from './languages/javascript-statements.ts'
import { lowerPhp } from './languages/php-statements.ts'
import { lowerPython } from './languages/python-statements.ts'
import { knownRoot, type ParsedNode } from './node.ts'
import { isProse } from './prose.ts'
import type { RuleLanguage } from './rules.ts'
import type { Lowering, Statement } from './tree.ts'

type Parser = {
  parse: (language: string, text: string) => { root: () => ParsedNode }
  registerDynamicLanguage: (languages: Record<string, unknown>) => void
}

/** Completes a piece of code so that it can be parsed; `isFirst` is whether it is the first of its file. */
type Completing = (text: string, isFirst: boolean) => Fragment

/** A language: its parser, its rules, and how a piece of code is completed. */
type Grammar = { parser: string; rules: RuleLanguage; lower: Lowering; whole: Completing }

const braces = { comments: ['//'], quotes: ['"', "'", '`'], long: ['`'], head: '' }

const javascript: Bracketing = {
  ...braces,
  member: {
    looks:
      /^[ \t]*(?:(?:public|private|protected|static|async|get|set)\s+(?!function\b)[\w#]|@\w+\((?![^\n]*\n\s*(?:export|class|abstract)\b))/,
    head: 'class __ {',
  },
}
const java: Bracketing = {
  ...braces,
  quotes: ['"', "'"],
  long: ['"""'],
  member: {
    looks:
      /^[ \t]*(?:@[A-Z]|(?:public|private|protected|static)[ \t](?!(?:\w+[ \t]+){0,3}(?:class|interface|enum|record)\b))/,
    head: 'class __ {',
  },
}
const php: Bracketing = {
  ...braces,
  comments: ['//', '#'],
  quotes: ['"', "'"],
  long: [],
  head: '<?php ',
  member: { looks: /^[ \t]*(?:abstract |final )?(?:public|private|protected)\s/, head: 'class __ {' },
}

const plain = (text: string): Fragment => ({ text, shift: 0 })
const statementHead =
  /^(?:import|export|package|namespace|use|class|interface|abstract class|final class|public (?:final |abstract )?(?:class|interface|enum))\b/m

/** A piece that opens everything that it closes, such as a whole file, is parsed unchanged. */
const made =
  (bracketing: Bracketing): Completing =>
  (text, isFirst) =>
    statementHead.test(text) && isBalanced(text) && !isCut(text, isFirst, bracketing)
      ? plain(text)
      : bracketed(text, isFirst, bracketing)

/** Whether a piece of PHP begins outside of code: `<?php` comes before any `?>`. */
const beginsAsPage = (text: string): boolean => {
  const opened = text.search(/<\?(?:php|=)/i)
  const ended = text.indexOf('?>')
  return opened >= 0 && (ended < 0 || opened < ended)
}

const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const letter of text) {
    if (letter === '{') depth++
    if (letter === '}' && --depth < 0) return false
  }
  return depth === 0
}

const grammars: Record<string, Grammar> = {
  JavaScript: { parser: 'javascript', rules: 'javascript', lower: lowerJavascript, whole: made(javascript) },
  TypeScript: { parser: 'typescript', rules: 'javascript', lower: lowerJavascript, whole: made(javascript) },
  TSX: { parser: 'tsx', rules: 'javascript', lower: lowerJavascript, whole: made(javascript) },
  Python: { parser: 'python', rules: 'python', lower: lowerPython, whole: indented },
  Java: { parser: 'java', rules: 'java', lower: lowerJava, whole: made(java) },
  PHP: {
    parser: 'php',
    rules: 'php',
    lower: lowerPhp,
    whole: (text, isFirst) => (beginsAsPage(text) ? plain(text) : bracketed(text, isFirst, php)),
  },
  Go: { parser: 'go', rules: 'go', lower: lowerGo, whole: made({ ...braces, member: null }) },
}

const packages = { python: 'lang-python', java: 'lang-java', php: 'lang-php', go: 'lang-go' }

let parser: Parser | null | undefined
const missing = new Set<string>()

/** The parsers that this machine has; the missing ones are remembered. Languages can be registered only once in a process. */
function opened(): Parser | null {
  if (parser !== undefined) return parser
  const load = createRequire(import.meta.url)
  try {
    const loaded: Parser = load('@ast-grep/napi')
    const languages: Record<string, unknown> = {}
    for (const [name, packageName] of Object.entries(packages)) {
      try {
        const language: { libraryPath: string } = load(`@ast-grep/${packageName}`)
        if (language.libraryPath) languages[name] = language
      } catch {
        missing.add(name)
      }
    }
    loaded.registerDynamicLanguage(languages)
    parser = loaded
  } catch {
    parser = null
  }
  return parser
}

/** `isProse` says whether the piece is the middle of a comment or a string instead of code. */
export type Parsed = { statements: Statement[]; isProse: () => boolean }

/** The languages that are read, as diffs name them. */
export const readLanguages = Object.keys(grammars)

/** Whether code of this language can be read: there are rules for it, and this machine has its parser. */
export function isReadable(language: string): boolean {
  const grammar = grammars[language]
  return grammar !== undefined && opened() !== null && !missing.has(grammar.parser)
}

export const rulesFor = (language: string): RuleLanguage | null => grammars[language]?.rules ?? null

/** Parses a piece of code whose first line is `first` into the common tree. Null if the language cannot be read. */
export function parsed(language: string, text: string, first: number): Parsed | null {
  const grammar = grammars[language]
  if (!grammar || !isReadable(language)) return null
  const isFirst = first === 1
  const { text: whole, shift } = grammar.whole(text, isFirst)
  const root = opened()?.parse(grammar.parser, whole).root()
  if (!root) return null
  const known = knownRoot(root, whole, first - shift)
  return {
    statements: grammar.lower(known),
    isProse: () => !isFirst && isProse(known, whole, first - shift),
  }
}
