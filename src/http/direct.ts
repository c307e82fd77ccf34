// Answers queries from the result of their only root resolver, without an executor, if nothing else has to be resolved.

import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isNonNullType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql'
import type { Context } from '../modules/context.ts'
import { type Fragments, NotDirect, select, type Writer, writerOf } from './direct-writers.ts'

/**
 * Answers as graphql-js would. Null if the resolver's result is not as the schema says (a value is missing, null, a promise, an error, or of
 * another type), so that an executor must answer.
 */
export type DirectQuery = (context: Context, variables: Record<string, unknown>) => Promise<ExecutionResult | null>

/**
 * The operation as a direct query. Null unless it is a query with one root field, below which every field is read from its record and no
 * field is resolved, skipped by a directive, or selected for one type of an interface only.
 */
export function compileDirect(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): DirectQuery | null {
  const operation = getOperationAST(document, operationName)
  const parentType = schema.getQueryType()
  if (operation?.operation !== 'query' || !parentType) return null
  const fragments = fragmentsOf(document)
  const compiler = { schema, fragments }
  const selected = select(compiler, parentType, [operation.selectionSet])
  const [entry] = selected ?? []
  const [node] = entry?.[1] ?? []
  const field = node && parentType.getFields()[node.name.value]
  const writer = entry && field && selected?.size === 1 ? writerOf(compiler, field.type, entry[1]) : null
  if (!entry || !field || !writer) return null
  return queryOf({ schema, fragments, operation, parentType, field, name: entry[0], fieldNodes: entry[1], writer })
}

type RootField = {
  schema: GraphQLSchema
  fragments: Fragments
  operation: OperationDefinitionNode
  parentType: GraphQLObjectType
  field: GraphQLField<unknown, unknown>
  name: string
  fieldNodes: FieldNode[]
  writer: Writer
}

function queryOf({ field, name, fieldNodes, writer, ...root }: RootField): DirectQuery | null {
  const { schema, operation } = root
  const { resolve, type: returnType } = field
  const [node] = fieldNodes
  if (!resolve || !node) return null
  const path = { prev: undefined, key: name, typename: root.parentType.name }
  const info = { ...root, fieldName: field.name, fieldNodes, returnType, path, rootValue: undefined }

  return async (context, given) => {
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given)
    if (errors) return { errors }
    const scope = { context, info: { ...info, variableValues: coerced } }
    let value: unknown
    try {
      value = await resolve(undefined, getArgumentValues(field, node, coerced), context, scope.info)
    } catch (error) {
      const data = isNonNullType(returnType) ? null : { [name]: null }
      return { errors: [locatedError(error, fieldNodes, [name])], data }
    }
    try {
      return { data: { [name]: writer(value, scope) } }
    } catch (error) {
      if (error instanceof NotDirect) return null
      throw error
    }
  }
}

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null)
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  return fragments
}
