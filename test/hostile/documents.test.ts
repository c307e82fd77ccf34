/** The stream of hostile requests itself: it is reproducible, has every class, and much of it is valid. */
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { type HostileDocument, hostileClasses, hostileDocuments } from './documents.ts'
import { sampleSchema } from './sample-schema.ts'

const rounds = 8
const stream = [...hostileDocuments(sampleSchema, 7, rounds * hostileClasses.length)]

describe('the stream of hostile requests', () => {
  test('is the same for the same seed and another for another', () => {
    const count = 2 * hostileClasses.length

    const first = [...hostileDocuments(sampleSchema, 11, count)]

    expect([...hostileDocuments(sampleSchema, 11, count)]).toEqual(first)
    expect([...hostileDocuments(sampleSchema, 12, count)]).not.toEqual(first)
  })

  test('yields as many as asked, each with a name of its own', () => {
    expect([...hostileDocuments(sampleSchema, 1, 0)]).toEqual([])
    expect([...hostileDocuments(sampleSchema, 1, 5)]).toHaveLength(5)
    expect(new Set(stream.map(({ name }) => name)).size).toBe(stream.length)
  })

  test.each(hostileClasses)('has "%s", and more than one of it', (name) => {
    const bodies = stream.filter((document) => className(document) === name).map(({ body }) => body)

    expect(bodies).toHaveLength(rounds)
    expect(new Set(bodies).size).toBeGreaterThan(1)
  })

  test('parses and validates in more than a third of the cases', () => {
    const valid = stream.filter((document) => isValid(document.body))

    expect(valid.length / stream.length).toBeGreaterThan(1 / 3)
    expect(valid.length / stream.length).toBeLessThan(2 / 3)
  })

  test('starts from operations that are all valid', () => {
    const untouched = stream.filter((document) => /^valid/.test(className(document)))

    const refused = untouched.filter(({ body }) => !isValid(body))

    expect(refused).toEqual([])
  })

  test('has bodies that are no JSON, documents that do not parse, and documents that parse and do not validate', () => {
    const kinds = stream.map(({ body }) => kindOf(body))

    for (const kind of ['no JSON', 'no query', 'no document', 'invalid', 'valid']) {
      expect(kinds.filter((found) => found === kind).length).toBeGreaterThan(rounds)
    }
  })

  test('carries NUL, lone surrogates, names of prototypes and numbers without end', () => {
    const all = stream.map(({ body }) => body).join('\n')

    for (const piece of ['\\u0000', '\\ud800', '"__proto__":', '1e400', '0'.repeat(400), 'Infinity', '[['])
      expect(all).toContain(piece)
  })

  test('stays within what a test can send', () => {
    const longest = Math.max(...stream.map(({ body }) => body.length))

    expect(longest).toBeGreaterThan(64 * 1024)
    expect(longest).toBeLessThan(4 * 1024 * 1024)
  })

  test('needs no more of a schema than a query', () => {
    const least = buildSchema('type Query { a: Int }')

    expect([...hostileDocuments(least, 3, hostileClasses.length)]).toHaveLength(hostileClasses.length)
  })
})

function className({ name }: HostileDocument): string {
  return name.replace(/ #\d+$/, '')
}

function isValid(body: string): boolean {
  return kindOf(body) === 'valid'
}

function kindOf(body: string): 'no JSON' | 'no query' | 'no document' | 'invalid' | 'valid' {
  let request: unknown
  try {
    request = JSON.parse(body)
  } catch {
    return 'no JSON'
  }
  if (typeof request !== 'object' || request === null || !('query' in request) || typeof request.query !== 'string')
    return 'no query'
  try {
    const document = parse(request.query, { maxLexicalTokens: 2_000 })
    return validate(sampleSchema, document).length === 0 ? 'valid' : 'invalid'
  } catch {
    return 'no document'
  }
}
