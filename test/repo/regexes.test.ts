// Every regular expression in src/ ends soon whatever text it meets: each literal is run against long hostile texts.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectFiles } from './files.ts'

const LENGTH = 50_000

/** A generous bound for one text, in milliseconds: what grows with the square of 50,000 takes far longer. */
const MOST = 1000

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

const compiled = ({ source, flags }: Found): RegExp | null => {
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

/** Texts made of what the expression itself looks for, repeated and spoilt at the end. */
function* attacks(source: string): Generator<string> {
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
  for (const piece of [...letters, ...words, 'a ', ' a', 'aA0', '1.', 'a/', '..', '\r\n', ' \n', 'a@']) {
    const repeated = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
    for (const end of ['', '!', '\n!', '\u0000']) yield repeated + end
    for (const start of words.slice(0, 3)) yield `${start}${repeated}!`
  }
}

function timeOf(expression: RegExp, text: string): number {
  expression.lastIndex = 0
  const started = performance.now()
  if (expression.global) text.replace(expression, '')
  else expression.test(text)
  return performance.now() - started
}

test('every regular expression of the service takes less than a second for 50,000 hostile characters', {
  timeout: 300_000,
}, () => {
  const found = literals()
  const slow: string[] = []
  let slowest = 0

  for (const literal of found) {
    const expression = compiled(literal)
    if (!expression) continue
    for (const text of attacks(literal.source)) {
      const took = timeOf(expression, text)
      slowest = Math.max(slowest, took)
      // a machine that was busy meanwhile is not the expression's
      if (took < MOST || timeOf(expression, text) < MOST) continue
      slow.push(`${literal.path}:${literal.line} /${literal.source}/ took ${Math.round(took)} ms`)
      break
    }
  }

  process.stderr.write(`${found.length} regular expressions, slowest ${slowest.toFixed(0)} ms\n`)
  expect(found.length).toBeGreaterThan(50)
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
