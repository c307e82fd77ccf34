// The committed schema as tests need it: its root fields, a document for each, and the types of places in its variables.

import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql'

export const schema: GraphQLSchema = buildSchema(readFileSync('schema.graphql', 'utf8'))

type RootField = GraphQLField<unknown, unknown> & { isMutation: boolean }

/** Every field of Query and Mutation. */
export const rootFields: readonly RootField[] = [
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ({ ...field, isMutation: false })),
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ({ ...field, isMutation: true })),
]

export function rootField(name: string): RootField {
  const field = rootFields.find((known) => known.name === name)
  if (!field) throw new Error(`The schema has no root field ${name}`)
  return field
}

/** An operation that passes every argument of the field as a variable; a mutation also selects clientMutationId. */
export function built(name: string, select: string): string {
  const { args, isMutation } = rootField(name)
  const variables = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ')
  const given = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ')
  const selection = `${isMutation ? 'clientMutationId ' : ''}${select}`
  return `${isMutation ? 'mutation' : 'query'}${variables ? ` (${variables})` : ''} {
    ${name}${given ? `(${given})` : ''} { ${selection} } }`
}

function typeAt(type: GraphQLInputType, steps: readonly string[]): GraphQLInputType {
  const [step, ...rest] = steps
  if (step === undefined) return type
  const bare = getNullableType(type)
  if (isListType(bare)) return typeAt(bare.ofType, rest)
  const field = isInputObjectType(bare) ? bare.getFields()[step] : undefined
  if (!field) throw new Error(`${bare} has no field ${step}`)
  return typeAt(field.type, rest)
}

/** An id in the type of its place: a number where the schema says Int, otherwise a string. */
export function idValue(field: string, path: string, id: string): string | number {
  const [first = '', ...rest] = path.split('.')
  const argument = rootField(field).args.find((known) => known.name === first)
  const isInt = argument !== undefined && getNamedType(typeAt(argument.type, rest)).name === 'Int'
  return isInt && /^\d+$/.test(id) ? Number(id) : id
}

const longest = 5

/** The paths of all single values below an argument, with `0` for list items; input types nest at most five levels deep. */
export function leavesOf({ name, type }: Pick<GraphQLArgument, 'name' | 'type'>, path = ''): string[] {
  const here = path === '' ? name : `${path}.${name}`
  const bare = getNullableType(type)
  if (isListType(bare)) return leavesOf({ name: '0', type: bare.ofType }, here)
  if (!isInputObjectType(bare)) return [here]
  if (here.split('.').length > longest * 2) return []
  return Object.values(bare.getFields()).flatMap((field) => leavesOf(field, here))
}
