/** Requests with valid documents and something wrong around them: variables, operation name, headers, page size. */
import {
  type GraphQLSchema,
  getIntrospectionQuery,
  getNullableType,
  isListType,
  isRequiredArgument,
  OperationTypeNode,
} from 'graphql'
import { junkJson, nestedJson } from './junk.ts'
import { type Make, type Material, members, query, request, times, withVariables } from './material.ts'
import { type Operation, operationText, validOperation } from './operations.ts'
import type { Random } from './random.ts'

/** Classes whose document parses and, apart from some page sizes and introspection, validates. */
export const aroundDocuments = {
  valid: ({ operation, text }) => request(text, operation),
  'valid again': ({ operation, text }) => request(text, operation),
  'valid with all of it in fragments': (material) => request(inFragments(material), material.operation),
  'valid without variables': ({ text }) => members({ query: JSON.stringify(text) }),
  'valid with junk variables': ({ random, operation, text }) => withVariables(text, operation, () => junkJson(random)),
  'valid with one junk variable': ({ random, operation, text }) => {
    const wrong = random.pick(operation.declared)?.name
    return withVariables(text, operation, (name, fitting) => (name === wrong ? junkJson(random) : fitting))
  },
  'variables that are no object': ({ random, text }) =>
    members({ query: JSON.stringify(text), variables: random.pick(['[]', '"{}"', '1', 'true', '[[{}]]', '""']) }),
  'deep variables': ({ random, operation, text }) =>
    withVariables(text, operation, () => nestedJson(random, random.pick([50, 500, 5_000, 50_000]))),
  'variables named as prototypes': ({ random, text }) =>
    members({
      query: JSON.stringify(text),
      variables: `{"__proto__":${junkJson(random)},"constructor":{"prototype":{"polluted":true}},"v0":{"__proto__":{"polluted":1}}}`,
    }),
  'many variables': ({ random, text }) =>
    members({
      query: JSON.stringify(text),
      variables: `{${times(random.pick([1_000, 20_000]), (n) => `"v${n}":${n}`, ',')}}`,
    }),
  'wrong operation name': ({ random, text }) =>
    members({
      query: JSON.stringify(text),
      operationName: random.pick(['"Nobody"', '""', '"__proto__"', '0', '[]', '{}', 'false']),
    }),
  'unknown members': ({ random, operation, text }) =>
    members({
      query: JSON.stringify(text),
      variables: JSON.stringify(operation.variables),
      extensions: junkJson(random),
      id: '"1"',
      persistedQuery: junkJson(random),
    }),
  'members twice': ({ random, operation, text }) =>
    `{"query":${junkJson(random)},"variables":${junkJson(random)},"query":${JSON.stringify(text)},"variables":${JSON.stringify(operation.variables)}}`,
  'odd headers': ({ random, operation, text }) => ({
    body: request(text, operation),
    headers: random.pick<Record<string, string>>([
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'multipart/form-data' },
      { 'content-encoding': 'gzip' },
      { accept: 'text/html' },
      { accept: 'application/graphql-response+json;q=0, */*;q=0' },
      { 'idempotency-key': 'k'.repeat(5_000) },
      { 'x-api-key': 'mrl_\u00ff_0' },
      { 'x-request-id': '../'.repeat(200) },
    ]),
  }),
  'spaces and comments': ({ random, operation, text }) =>
    request(
      `${random.pick([' ', '\t', ',', '\uFEFF', '#\n', '# "\n'])}`.repeat(1 + random.int(5_000)) + text,
      operation,
    ),
  'subscription over HTTP': ({ schema, random, operation }) => {
    const subscription = validOperation(schema, random, OperationTypeNode.SUBSCRIPTION) ?? operation
    return request(operationText(subscription), subscription)
  },
  'huge page': ({ schema, random }) => query(hugePage(schema, random)),
  introspection: ({ random }) => query(introspection(random)),
} satisfies Record<string, Make>

function inFragments({ schema, operation }: Material): string {
  const root = schema.getRootType(operation.type)?.name ?? 'Query'
  const whole: Operation = { ...operation, selection: '{ ...Whole ... { ...Whole } }' }
  return `${operationText(whole)} fragment Whole on ${root} ${operation.selection}`
}

function hugePage(schema: GraphQLSchema, random: Random): string {
  const paging = ['pagination', 'limit', 'perPage']
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {})
  const field = random.pick(fields.filter(({ args }) => args.some(({ name }) => paging.includes(name))))
  if (field === undefined) return '{ __typename }'
  const size = random.pick([
    '1000',
    '1001',
    '2147483647',
    '2147483648',
    '-1',
    '0',
    '1e9',
    '"NaN"',
    '"1000"',
    'null',
    '[5]',
  ])
  const given = field.args
    .filter((argument) => isRequiredArgument(argument) || paging.includes(argument.name))
    .map(
      ({ name }) => `${name}: ${name === 'pagination' ? `{ perPage: ${size} }` : paging.includes(name) ? size : '"1"'}`,
    )
  const under = isListType(getNullableType(field.type))
    ? '__typename'
    : 'collection { __typename } metadata { __typename }'
  return `{ ${field.name}(${given.join(', ')}) { ${under} } }`
}

function introspection(random: Random): string {
  const nested = random.pick(['fields { type { ', 'interfaces { possibleTypes { ', 'ofType { ofType { '])
  const levels = random.pick([1, 3, 12])
  return random.pick([
    getIntrospectionQuery(),
    getIntrospectionQuery().replace('types {', 'a: types { ...FullType } b: types { ...FullType } types {'),
    `{ __schema { types { ${nested.repeat(levels)} name ${'} } '.repeat(levels)} } } }`,
    `{ ${times(levels * 10, (n) => `a${n}: __type(name: "Query") { name fields { name } }`)} }`,
  ])
}
