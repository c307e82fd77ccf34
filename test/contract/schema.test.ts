// The schema contains the published contract, and removes nothing that was ever released.

import { existsSync, readFileSync } from 'node:fs'
import {
  buildSchema,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { buildSchema as buildOwn } from '../../src/modules/schema.ts'
import { incompatibilities } from './compatibility.ts'
import { schema } from './schema.ts'

const RELEASED = 'test/contract/released.graphql'

test('the printed schema contains the contract', () => {
  const contract = buildSchema(readFileSync('test/contract/contract.graphql', 'utf8'))

  const lacks = incompatibilities(contract, schema)

  expect(lacks).toEqual([])
})

test('the printed schema is the one that the service answers by', () => {
  const served = printSchema(lexicographicSortSchema(buildOwn()))

  expect(readFileSync('schema.graphql', 'utf8').trim()).toBe(served.trim())
})

test('nothing that was released is taken away', () => {
  // Before the first release there is no released.graphql; a release copies schema.graphql there.
  const released = existsSync(RELEASED) ? buildSchema(readFileSync(RELEASED, 'utf8')) : schema

  const broken = incompatibilities(released, schema)

  expect(broken).toEqual([])
})

/** Existing clients expect a scalar here. */
const scalarPayloads = ['importSbom']

test('every mutation has one input and a nullable payload, and both carry clientMutationId', () => {
  const odd = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ args, type }) => {
    const [input, ...more] = args
    const given = input && isNonNullType(input.type) && isInputObjectType(input.type.ofType) && input.type.ofType
    const isMarked = given && String(given.getFields().clientMutationId?.type) === 'String'
    const isEchoed = isObjectType(type) && String(type.getFields().clientMutationId?.type) === 'String'
    return input?.name !== 'input' || more.length > 0 || !isMarked || !isEchoed
  })

  expect(odd.map(({ name }) => name)).toEqual(scalarPayloads)
})

test('every list of own records has metadata', () => {
  const lists = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.name.endsWith('Collection'),
  )

  const odd = lists.filter(
    (type) => isObjectType(type) && String(type.getFields().metadata?.type) !== 'CollectionMetadata!',
  )

  expect(lists.length).toBeGreaterThan(10)
  expect(odd.map(({ name }) => name)).toEqual([])
})

describe('the check', () => {
  const before = `interface Named { name: String! }
    type Pet implements Named { name: String! age(unit: Unit = YEARS): Int }
    enum Unit { YEARS DAYS } input Asked { id: ID! note: String = "none" }
    type Query { pet(asked: Asked!, first: Int): Named pets: [Pet!]! }`

  test.each([
    ['a field that is gone', 'age(unit: Unit = YEARS): Int', '', 'Pet.age is gone'],
    ['an enum value that is gone', 'YEARS DAYS', 'YEARS', 'Unit.DAYS is gone'],
    ['an interface that is left', 'Pet implements Named', 'Pet', 'Pet is no Named'],
    ['another default', '= YEARS', '= DAYS', 'Pet.age(unit) has another default'],
    ['an argument that is gone', ', first: Int', '', 'Query.pet(first) is gone'],
    ['an argument that is asked for', 'first: Int', 'first: Int!', 'Query.pet(first) is Int! where it was Int'],
    ['a new argument that is asked for', 'pets:', 'pets(page: Int!):', 'Query.pets(page) is asked for'],
    ['an input field that is asked for', 'id: ID!', 'id: ID! key: ID!', 'Asked.key is asked for'],
    ['a promise that is less', '[Pet!]!', '[Pet!]', 'Query.pets is [Pet!] where it was [Pet!]!'],
    ['a list that is none', '[Pet!]!', 'Pet!', 'Query.pets is Pet! where it was [Pet!]!'],
  ])('finds %s', (_, was, is, sentence) => {
    expect(incompatibilities(buildSchema(before), buildSchema(before.replace(was, is)))).toEqual([sentence])
  })

  test.each([
    ['a new field', 'type Pet implements Named {', 'type Pet implements Named { legs: Int'],
    ['a promise that is more', 'first: Int): Named', 'first: Int): Pet!'],
    ['a new optional argument', 'pets:', 'pets(page: Int):'],
    ['less to ask', 'id: ID!', 'id: ID'],
    ['a new enum value', 'YEARS DAYS', 'YEARS DAYS WEEKS'],
  ])('lets %s pass', (_, was, is) => {
    expect(incompatibilities(buildSchema(before), buildSchema(before.replace(was, is)))).toEqual([])
  })
})
