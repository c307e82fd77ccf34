// What the walk counts in a document, and that no document makes it throw or visit anything twice.

import fc from 'fast-check'
import { type DocumentNode, parse, visit } from 'graphql'
import { describe, expect, test } from 'vitest'
import { hostileDocuments } from '../../../test/hostile/documents.ts'
import { sampleSchema } from '../../../test/hostile/sample-schema.ts'
import { readConfig } from '../../core/config.ts'
import { documentLimitsOf, measureDocument, parseBounded } from '../limits.ts'

const defaultDocumentLimits = documentLimitsOf(readConfig({}).limits)

function measure(source: string, variables: Record<string, unknown> = {}, operationName?: string) {
  return measureDocument(sampleSchema, parse(source), operationName, variables, { maxPageSize: 1_000 }).cost
}

describe('the measure', () => {
  test.each([
    ['{ viewer { id } }', 2, 0, 2],
    ['{ viewer { id name other: name } }', 2, 1, 4],
    ['{ __typename }', 1, 0, 1],
    ['{ companies { collection { id label } metadata { totalCount } } }', 3, 0, 1 + 1 + 10 * 2 + 2],
    ['{ companies(limit: 100) { collection { id label } } }', 3, 0, 2 + 100 * 2],
    ['{ companies(limit: null) { collection { id } } }', 3, 0, 2 + 10],
    ['{ wide { collection { id } } }', 3, 0, 2 + 50],
    ['{ wide(limit: 5) { collection { id } } }', 3, 0, 2 + 5],
    ['{ issues(pagination: {}) { collection { id } } }', 3, 0, 2 + 10],
    ['{ issues(pagination: { perPage: 25 }) { collection { id asset { id } } } }', 4, 0, 2 + 25 * 3],
    ['{ issues(pagination: { perPage: 9999 }) { collection { id } } }', 3, 0, 2 + 1_000],
    ['{ companies(limit: -5) { collection { id } } }', 3, 0, 2 + 1],
    ['{ companies(limit: "many") { collection { id } } }', 3, 0, 2 + 1],
    ['{ companies(limit: { a: [1] }) { collection { id } } }', 3, 0, 2 + 1],
    ['{ companies(limit: 99999999999999999999999) { collection { id } } }', 3, 0, 2 + 1_000],
    ['{ groups(integrationId: 1, pagination: { perPage: 20 }) { id name } }', 2, 0, 1 + 20 * 2],
    ['{ recent(perPage: 7) { id } }', 2, 0, 1 + 7],
    ['{ tokens { id name } }', 2, 0, 1 + 5 * 2],
    ['{ company(id: 1) { assets { id tags } } }', 3, 0, 1 + 1 + 5 * 2],
    ['{ company(id: 1) { members { collection { id } } } }', 4, 0, 1 + 1 + 1 + 10],
    [
      '{ companies(limit: 4) { all: collection { users(pagination: { perPage: 3 }) { collection { id } } } } }',
      5,
      1,
      2 + 4 * 5,
    ],
    ['{ viewer { ...F } } fragment F on User { id ...G } fragment G on User { companies { id } }', 3, 0, 1 + 1 + 1 + 5],
    ['{ companies(limit: 3) { ...C } } fragment C on CompanyCollection { collection { id } }', 3, 0, 2 + 3],
    ['{ recent { id ... on CodeIssue { line file } ... on WebIssue { url } } }', 2, 0, 1 + 10 * 3],
    [
      '{ recent { ... on CodeIssue { line } ... on Issue { id } ...W } } fragment W on WebIssue { url }',
      2,
      0,
      1 + 10 * 2,
    ],
    ['{ nothing(of: "this") { is { known } } }', 3, 0, 3],
    ['{ viewer { ... on Nobody { id } ...Missing } }', 2, 0, 2],
    ['{ __proto__ { constructor { toString } } viewer { ... on __proto__ { hasOwnProperty } } }', 3, 0, 5],
    ['mutation { a: closeIssue(id: 1) { clientMutationId } b: closeIssue(id: 2) { clientMutationId } }', 2, 2, 4],
    ['subscription { issueChanged(companyId: 1) { id } }', 2, 0, 2],
    ['fragment F on User { id }', 0, 0, 0],
    ['type Query { a: Int }', 0, 0, 0],
  ])('of %s is depth %i, aliases %i, cost %i', (source, depth, aliases, cost) => {
    const measured = measure(source)

    expect(measured).toMatchObject({ depth, aliases, cost })
  })

  test.each([
    ['($n: Int)', 'limit: $n', { n: 70 }, 70],
    ['($n: Int = 30)', 'limit: $n', {}, 30],
    ['($n: Int = 30)', 'limit: $n', { n: 40 }, 40],
    ['($n: Int = 30)', 'limit: $n', { n: null }, 10],
    ['($n: Int)', 'limit: $n', {}, 10],
    ['($n: Int)', 'limit: $n', { n: 1e308 }, 1_000],
    ['($n: Int)', 'limit: $n', { n: Number.POSITIVE_INFINITY }, 1_000],
    ['($n: Int)', 'limit: $n', { n: Number.NaN }, 1],
    ['($n: Int)', 'limit: $n', { n: [[50]] }, 1],
    ['($n: Int)', 'limit: $n', { n: '50' }, 1],
    ['', 'limit: $undeclared', {}, 10],
    ['', 'limit: $__proto__', {}, 10],
  ])('reads a page size with variables %s, argument %s, values %j', (declared, argument, variables, items) => {
    const measured = measure(
      `query ${declared === '' ? 'Q' : declared} { companies(${argument}) { collection { id } } }`,
      variables,
    )

    expect(measured.cost).toBe(2 + items)
  })

  test.each([
    ['($p: PaginationInput)', '$p', { p: { page: 2, perPage: 70 } }, 70],
    ['($p: PaginationInput)', '$p', { p: { page: 2 } }, 10],
    ['($p: PaginationInput)', '$p', { p: null }, 10],
    ['($p: PaginationInput)', '$p', { p: [] }, 1],
    ['($p: PaginationInput = { perPage: 60 })', '$p', {}, 60],
    ['($n: Int!)', '{ perPage: $n }', { n: 80 }, 80],
    ['($n: Int = 90)', '{ perPage: $n }', {}, 90],
    ['($p: PaginationInput)', '$p', JSON.parse('{"p":{"__proto__":{"perPage":500}}}'), 10],
  ])('reads a pagination with variables %s, argument %s, values %j', (declared, argument, variables, items) => {
    const measured = measure(
      `query ${declared} { issues(companyId: 1, pagination: ${argument}) { collection { id } } }`,
      variables,
    )

    expect(measured.cost).toBe(2 + items)
  })

  test('is that of the operation named, and of the greatest one when the name selects none', () => {
    const source = 'query A { viewer { id } } query B { companies { collection { id } } }'

    expect(measure(source, {}, 'A').cost).toBe(2)
    expect(measure(source, {}, 'B').cost).toBe(12)
    expect(measure(source, {}, 'C').cost).toBe(12)
    expect(measure(source).cost).toBe(12)
  })

  test('expands aliases and cost of a fragment at every spread', () => {
    const measured = measure('{ viewer { ...F ...F ...F } } fragment F on User { a: id b: id }')

    expect(measured).toMatchObject({ aliases: 6, cost: 7 })
  })

  test('stops growing at a thousand million', () => {
    const pages = 'users(pagination: { perPage: 1000 }) { collection { companies { '

    const measured = measure(`{ viewer { companies { ${pages.repeat(5)} id ${'} } } '.repeat(5)} } } }`)

    expect(measured.cost).toBe(1_000_000_000)
  })

  test('counts fragments that double at every level without walking them twice', () => {
    const levels = 60
    const doubling = Array.from(
      { length: levels },
      (_, level) => `fragment F${level} on User { ...F${level + 1} ...F${level + 1} }`,
    )
    const document = parse(`{ viewer { ...F0 } } ${doubling.join(' ')} fragment F${levels} on User { a: id }`)

    const { measured, visited } = countVisits(document)

    expect(measured).toMatchObject({ depth: 2, aliases: 1_000_000_000, cost: 1_000_000_000 })
    expect(visited).toBeLessThan(3 * levels + 10)
  })

  test.each([
    '{ viewer { ...A } } fragment A on User { id ...A }',
    '{ viewer { ...A } } fragment A on User { companies { ...B } } fragment B on Company { users { collection { ...A } } }',
    '{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...C ...A } fragment C on Query { ...A ...B viewer { id } }',
  ])('ends on fragments in a circle: %s', (source) => {
    const { measured, visited } = countVisits(parse(source))

    expect(measured.depth).toBeGreaterThan(0)
    expect(visited).toBeLessThan(20)
  })

  test.each([
    [{ page: { perPage: 20 } }, { page: { perPage: 20 } }, true],
    [{ page: { perPage: 20 } }, { page: { perPage: 20, page: 7 }, text: 'other' }, true],
    [{ page: { perPage: 20 } }, { page: { perPage: 21 } }, false],
    [{ page: { perPage: 20 } }, { page: { perPage: '20' } }, false],
    [{ page: { perPage: 20 } }, {}, false],
    [{}, { page: {} }, true],
    [{ page: { perPage: 5_000 } }, { page: { perPage: 1_000 } }, true],
  ])('at the variables %j holds for %j: %j', (measuredAt, others, holds) => {
    const document = parse(`query ($page: PaginationInput, $text: String) {
      issues(pagination: $page) { collection { id } } __typename }`)
    const at = (variables: Record<string, unknown>) =>
      measureDocument(sampleSchema, document, undefined, variables, { maxPageSize: 1_000 })

    const measured = at(measuredAt)

    expect(measured.holdsFor(others)).toBe(holds)
    expect(at(others).cost.cost === measured.cost.cost).toBe(holds)
  })

  test('ends on a nesting deeper than the stack', () => {
    const levels = 1_500
    const document = parse(`{ ${'a { '.repeat(levels)} b ${'}'.repeat(levels)} }`)

    const { cost: measured } = measureDocument(sampleSchema, document, undefined, {}, { maxPageSize: 1_000 })

    expect(measured.depth).toBe(1_000_000_000)
  })

  test('never throws and visits a selection once, whatever the document', () => {
    const documents = fc.integer().map((seed) => [...hostileDocuments(sampleSchema, seed, 60)])

    const property = fc.property(documents, (generated) => {
      for (const { body } of generated) {
        const request = asRequest(body)
        if (request === null) continue
        const parsed = parseBounded(request.query, defaultDocumentLimits)
        if (parsed.kind !== 'document') continue
        const { measured, visited, selections } = countVisits(parsed.document, request)
        expect(visited).toBeLessThanOrEqual(selections)
        for (const value of Object.values(measured)) expect(value).toBeGreaterThanOrEqual(0)
      }
    })

    fc.assert(property, { seed: 20_260_101, numRuns: 20 })
  })
})

function asRequest(body: string): { query: string; operationName?: string; variables: Record<string, unknown> } | null {
  let request: unknown
  try {
    request = JSON.parse(body)
  } catch {
    return null
  }
  if (typeof request !== 'object' || request === null || !('query' in request) || typeof request.query !== 'string')
    return null
  const operationName =
    'operationName' in request && typeof request.operationName === 'string' ? request.operationName : undefined
  const given = 'variables' in request ? request.variables : undefined
  const variables = typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given)) : {}
  return { query: request.query, operationName, variables }
}

/** Measures a document whose selection sets tell when they are walked; `selections` is how many there are to walk. */
function countVisits(document: DocumentNode, request?: { operationName?: string; variables: Record<string, unknown> }) {
  let visited = 0
  let selections = 0
  visit(document, {
    SelectionSet: {
      leave(node) {
        const set = node.selections
        selections += set.length
        Object.defineProperty(node, 'selections', {
          get: () => {
            visited += set.length
            return set
          },
        })
      },
    },
  })
  visited = 0
  const { operationName, variables } = request ?? { variables: {} }
  const { cost: measured } = measureDocument(sampleSchema, document, operationName, variables, { maxPageSize: 1_000 })
  return { measured, visited, selections }
}
