// GraphQL as operations, one for each root field: from SDL, an introspection file, or the target's own introspection.

import {
  buildClientSchema,
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql'
import type { SendOptions } from '../check.ts'
import { isObject, readJson } from '../json-leaves.ts'
import type { Exchange, HttpRequest, Json, Operation } from '../types.ts'
import { type Reading, readAsDeep } from './deepening.ts'
import { isDestructive, kindOf, valueByName } from './names.ts'
import { changesPassword } from './passwords.ts'

type Send = (request: HttpRequest, options?: SendOptions) => Promise<Exchange>

const DEEPEST_SELECTION = 3
const MOST_FIELDS = 12
const DEPTHS_OF_INPUT = [4, 3, 2, 1]
const MOST_OF_INPUT = 200

/** A schema of a file's text; null when it is none. */
export function readGraphqlSchema(text: string): GraphQLSchema | null {
  try {
    const json = readJson(text)
    if (isObject(json)) return schemaOfAnswer(json)
    return buildSchema(text, { assumeValidSDL: true })
  } catch {
    return null
  }
}

function schemaOfAnswer(json: Json): GraphQLSchema | null {
  const data = isObject(json) && isObject(json.data) ? json.data : json
  if (!isIntrospection(data)) return null
  return buildClientSchema(data, { assumeValid: true })
}

const isIntrospection = (value: unknown): value is IntrospectionQuery =>
  typeof value === 'object' && value !== null && '__schema' in value && typeof value.__schema === 'object'

/** Asks an endpoint for its schema; null when it does not tell. */
export async function introspect(endpoint: string, send: Send): Promise<GraphQLSchema | null> {
  const full = getIntrospectionQuery({ descriptions: false })
  // some refuse the query by its usual name, and some know no subscriptions
  for (const query of [
    full,
    full.replace('query IntrospectionQuery', 'query Schema'),
    full.replace('query IntrospectionQuery', '').replace(/subscriptionType \{[^}]{0,50}\}/, ''),
  ]) {
    const { text } = await send(graphqlRequest(endpoint, query))
    try {
      const schema = schemaOfAnswer(readJson(text) ?? null)
      if (schema) return schema
    } catch {
      // what it tells is no schema
    }
  }
  return null
}

function graphqlRequest(endpoint: string, query: string, variables: Json = {}): HttpRequest {
  const body = JSON.stringify({ query, variables })
  const headers = [
    ['Host', URL.parse(endpoint)?.host ?? ''],
    ['Accept', 'application/json, */*'],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
  ] as const
  return { method: 'POST', url: endpoint, headers, body }
}

/** The schema that an address tells; null when it answers no GraphQL, or does not tell it. */
export const schemaAt = async (endpoint: string, send: Send): Promise<GraphQLSchema | null> =>
  (await speaksGraphql(endpoint, send)) ? introspect(endpoint, send) : null

/** Whether an address answers GraphQL. */
async function speaksGraphql(endpoint: string, send: Send): Promise<boolean> {
  const { answer, text } = await send(graphqlRequest(endpoint, 'query { __typename }'))
  const json = answer.status < 500 ? readJson(text) : undefined
  if (!isObject(json)) return false
  if (isObject(json.data) && typeof json.data.__typename === 'string') return true
  return (
    Array.isArray(json.errors) &&
    json.errors.length > 0 &&
    json.errors.every((one) => isObject(one) && typeof one.message === 'string') &&
    !/not found/i.test(text)
  )
}

/** The operations of a schema at an endpoint. */
export function fromGraphql(schema: GraphQLSchema, endpoint: URL): Operation[] {
  const roots = [
    { word: 'query', type: schema.getQueryType() },
    { word: 'mutation', type: schema.getMutationType() },
  ]
  return roots.flatMap(({ word, type }) =>
    type ? Object.values(type.getFields()).map((field) => operationOf(schema, endpoint, word, type, field)) : [],
  )
}

