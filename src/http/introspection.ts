// Answers introspection directly from the schema, without an executor, because no other answer has as many fields.

import {
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import type { Fragments } from './direct-writers.ts'

type Question = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: Fragments
  variables: Record<string, unknown>
}

/** Reads the selected fields of a value. */
type Read = (value: unknown) => unknown

/** The query cannot be answered here; an executor answers it or reports its errors. */
class NotRead extends Error {}

/**
 * The answer to a valid query for the schema alone, as graphql-js gives it; null for every other operation, and if variables or arguments are
 * invalid.
 */
export function readSchema(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  given: Record<string, unknown>,
): ExecutionResult | null {
  const root = schema.getQueryType()
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given)
  if (operation.operation !== 'query' || !root || errors) return null
  try {
    const read = recordReader({ schema, operation, fragments, variables: coerced }, root, [operation.selectionSet])
    return { data: read({}) }
  } catch (error) {
    if (error instanceof NotRead) return null
    throw error
  }
}

function readerOf(question: Question, type: GraphQLOutputType, nodes: readonly FieldNode[]): Read {
  if (isNonNullType(type)) return readerOf(question, type.ofType, nodes)
  if (isListType(type)) {
    const item = readerOf(question, type.ofType, nodes)
    return (value) => (Array.isArray(value) ? value.map(item) : null)
  }
  if (isLeafType(type)) return (value) => (value === null || value === undefined ? null : type.serialize(value))
  if (!isObjectType(type)) throw new NotRead()
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const read = recordReader(question, type, sets)
  return type.name === '__Type' ? once(read) : read
}

/** The same type occurs in thousands of places of an answer with the same selection; they all share one record. */
function once(read: Read): Read {
  const known = new Map<unknown, unknown>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const made = read(value)
    known.set(value, made)
    return made
  }
}

function recordReader(
  question: Question,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): (value: unknown) => Record<string, unknown> | null {
  const selected = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  for (const set of sets) collect(question, type, set, selected, seen)
  const entries = [...selected].map(([name, nodes]) => ({ name, read: fieldReader(question, type, nodes) }))
  return (value) => {
    if (value === null || value === undefined) return null
    const record: Record<string, unknown> = {}
    for (const { name, read } of entries) record[name] = read(value)
    return record
  }
}

function collect(
  question: Question,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  selected: Map<string, FieldNode[]>,
  seen: Set<string>,
): void {
  for (const selection of selections) {
    if (isSkipped(question, selection)) continue
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value
      // would be the prototype of the record
      if (name === '__proto__') throw new NotRead()
      selected.set(name, [...(selected.get(name) ?? []), selection])
      continue
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD && seen.has(selection.name.value)) continue
    if (selection.kind === Kind.FRAGMENT_SPREAD) seen.add(selection.name.value)
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : question.fragments[selection.name.value]
    const condition = fragment?.typeCondition?.name.value ?? type.name
    if (!fragment || condition !== type.name) throw new NotRead()
    collect(question, type, fragment.selectionSet, selected, seen)
  }
}

function isSkipped({ variables }: Question, node: SelectionNode): boolean {
  if (!node.directives?.length) return false
  try {
    if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return true
    return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false
  } catch (cause) {
    throw new NotRead('The condition cannot be read', { cause })
  }
}

function fieldReader(question: Question, type: GraphQLObjectType, nodes: readonly FieldNode[]): Read {
  const [node] = nodes
  if (node?.name.value === '__typename') return () => type.name
  const field = node && fieldOf(question, type, node.name.value)
  if (!node || !field?.resolve) throw new NotRead()
  const { resolve } = field
  const args = argumentsOf(question, field, node)
  const info = infoOf(question, type, field, nodes)
  const read = readerOf(question, field.type, nodes)
  return (value) => read(resolve(value, args, undefined, info))
}

/** At the root only the introspection fields; below them all fields. */
function fieldOf({ schema }: Question, type: GraphQLObjectType, name: string) {
  if (type !== schema.getQueryType()) return type.getFields()[name]
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name)
}

function argumentsOf({ variables }: Question, field: GraphQLField<unknown, unknown>, node: FieldNode) {
  try {
    return getArgumentValues(field, node, variables)
  } catch (cause) {
    throw new NotRead('The arguments cannot be read', { cause })
  }
}

function infoOf(
  { schema, operation, fragments, variables }: Question,
  parentType: GraphQLObjectType,
  { name, type }: GraphQLField<unknown, unknown>,
  fieldNodes: readonly FieldNode[],
): GraphQLResolveInfo {
  return {
    schema,
    operation,
    fragments,
    parentType,
    fieldNodes,
    fieldName: name,
    returnType: type,
    rootValue: undefined,
    variableValues: variables,
    path: { prev: undefined, key: name, typename: parentType.name },
  }
}
