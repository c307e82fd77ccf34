// Reads JSON bodies: one that is not UTF-8, or has too many values, is refused before it is parsed.

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApplicationError } from '../core/errors.ts'

/** Values in a body: members and elements together. A batch of findings has some 20,000. */
export const MOST_VALUES = 50_000

/**
 * Distinct member names. The cost of parsing grows with them rather than with bytes or repeated names: 50,000 took 40 ms of processor
 * time, as many array elements 1 ms. A batch of findings has fewer than a hundred.
 */
export const MOST_NAMES = 10_000

/** Makes Fastify read JSON bodies within the bounds above. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done) => {
      const text = bytes.toString()
      const refused = isUtf8(bytes) ? excessOf(text) : new ApplicationError('BAD_REQUEST', 'The body must be in UTF-8')
      if (refused) done(refused, undefined)
      else parse(request, text, done)
    },
  )
}

/** Parses JSON within the bounds above; BAD_REQUEST beyond, SyntaxError where it is none. */
export function parseJson(text: string): unknown {
  const tooMany = excessOf(text)
  if (tooMany) throw tooMany
  return JSON.parse(text)
}

function excessOf(text: string): ApplicationError | null {
  const bounds = { values: MOST_VALUES, names: MOST_NAMES }
  const exceeded = exceededBy(text, bounds)
  if (exceeded === null) return null
  const most = bounds[exceeded].toLocaleString('en-US')
  const what = exceeded === 'values' ? 'values' : 'different names of members'
  return new ApplicationError('BAD_REQUEST', `The body has more than the ${most} ${what} allowed`)
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, COLON] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b, 0x3a]

/** characters: a name, its value and a comma */
const SHORTEST_MEMBER = 5

type Bounds = { values: number; names: number }

/**
 * The bound that a JSON text exceeds; null if none. Scans the text once, up to the excess, and not at all if it is too short to exceed one.
 * Names are compared as written, escapes included.
 */
export function exceededBy(text: string, most: Bounds): keyof Bounds | null {
  if (text.length <= Math.min(most.values, SHORTEST_MEMBER * most.names)) return null
  const names = new Set<string>()
  let values = 0
  let start = 0
  let end = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      start = at
      end = endOfString(text, at)
      if (end < 0) return null
      at = end
    } else if (character === COMMA || character === BRACKET || character === BRACE) {
      values += 1
      if (values > most.values) return 'values'
    } else if (character === COLON) {
      names.add(text.slice(start, end))
      if (names.size > most.names) return 'names'
    }
  }
  return null
}

/** The position of the quote that ends the string starting at `start`; -1 if it has no end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return -1
}
