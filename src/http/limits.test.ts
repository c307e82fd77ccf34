// What the limits let through and what they refuse, and with which sentence.

import { GraphQLError, getIntrospectionQuery, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { sampleSchema } from '../../test/hostile/sample-schema.ts'
import { readConfig } from '../core/config.ts'
import { documentLimitsOf, exceededLimit, measureDocument, parseBounded } from './limits.ts'

const defaultDocumentLimits = documentLimitsOf(readConfig({}).limits)

function refusal(source: string, variables: Record<string, unknown> = {}) {
  return exceededLimit(
    measureDocument(sampleSchema, parse(source), undefined, variables, { maxPageSize: 1_000 }).cost,
    defaultDocumentLimits,
  )
}

describe('the parser', () => {
  test('returns the document when it is within bytes and tokens', () => {
    const parsed = parseBounded('{ viewer { id } }', defaultDocumentLimits)

    expect(parsed.kind).toBe('document')
  })

  test('refuses a document of more bytes than allowed, counted in UTF-8', () => {
    const limits = { ...defaultDocumentLimits, bytes: 30 }

    expect(parseBounded('{ viewer { id } } # éééééé', limits)).toMatchObject({ kind: 'too-large' })
    expect(parseBounded('{ viewer { id } } # eeeeee', limits)).toMatchObject({ kind: 'document' })
    expect(parseBounded(' '.repeat(31), limits)).toEqual({
      kind: 'too-large',
      message: 'The document is larger than the 30 bytes allowed',
    })
  })

  test('tells too many tokens from a syntax error', () => {
    const flood = `{ ${'id '.repeat(2_000)}}`

    const parsed = parseBounded(flood, defaultDocumentLimits)

    expect(parsed).toEqual({ kind: 'too-many-tokens', message: 'The document has more than the 2,000 tokens allowed' })
  })

  test.each(['', '{', '{ a(b: ) }', '"\u0000"', '{ a } }', '\uD800', '{ ...on }', '#'])(
    'returns the syntax error of %j',
    (source) => {
      const parsed = parseBounded(source, defaultDocumentLimits)

      expect(parsed).toMatchObject({ kind: 'syntax', error: expect.any(GraphQLError) })
    },
  )

  test('refuses a nesting that the stack cannot hold, when the token limit lets it through', () => {
    const brackets = `{ a(b: ${'['.repeat(60_000)}`

    const parsed = parseBounded(brackets, { bytes: 100_000, tokens: 100_000 })

    expect(parsed).toEqual({ kind: 'too-large', message: 'The document is nested too deeply to be read' })
  })
})

describe('the limits', () => {
  test('let a page of the largest size with nine fields an item through', () => {
    const nine = 'id title severity asset { id name tags score archived }'

    expect(
      refusal(
        `{ issues(companyId: 1, pagination: { perPage: 1000 }) { collection { ${nine} } metadata { totalCount } } }`,
      ),
    ).toBeNull()
  })

  test('let a page of a hundred issues with nested objects and fields by type through', () => {
    const source = `query ($p: PaginationInput!) { issues(companyId: 1, pagination: $p) {
      collection {
        id title severity asset { id name tags company { id label assets { id name } } }
        ... on CodeIssue { line file } ... on WebIssue { url method }
      }
      metadata { currentPage limitValue totalCount }
    } }`

    expect(refusal(source, { p: { perPage: 100 } })).toBeNull()
  })

  test('let the full introspection query through, with every option', () => {
    const full = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      experimentalDirectiveDeprecation: true,
      oneOf: true,
    })

    expect(refusal(getIntrospectionQuery())).toBeNull()
    expect(refusal(full)).toBeNull()
  })

  test.each([
    [
      '__schema { types { fields { type { fields { type { fields { name } } } } } } }',
      'The introspection nests 4 lists; 3 are allowed',
    ],
    [
      '__type(name: "User") { fields { args { type { possibleTypes { interfaces { name } } } } } }',
      'The introspection nests 4 lists; 3 are allowed',
    ],
    [
      `__type(name: "User") { ${'ofType { '.repeat(20)} name ${'}'.repeat(20)} }`,
      'The introspection is 22 levels deep; 20 are allowed',
    ],
  ])('refuse nested introspection: %s', (selection, sentence) => {
    expect(refusal(`{ ${selection} }`)).toBe(sentence)
  })

  test('refuse the full introspection query several times over by aliases', () => {
    const types = getIntrospectionQuery().replace(
      'types {',
      'a: types { ...FullType } b: types { ...FullType } types {',
    )

    expect(validate(sampleSchema, parse(types))).toEqual([])
    expect(refusal(types)).toMatch(/^The request may cost/)
  })

  test.each([
    [
      `{ ${'company(id: 1) { '}${'parent { '.repeat(15)} id ${'}'.repeat(16)} }`,
      'The document is 17 levels deep; 15 are allowed',
    ],
    [
      `mutation { ${aliases(31, (n) => `a${n}: closeIssue(id: ${n}) { clientMutationId }`)} }`,
      'The document has 31 aliases; 30 are allowed',
    ],
    [
      '{ companies(limit: 1000) { collection { assets { id name } } } }',
      'The request may cost 11,002; 10,000 are allowed',
    ],
  ])('refuse %s', (source, sentence) => {
    expect(refusal(source)).toBe(sentence)
  })

  test('let what is just within each of them through', () => {
    expect(refusal(`{ ${'company(id: 1) { '}${'parent { '.repeat(13)} id ${'}'.repeat(14)} }`)).toBeNull()
    expect(refusal(`mutation { ${aliases(30, (n) => `a${n}: closeIssue(id: ${n}) { clientMutationId }`)} }`)).toBeNull()
  })
})

function aliases(count: number, one: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => one(n)).join(' ')
}
