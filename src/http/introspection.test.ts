// Tests that introspection gets the same answer as graphql-js gives, or is left to graphql-js.

import {
  execute,
  type GraphQLField,
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { type Random, randomOf } from '../../test/hostile/random.ts'
import { buildSchema } from '../modules/schema.ts'
import { fragmentsOf } from './direct.ts'
import { readSchema } from './introspection.ts'

const schema = buildSchema()

type Variables = Record<string, unknown>

const read = (query: string, variables: Variables = {}, operationName?: string) => {
  const document = parse(query)
  const operation = getOperationAST(document, operationName)
  if (!operation) throw new Error('There is no such operation')
  return readSchema(schema, operation, fragmentsOf(document), variables)
}

const executed = (query: string, variables: Variables = {}) =>
  execute({ schema, document: parse(query), variableValues: variables })

describe('what is asked of the schema', () => {
  test.each<[string, string, Variables?]>([
    ['all of it', getIntrospectionQuery()],
    [
      'all of it with every option',
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ],
    ['one type', '{ __type(name: "Company") { name fields { name type { name kind ofType { name } } } } }'],
    ['a type that there is not', '{ __type(name: "Nothing") { name } }'],
    ['names of types', '{ __typename __schema { __typename types { __typename fields { __typename } } } }'],
    ['the same under two names', '{ a: __schema { queryType { name } } b: __schema { x: queryType { name kind } } }'],
    [
      'the same twice, with more of it',
      '{ __schema { queryType { name } } __schema { queryType { kind } types { name } types { kind } } }',
    ],
    [
      'fragments',
      '{ ...A } fragment A on Query { __schema { types { ...T ... { kind } ...T } } } fragment T on __Type { name ...U } fragment U on __Type { ofType { name } }',
    ],
    [
      'what depends on variables',
      'query ($yes: Boolean!, $name: String = "Query") { __type(name: $name) { name @skip(if: $yes) kind @include(if: $yes) fields(includeDeprecated: $yes) { name args(includeDeprecated: $yes) { name defaultValue } } ... @skip(if: $yes) { description } } }',
      { yes: true },
    ],
  ])('is answered as graphql-js does: %s', async (_, query, variables) => {
    const answer = read(query, variables)

    expect(answer).not.toBeNull()
    expect(JSON.stringify(answer)).toBe(JSON.stringify(await executed(query, variables)))
  })

  test('is answered as graphql-js does whatever is selected, in 200 questions', async () => {
    const variables = { yes: false, no: null }
    const questions = Array.from({ length: 200 }, (_, place) => someQuestion(randomOf(7, place)))
    const valid = questions.filter((question) => validate(schema, parse(question)).length === 0)

    const wrong: string[] = []
    for (const question of valid) {
      const expected = JSON.stringify(await executed(question, variables))
      if (JSON.stringify(read(question, variables)) !== expected) wrong.push(question)
    }

    expect(valid.length).toBeGreaterThan(100)
    expect(wrong).toEqual([])
  })
})

test.each<[string, string, Variables?]>([
  ['something else beside it', '{ __schema { queryType { name } } viewer { id } }'],
  ['a mutation', 'mutation { __typename }'],
  ['a variable that cannot be read', 'query ($name: String!) { __type(name: $name) { name } }', { name: 1 }],
  ['an argument that may not be null', 'query ($name: String = "A") { __type(name: $name) { name } }', { name: null }],
  ['a name that would be a prototype', '{ __proto__: __schema { queryType { name } } }'],
  ['a condition without its variable', 'query ($yes: Boolean = true) { __typename @skip(if: $yes) }', { yes: null }],
])('graphql-js is left what has %s', (_, query, variables) => {
  expect(read(query, variables)).toBeNull()
})

const rootSelections = [
  '__schema',
  '__type(name: "Query")',
  '__type(name: "Issue")',
  '__type(name: "IssueType")',
] as const

function someQuestion(random: Random): string {
  const root = random.pick(rootSelections)
  const type = schema.getType(root === '__schema' ? '__Schema' : '__Type')
  if (!isObjectType(type)) throw new Error('There is no introspection')
  const using = 'v: __type(name: "Query") @skip(if: $yes) { fields(includeDeprecated: $no) { name } }'
  return `query ($yes: Boolean!, $no: Boolean) { ${root} ${selectionOf(random, type, 3)} ${using} }`
}

function selectionOf(random: Random, type: GraphQLObjectType, left: number): string {
  const usable = Object.values(type.getFields()).filter(
    (field) => left > 0 || !isCompositeType(getNamedType(field.type)),
  )
  const parts = random.some(usable, 4).map((field) => fieldOf(random, field, left))
  return `{ ${[...parts, random.onceIn(4) ? '__typename' : `... on ${type.name} { ${parts[0]} }`].join(' ')} }`
}

function fieldOf(random: Random, field: GraphQLField<unknown, unknown>, left: number): string {
  const named = getNamedType(field.type)
  const alias = random.onceIn(5) ? `other${random.int(3)}: ` : ''
  const args =
    field.args.length > 0 && random.onceIn(2) ? `(includeDeprecated: ${random.pick(['true', '$yes', '$no'])})` : ''
  const condition = random.onceIn(6)
    ? ` @${random.pick(['skip', 'include'])}(if: ${random.pick(['$yes', 'true'])})`
    : ''
  const under = isObjectType(named) ? ` ${selectionOf(random, named, left - 1)}` : ''
  return `${alias}${field.name}${args}${condition}${under}`
}
