// Every regular expression in src/ and in the rules for risky code takes bounded time: each is run on long hostile texts.

import { readFileSync } from 'node:fs'
import { types } from 'node:util'
import { createContext, Script } from 'node:vm'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { patternExpression } from '../../src/review/code/patterns.ts'
import { projectFiles } from './files.ts'

const LENGTH = 50_000

/** In milliseconds of this thread's processor time: other processes and threads may be running. */
function timeOf(expression: RegExp, text: string): number {
  expression.lastIndex = 0
  const before = process.threadCpuUsage()
  if (expression.global) text.replace(expression, '')
  else expression.test(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The shortest of several times, because one may include compilation, garbage collection, or the work of others on a shared core. */
function leastOf(expression: RegExp, text: string, enough = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let times = 0; times < 5 && least > enough; times++) least = Math.min(least, timeOf(expression, text))
  return least
}

/** What a bounded repetition takes, which looks at a hundred characters from each place. */
const BOUNDED = leastOf(/<[^>]{1,100}>/, '<'.repeat(LENGTH))

/**
 * The limit for one text in milliseconds of processor time: repetitions of a few hundred characters stay below it, and quadratic time is ten
 * times as long at least.
 */
const MOST = 5 * BOUNDED

/**
 * Lengths of a tenth and about a third, each with a harmless time: an expression that is faster than that stays below
 * the limit at the full length, even if its time is cubic.
 */
const SHORTER = [LENGTH / 10, Math.round(LENGTH / Math.sqrt(10))].map((length) => ({
  length,
  harmless: MOST * (length / LENGTH) ** 3,
}))

type Found = { path: string; line: number; source: string; flags: string }

const LITERAL =
  /(?:^|[=(,:;!&|?[{}\s])\/((?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s.,;)\]}:?]|$)/g

function literals(): Found[] {
  const paths = projectFiles().filter((path) => /^src\/.*\.ts$/.test(path) && !/\.(test|generated)\.ts$/.test(path))
  return paths.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((text, index) =>
        /^\s*(\/\/|\*|\/\*)/.test(text)
          ? []
          : [...text.matchAll(LITERAL)].map(([, source = '', flags = '']) => ({
              path,
              line: index + 1,
              source,
              flags,
            })),
      ),
  )
}

const EXPRESSIONS = new Set(['given', 'made', 'matches', 'named', 'unnamed', 'starts', 'holds', 'event'])

/** The expressions under these keys, at any depth. */
function* within(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'string' && EXPRESSIONS.has(key)) yield part
    else yield* within(part)
  }
}

/** Keys with patterns of dotted names, which rules use to find things in code. */
const PATTERNS = new Set([
  'call',
  'receiver',
  'assign',
  'returned',
  'routine',
  'sources',
  'sanitisers',
  'neutral',
  'vouching',
  'unless',
])

/** The patterns under these keys, at any depth, as the expressions that they are compiled to. */
function* patternsWithin(value: unknown, isPattern = false): Generator<string> {
  if (typeof value === 'string' && isPattern) yield patternExpression(value.replace(/^(?:fn)?@/, '')).source
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) yield* patternsWithin(part, isPattern || PATTERNS.has(key))
}

/** The expressions of the rules for risky code, each once; those ignore case. */
function ofRules(): Found[] {
  const found = new Map<string, Found>()
  for (const path of projectFiles().filter((each) => /^src\/review\/code\/rules\/.*\.yaml$/.test(each))) {
    const rule = load(readFileSync(path, 'utf8'))
    for (const source of [...within(rule), ...patternsWithin(rule)])
      found.set(source, { path, line: 1, source, flags: 'i' })
  }
  return [...found.values()]
}

const compiled = ({ source, flags }: Found): RegExp | null => {
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

/** A text of the given length. */
type Attack = (length: number) => string

/** Texts made of what the expression looks for, repeated, with a mismatch at the end. */
function* attacks(source: string): Generator<Attack> {
  const letters = new Set([
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '.',
    '-',
    '/',
    '"',
    "'",
    '=',
    ',',
    '@',
    '(',
    '[',
    '\\',
    '\u0000',
    '\ud83d',
  ])
  for (const letter of source.replace(/\\[a-zA-Z]/g, '')) letters.add(letter)
  const words = source.match(/[A-Za-z0-9 _-]{2,}/g) ?? []
  const pairs = [
    'a ',
    ' a',
    'aA0',
    '1.',
    'a/',
    '..',
    '\r\n',
    ' \n',
    'a@',
    '\\"',
    "\\'",
    '\\`',
    '/*',
    '*/',
    '<a',
    '${',
    '(a',
  ]
  for (const piece of [...letters, ...words, ...pairs]) {
    const repeated: Attack = (length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    for (const end of ['', '!', '\n!', '\u0000']) yield (length) => repeated(length) + end
    for (const start of words.slice(0, 3)) yield (length) => `${start}${repeated(length)}!`
  }
}

/**
 * The longest time that one of the texts takes. Skips texts whose shorter forms are fast, and stops once the limit is
 * reached.
 */
function longest(expression: RegExp, source: string): number {
  let most = 0
  for (const attack of attacks(source)) {
    if (SHORTER.some(({ length, harmless }) => timeOf(expression, attack(length)) < harmless)) continue
    most = Math.max(most, leastOf(expression, attack(LENGTH), MOST / 10))
    if (most >= MOST) break
  }
  return most
}

/** The milliseconds after which an expression that may never end is stopped. */
const PATIENCE = 180_000

const script = new Script('look()')

/** The result of `look`, or Infinity if it does not finish in time. */
function patiently(look: () => number): number {
  try {
    return script.runInContext(createContext({ look }), { timeout: PATIENCE })
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Infinity
    throw error
  }
}

test('every regular expression of the service takes bounded time for 50,000 hostile characters', {
  timeout: 600_000,
}, () => {
  const ruled = ofRules()
  const found = [...literals(), ...ruled]
  const slow: string[] = []
  let slowest = 0

  for (const literal of found) {
    const expression = compiled(literal)
    if (!expression) continue
    const took = patiently(() => longest(expression, literal.source))
    slowest = Math.max(slowest, took)
    if (took >= MOST) slow.push(`${literal.path}:${literal.line} /${literal.source}/ took ${Math.round(took)} ms`)
  }

  const most =
    slowest === 0 ? 'all harmless at a third of the length' : `slowest ${slowest.toFixed(0)} of ${MOST.toFixed(0)} ms`
  process.stderr.write(`${found.length} regular expressions, ${most}\n`)
  expect(found.length).toBeGreaterThan(50)
  expect(ruled.length).toBeGreaterThan(50)
  expect(slow).toEqual([])
})

test('no expression changes its flags in its midst: V8 matches such ones less once it no longer optimises', () => {
  const changing = projectFiles()
    .filter((path) => /^(src|web)\/.*\.tsx?$/.test(path) && !/\.generated\./.test(path))
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /\(\?[ims]*-?[ims]+:/.test(line) && !/^\s*\*/.test(line) ? [`${path}:${index + 1}`] : [],
        ),
    )

  expect(changing).toEqual([])
})