function operationOf(
  schema: GraphQLSchema,
  endpoint: URL,
  word: string,
  root: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Operation {
  const used = field.args
  const variables = Object.fromEntries(used.map((one) => [one.name, argumentValue(one)]))
  const types = Object.fromEntries(used.map((one) => [one.name, String(one.type)]))
  const declared = used.map((one) => `$${one.name}: ${one.type}`).join(', ')
  const passed = used.map((one) => `${one.name}: $${one.name}`).join(', ')
  const call = `${field.name}${passed ? `(${passed})` : ''}${selectionOf(schema, field.type)}`
  const operationWords = `/${field.name}`
  const isMutation = word === 'mutation'
  const sent: Pick<Operation, 'method' | 'path' | 'parameters' | 'body' | 'kind'> = {
    method: 'POST',
    path: endpoint.pathname.replaceAll('{', '%7B') + endpoint.search,
    parameters: [],
    body: {
      type: 'graphql',
      query: `${word}${declared ? `(${declared})` : ''} { ${call} }`,
      operationName: '',
      variables,
      types,
    },
    kind: isMutation ? kindOfMutation(field.name) : 'read',
  }
  return {
    ...sent,
    key: `POST ${endpoint.pathname}#${root.name}.${field.name}`,
    origin: endpoint.origin,
    isDestructive: isMutation
      ? isDestructive('POST', operationWords) || changesPassword(sent, field.name)
      : DESTROYS.test(field.name),
    requiresAuth: null,
    source: 'graphql',
    answers: {},
  }
}

/** Queries are to read, but some that are named so do not; `deleted`, or `resetLink`, says nothing of what is done. */
const DESTROYS = /^(delete|remove|destroy|drop|purge|wipe|truncate|clear|flush|reset)(all|every)?([A-Z_]|$)/

const kindOfMutation = (name: string) =>
  /^(delete|remove|destroy)/i.test(name) ? 'delete' : kindOf('POST', `/${name.replace(/([A-Z])/g, '-$1')}`)

/** The argument's default where it has a plain one: what a client that says nothing asks for. */
const argumentValue = ({ name, type, defaultValue }: GraphQLArgument): Json =>
  typeof defaultValue === 'string' || typeof defaultValue === 'number' || typeof defaultValue === 'boolean'
    ? defaultValue
    : readAsDeep(DEPTHS_OF_INPUT, MOST_OF_INPUT, (reading) => inputValue(reading, type, name, 0))

function inputValue(reading: Reading, type: GraphQLInputType, name: string, depth: number): Json {
  if (isNonNullType(type)) return inputValue(reading, type.ofType, name, depth)
  reading.left -= 1
  if (isListType(type)) return depth > reading.deepest ? [] : [inputValue(reading, type.ofType, name, depth + 1)]
  if (isEnumType(type)) return type.getValues()[0]?.name ?? null
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((one) => depth < reading.deepest || isNonNullType(one.type))
    return depth > reading.deepest + 2 || reading.left < 0
      ? {}
      : Object.fromEntries(fields.map((one) => [one.name, inputValue(reading, one.type, one.name, depth + 1)]))
  }
  switch (type.name) {
    case 'Int':
      return 1
    case 'Float':
      return 1.5
    case 'Boolean':
      return true
    case 'ID':
      return '1'
    case 'DateTime':
      return '2026-01-15T10:00:00Z'
    case 'Date':
      return '2026-01-15'
    case 'JSON':
    case 'JSONObject':
      return {}
    default:
      return valueByName(name)
  }
}

function selectionOf(schema: GraphQLSchema, type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (isUnionType(named)) {
    const parts = schema.getPossibleTypes(named).map((one) => `... on ${one.name}${selectionOf(schema, one, depth)}`)
    return ` { __typename ${parts.slice(0, 4).join(' ')} }`
  }
  if (!isObjectType(named) && !isInterfaceType(named)) return ''
  const fields = Object.values(named.getFields()).filter(({ args }) => !args.some(isRequiredArgument))
  const leaves = fields.filter((one) => isLeafType(getNamedType(one.type))).map((one) => one.name)
  const nested =
    depth < DEEPEST_SELECTION - 1
      ? fields
          .filter((one) => !isLeafType(getNamedType(one.type)))
          .slice(0, MOST_FIELDS >> (depth + 1))
          .map((one) => `${one.name}${selectionOf(schema, one.type, depth + 1)}`)
      : []
  const all = [...leaves.slice(0, MOST_FIELDS * 2), ...nested]
  return ` { ${all.length > 0 ? all.join(' ') : '__typename'} }`
}
