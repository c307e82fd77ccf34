// A plausible value for any input type of the schema, for tests that call every operation.

import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** Uses `id` for every id, and fills only required fields. */
function plausible(type: GraphQLInputType, id: string): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [plausible(nullable.ofType, id)]
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name
  if (isInputObjectType(nullable)) {
    const required = Object.values(nullable.getFields()).filter((field) => isNonNullType(field.type))
    return Object.fromEntries(required.map((field) => [field.name, plausible(field.type, id)]))
  }
  const scalars: Record<string, unknown> = {
    ID: id,
    Int: Number(id),
    Float: 1,
    Boolean: true,
    ISO8601DateTime: '2026-01-31T09:30:00Z',
    ISO8601Date: '2026-01-31',
    JSON: {},
    Upload: { filename: 'a.txt', contentType: 'text/plain', base64: 'eA==' },
  }
  return scalars[nullable.toString()] ?? 'text'
}

/** An operation on one root field with plausible variables, which selects only __typename. */
export function operationOf(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>, id: string) {
  const required = field.args.filter(({ type }) => isNonNullType(type))
  const declared = required.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const given = required.map(({ name }) => `${name}: $${name}`).join(', ')
  const selection =
    isObjectType(getNamedType(field.type)) || !('parseValue' in getNamedType(field.type)) ? '{ __typename }' : ''
  const query = `${kind} ${declared && `(${declared})`} { ${field.name}${given && `(${given})`} ${selection} }`
  return { query, variables: Object.fromEntries(required.map(({ name, type }) => [name, plausible(type, id)])) }
}
