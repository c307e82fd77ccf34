// A direct query answers as graphql-js does, and falls back to an executor when the records do not hold the whole answer.

import { buildSchema, execute, type GraphQLSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Context } from '../modules/context.ts'
import { compileDirect } from './direct.ts'

const SDL = `
  enum Level { LOW HIGH }
  scalar Time
  interface Node { id: ID! name: String owner: User }
  type User implements Node { id: ID! name: String owner: User login: String! }
  type Thing implements Node { id: ID! name: String owner: User level: Level at: Time size: Int! tags: [String!]! parts: [[Node]] }
  union Any = User | Thing
  type Page { nodes: [Node!]! things: [Thing]! any: [Any!]! count: Int }
  type Query { page(limit: Int! = 2, level: Level): Page things: [Thing!]! size: Int }
`

const ann = { kind: 'User', id: 'u1', name: 'Ann', owner: null, login: 'ann' }
const bolt = {
  ...{ kind: 'Thing', id: 7, name: null, owner: ann, level: 'HIGH', at: '2026-01-31T09:30:00Z', size: 3 },
  ...{ tags: ['a', '"b"'], parts: [[ann, null], null, []] },
}
const page = { nodes: [ann, bolt], things: [bolt, null], any: [ann, bolt] }

/** A schema whose root fields give `value`; the owner is resolved where it is not given. */
function schemaOf(value: unknown): GraphQLSchema {
  const schema = buildSchema(SDL)
  const resolveType = ({ kind }: { kind: string }) => kind
  for (const name of ['Node', 'Any']) Object.assign(schema.getType(name) ?? {}, { resolveType })
  for (const type of [schema.getType('User'), schema.getType('Thing')]) {
    const { owner } = Object(type).getFields()
    owner.resolve = (parent: { owner?: unknown }) => (parent.owner === undefined ? ann : parent.owner)
    owner.extensions = { isReadWhenGiven: true }
  }
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    field.resolve = async (_, args) => (typeof value === 'function' ? value(args) : value)
  }
  return schema
}

const context = {} as Context

async function both(value: unknown, source: string, variables: Record<string, unknown> = {}) {
  const schema = schemaOf(value)
  const document = parse(source)
  expect(validate(schema, document)).toEqual([])
  const direct = await compileDirect(schema, document, undefined)?.(context, variables)
  const plain = await execute({ schema, document, variableValues: variables, contextValue: context })
  return { direct: direct && JSON.stringify(direct), plain: JSON.stringify(plain) }
}

describe('a direct query answers as graphql-js does', () => {
  test.each([
    ['leaves and lists', '{ page { things { id level at size tags name } count } }'],
    ['the fields of an interface', '{ page { nodes { id name } } }'],
    ['names of types', '{ page { __typename nodes { __typename id } any { __typename } things { __typename } } }'],
    ['lists of lists', '{ page { things { parts { id } } } }'],
    ['aliases', '{ p: page { a: nodes { x: id id y: id } b: nodes { name } } }'],
    ['a selection in parts', '{ page { things { owner { id } id } things { size owner { login } } } page { count } }'],
    [
      'fragments',
      '{ page { ...P } } fragment P on Page { nodes { ...N ... on Node { id } ... { name } } } fragment N on Node { name }',
    ],
    ['a fragment of the interface on a type', '{ page { things { ... on Node { name } id } } }'],
    ['a record that was given', '{ page { things { owner { id owner { id } } } } }'],
    ['a list at the root', '{ things { id } }', [bolt]],
    ['a leaf at the root', '{ size }', 5],
    ['null at the root', '{ page { count } }', null],
  ])('for %s', async (_, source, value: unknown = page) => {
    const { direct, plain } = await both(value, source)

    expect(direct).toBe(plain)
  })

  test.each([
    ['a default', 'query ($n: Int = 4) { page(limit: $n) { count } }', {}],
    ['a default of the schema', '{ page { count } }', {}],
    ['a variable', 'query ($n: Int!, $l: Level) { page(limit: $n, level: $l) { count } }', { n: 9, l: 'LOW' }],
  ])('for arguments by %s', async (_, source, variables) => {
    const { direct, plain } = await both(({ limit }: { limit: number }) => ({ count: limit }), source, variables)

    expect(direct).toBe(plain)
  })

  test.each(['{ page { count } }', '{ things { id } }'])('for a resolver that fails: %s', async (source) => {
    const fails = () => Promise.reject(new Error('broken'))

    const { direct, plain } = await both(fails, source)

    expect(direct).toBe(plain)
    expect(direct).toContain('broken')
  })

  test('without data, for variables that cannot be read', async () => {
    const { direct } = await both(page, 'query ($n: Int!) { page(limit: $n) { count } }', { n: 'many' })

    expect(direct).toMatch(/^\{"errors":/)
  })
})

describe('a direct query leaves to an executor', () => {
  test.each([
    ['null where there must be a value', { things: [{ size: null }] }],
    ['an Int that is a text', { things: [{ size: 'x' }] }],
    ['an error as a value', { things: [new Error('broken')] }],
    ['a promise', { things: [Promise.resolve(bolt)] }],
    ['a function', { things: [{ size: () => 3 }] }],
    ['a list that is none', { things: 'abc' }],
    ['a record that is none', { things: ['abc'] }],
  ])('%s', async (_, value) => {
    const { direct } = await both(value, '{ page { things { size } } }')

    expect(direct).toBeNull()
  })

  test.each([
    ['an enum that has no such value', 'level', { level: 'MEDIUM' }],
    ['a value that has to be resolved', 'owner { id }', {}],
    ['a failure as a time', 'at', { at: new Error('broken') }],
  ])('%s', async (_, field, thing) => {
    const { direct } = await both({ things: [thing] }, `{ page { things { ${field} } } }`)

    expect(direct).toBeNull()
  })

  test('a type that is none of the interface', async () => {
    const { direct } = await both({ nodes: [{ ...ann, kind: 'Page' }] }, '{ page { nodes { __typename } } }')

    expect(direct).toBeNull()
  })
})

test.each([
  ['more than one root field', '{ page { count } size }'],
  ['a directive', 'query ($yes: Boolean!) { page { count @skip(if: $yes) } }'],
  ['a directive on a fragment', 'query ($yes: Boolean!) { page { ... @include(if: $yes) { count } } }'],
  ['a part that one type alone has', '{ page { nodes { ... on Thing { size } } } }'],
  ['introspection', '{ __schema { queryType { name } } }'],
  ['the name of the root', '{ __typename }'],
  ['a name that JavaScript takes otherwise', '{ page { __proto__: count } }'],
])('an operation with %s is no direct query', (_, source) => {
  const schema = schemaOf(page)

  expect(compileDirect(schema, parse(source), undefined)).toBeNull()
})

test('a field that is always resolved is no part of a direct query', () => {
  const schema = schemaOf(page)
  const fields = Object(schema.getType('Thing')).getFields()
  fields.size.resolve = () => 1

  expect(compileDirect(schema, parse('{ page { things { size } } }'), undefined)).toBeNull()
})
