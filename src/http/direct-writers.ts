// Turns the result of a resolver into the selected part of an answer, without an executor.

import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Context } from '../modules/context.ts'

type Scope = { context: Context; info: GraphQLResolveInfo }

/** A value that cannot be read directly, so that an executor must resolve it or report the error. */
export class NotDirect extends Error {}

/** Turns a value of a record into the value of the answer; throws NotDirect. */
export type Writer = (value: unknown, scope: Scope) => unknown

export type Fragments = Record<string, FragmentDefinitionNode>

/** The response's name of a field → its nodes. */
type Selected = Map<string, FieldNode[]>

type Compiler = { schema: GraphQLSchema; fragments: Fragments }

/** The fields that are selected of every value of the type, in the order of the answer; null if that depends on a directive or on the value. */
export function select(
  { schema, fragments }: Compiler,
  type: GraphQLCompositeType,
  sets: readonly (SelectionSetNode | undefined)[],
): Selected | null {
  const selected: Selected = new Map()
  const seen = new Set<string>()
  const always = (condition: string | undefined): boolean => {
    const wanted = condition === undefined ? type : schema.getType(condition)
    if (wanted === type) return true
    return isAbstractType(wanted) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wanted, type)
  }
  const collect = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.directives?.length) return false
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value
        selected.set(name, [...(selected.get(name) ?? []), selection])
        return true
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD && seen.has(selection.name.value)) return true
      if (selection.kind === Kind.FRAGMENT_SPREAD) seen.add(selection.name.value)
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value]
      if (!fragment || fragment.directives?.length) return false
      return always(fragment.typeCondition?.name.value) && collect(fragment.selectionSet)
    })
  return sets.every((set) => set && collect(set)) ? selected : null
}

/** The writer for values of the type; null if something below needs a resolver. */
export function writerOf(compiler: Compiler, type: GraphQLOutputType, nodes: readonly FieldNode[]): Writer | null {
  if (isNonNullType(type)) return innerWriter(compiler, type.ofType, nodes)
  const inner = innerWriter(compiler, type, nodes)
  return inner && ((value, scope) => (value === null || value === undefined ? null : inner(value, scope)))
}

/** The writer for values other than null. */
function innerWriter(compiler: Compiler, type: GraphQLOutputType, nodes: readonly FieldNode[]): Writer | null {
  if (isLeafType(type)) return leafWriter(type)
  if (!isListType(type)) return isNonNullType(type) ? null : recordWriter(compiler, type, nodes)
  const item = writerOf(compiler, type.ofType, nodes)
  return item && ((value, scope) => asList(value).map((entry) => item(entry, scope)))
}

function leafWriter(type: GraphQLLeafType): Writer {
  const serialized = (value: unknown) => {
    const written = isSettled(value) ? serialize(type, value) : null
    if (written === null || written === undefined) throw new NotDirect(`No ${type.name} stands here`)
    return written
  }
  const isText = type.name === 'String' || type.name === 'ID'
  return isText ? (value) => (typeof value === 'string' ? value : serialized(value)) : serialized
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.serialize(value)
  } catch (cause) {
    throw new NotDirect(`No ${type.name} stands here`, { cause })
  }
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new NotDirect('No list stands here')
  return value
}

/** Whether a value can be written: it is no error, no promise and no function. */
function isSettled(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined && typeof value !== 'function'
  return value !== null && !(value instanceof Error) && !('then' in value)
}

function recordWriter(compiler: Compiler, type: GraphQLCompositeType, nodes: readonly FieldNode[]): Writer | null {
  const sets = nodes.map(({ selectionSet }) => selectionSet)
  const selected = select(compiler, type, sets)
  if (!selected || selected.has('__proto__')) return null
  const fields: FieldWriter[] = []
  for (const [name, fieldNodes] of selected) {
    const field = fieldWriter(compiler, type, fieldNodes)
    if (!field) return null
    fields.push({ ...field, name })
  }
  const write = literal(fields)
  return (value, scope) => {
    if (typeof value !== 'object' || !isSettled(value)) throw new NotDirect(`No ${type.name} stands here`)
    return write(value, scope)
  }
}

/** `key`: the property of the record that is read; null for the record itself. */
type FieldWriter = { name: string; key: string | null; writer: Writer }

function fieldWriter(
  compiler: Compiler,
  type: GraphQLCompositeType,
  nodes: readonly FieldNode[],
): Omit<FieldWriter, 'name'> | null {
  const [node] = nodes
  if (!node || nodes.some((other) => other.name.value !== node.name.value || other.arguments?.length)) return null
  const key = node.name.value
  if (key === '__typename') return { key: null, writer: typeNameWriter(compiler, type) }
  const fields = isAbstractType(type)
    ? compiler.schema.getPossibleTypes(type).map((possible) => fieldOf(possible, key))
    : [fieldOf(type, key)]
  const [field] = fields
  if (!field || !fields.every((other) => other && isRead(other) && String(other.type) === String(field.type)))
    return null
  const writer = writerOf(compiler, field.type, nodes)
  const mayBeMissing = fields.some((other) => other?.resolve)
  return writer && { key, writer: mayBeMissing ? present(writer) : writer }
}

/** An object type with a check of its own is left to an executor. */
const fieldOf = (type: GraphQLObjectType, name: string) => (type.isTypeOf ? undefined : type.getFields()[name])

/** A field with a resolver is read directly if its resolver returns the record's value whenever there is one; see `unlessGiven`. */
const isRead = ({ resolve, extensions }: GraphQLField<unknown, unknown>): boolean =>
  resolve === undefined || extensions.isReadWhenGiven === true

const present =
  (writer: Writer): Writer =>
  (value, scope) => {
    if (value === undefined) throw new NotDirect('The value has to be resolved')
    return writer(value, scope)
  }

const typeNameWriter = ({ schema }: Compiler, type: GraphQLCompositeType): Writer =>
  isAbstractType(type) ? (value, scope) => possibleName(schema, type, value, scope) : () => type.name

function possibleName(schema: GraphQLSchema, type: GraphQLAbstractType, value: unknown, { context, info }: Scope) {
  const name = type.resolveType?.(value, context, info, type)
  const possible = typeof name === 'string' ? schema.getType(name) : undefined
  if (!isObjectType(possible) || !schema.isSubType(type, possible)) throw new NotDirect('The type cannot be told')
  return name
}

/** Writes a record as one object literal, several times faster than property by property. GraphQL names need no quoting. */
function literal(fields: readonly FieldWriter[]): Writer {
  const entries = fields.map(
    ({ name, key }, index) => `"${name}": w${index}(${key === null ? 'value' : `value.${key}`}, scope)`,
  )
  const parameters = fields.map((_, index) => `w${index}`)
  const make = new Function(...parameters, `return (value, scope) => ({ ${entries.join(', ')} })`)
  return make(...fields.map(({ writer }) => writer))
}
