// Moves the literals of a GraphQL document into variables, so that checks change values and never the document.

import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  parseType,
  print,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Body, Json } from '../types.ts'

export type GraphqlBody = Extract<Body, { type: 'graphql' }>

const LONGEST = 200_000

/** The body of a document; one of plain JSON when the document cannot be read. */
export function graphqlBody(query: string, variables: { readonly [name: string]: Json }): Body {
  try {
    if (query.length > LONGEST) throw new Error('too long')
    return lifted(parse(query, { maxTokens: 5_000 }), variables, null)
  } catch {
    return { type: 'json', mediaType: 'application/json', value: { query, variables } }
  }
}

/** The same body with the types that the schema gives its arguments: ids, enums and scalars of its own among them. */
export const typedBySchema = (body: GraphqlBody, schema: GraphQLSchema): GraphqlBody =>
  lifted(parse(body.query), body.variables, schema)

/** The same body with other types of some variables, by their names. */
export function retyped(body: GraphqlBody, wanted: ReadonlyMap<string, string>): GraphqlBody {
  const types = { ...body.types }
  const query = visit(parse(body.query), {
    VariableDefinition(node) {
      const type = wanted.get(node.variable.name.value)
      if (type === undefined) return undefined
      types[node.variable.name.value] = type
      return { ...node, type: parseType(type) }
    },
  })
  return { ...body, query: print(query), types }
}

/** Arguments become variables: of the type that the schema tells, or without one of the built-in type that fits. */
function lifted(
  document: DocumentNode,
  given: { readonly [name: string]: Json },
  schema: GraphQLSchema | null,
): GraphqlBody {
  const variables: Record<string, Json> = { ...given }
  const types: Record<string, string> = {}
  const expected = new Map<string, string>()
  const added: VariableDefinitionNode[] = []
  const info = schema && new TypeInfo(schema)
  const visitor: ASTVisitor = {
    VariableDefinition(node) {
      types[node.variable.name.value] = print(node.type)
    },
    Argument(node, _key, _parent, _path, ancestors) {
      const inOperation = ancestors.some(
        (one) => !Array.isArray(one) && 'kind' in one && one.kind === Kind.OPERATION_DEFINITION,
      )
      const inDirective = ancestors.some((one) => !Array.isArray(one) && 'kind' in one && one.kind === Kind.DIRECTIVE)
      if (!inOperation || inDirective) return undefined
      const told = info?.getInputType()
      if (node.value.kind === Kind.VARIABLE) {
        if (told) expected.set(node.value.name.value, String(told))
        return undefined
      }
      const literal = told ? constantOf(node.value, String(told)) : literalOf(node.value)
      if (literal === null) return undefined
      let name = node.name.value
      while (Object.hasOwn(variables, name)) name += '_'
      variables[name] = literal.value
      types[name] = literal.type
      const variable = { kind: Kind.VARIABLE as const, name: { kind: Kind.NAME as const, value: name } }
      added.push({ kind: Kind.VARIABLE_DEFINITION, variable, type: parseType(literal.type) })
      return { ...node, value: variable }
    },
  }
  const changed: DocumentNode = visit(document, info ? visitWithTypeInfo(info, visitor) : visitor)
  const [first] = changed.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const named = visit(changed, {
    OperationDefinition(node) {
      return node === first
        ? { ...node, variableDefinitions: [...(node.variableDefinitions ?? []), ...added] }
        : undefined
    },
  })
  const body = {
    type: 'graphql',
    query: print(named),
    operationName: first?.name?.value ?? '',
    variables,
    types,
  } as const
  const wrong = [...expected].filter(([name, type]) => types[name] !== undefined && bare(types[name]) !== bare(type))
  return retyped(body, new Map(wrong))
}

/** The name of a type without what says that it is a list or never null. */
const bare = (type: string) => type.replace(/[[\]!]/g, '')

/** Any value without variables in it, as JSON has it. */
function constantOf(value: ValueNode, type: string): { value: Json; type: string } | null {
  const json = plainOf(value)
  return json === undefined || json === null ? null : { value: json, type }
}

/** Undefined where a variable stands in it. */
function plainOf(node: ValueNode): Json | undefined {
  if (node.kind === Kind.VARIABLE) return undefined
  if (node.kind === Kind.LIST) {
    const all = node.values.map(plainOf)
    return all.every((one) => one !== undefined) ? all : undefined
  }
  if (node.kind === Kind.OBJECT) {
    const pairs = node.fields.map(({ name, value }) => [name.value, plainOf(value)] as const)
    return pairs.every((pair): pair is readonly [string, Json] => pair[1] !== undefined)
      ? Object.fromEntries(pairs)
      : undefined
  }
  if (node.kind === Kind.NULL) return null
  return node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : node.value
}

function literalOf(value: ValueNode): { value: Json; type: string } | null {
  switch (value.kind) {
    case Kind.STRING:
      return { value: value.value, type: 'String!' }
    case Kind.INT:
      return { value: Number(value.value), type: 'Int!' }
    case Kind.FLOAT:
      return { value: Number(value.value), type: 'Float!' }
    case Kind.BOOLEAN:
      return { value: value.value, type: 'Boolean!' }
    default:
      return null
  }
}
