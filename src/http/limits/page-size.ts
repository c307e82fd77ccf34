// How many items a field's page may hold, from its arguments, the variables and the schema's defaults.

import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  Kind,
  type ObjectValueNode,
  type ValueNode,
} from 'graphql'

/** The page that a field without a default of its own in the schema returns. */
export const defaultPageSize = 10

/** The value of a variable by name; undefined when it was neither given nor has a default. */
type VariableReader = (name: string) => unknown

/** Items on the page that the field asks for, from 1 to `largest`; null for a field that takes no paging. */
export function pageSize(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  variable: VariableReader,
  largest: number,
): number | null {
  let size: number | null = null
  for (const argument of definition.args) {
    if (!isPaging(argument)) continue
    const node = field.arguments?.find((given) => given.name.value === argument.name)?.value
    const asked = argument.name === 'pagination' ? perPage(node, argument, variable) : plain(node, variable)
    size = Math.max(size ?? 1, bounded(asked ?? schemaDefault(argument) ?? defaultPageSize, largest))
  }
  return size
}

function isPaging(argument: GraphQLArgument): boolean {
  return argument.name === 'pagination' || argument.name === 'limit' || argument.name === 'perPage'
}

function perPage(node: ValueNode | undefined, argument: GraphQLArgument, variable: VariableReader): unknown {
  const value = node?.kind === Kind.OBJECT ? pageMember(node, variable) : plain(node, variable)
  return isRecord(value) ? (own(value, 'perPage') ?? inputDefault(argument) ?? defaultPageSize) : value
}

function plain(node: ValueNode | undefined, variable: VariableReader): unknown {
  switch (node?.kind) {
    case undefined:
    case Kind.NULL:
      return undefined
    case Kind.VARIABLE:
      return variable(node.name.value)
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    default:
      return Number.NaN
  }
}

function pageMember(node: ObjectValueNode, variable: VariableReader): { perPage: unknown } {
  return { perPage: plain(node.fields.find((member) => member.name.value === 'perPage')?.value, variable) }
}

/** The default of a variable, as far as a page size can stand in it: a number, or an object's `perPage`. */
export function defaultValue(node: ValueNode): unknown {
  const none = () => undefined
  return node.kind === Kind.OBJECT ? pageMember(node, none) : plain(node, none)
}

function schemaDefault(argument: GraphQLArgument): unknown {
  if (argument.name !== 'pagination') return argument.defaultValue ?? undefined
  const value = argument.defaultValue
  return (isRecord(value) ? own(value, 'perPage') : undefined) ?? inputDefault(argument)
}

function inputDefault(argument: GraphQLArgument): unknown {
  const type = getNamedType(argument.type)
  return isInputObjectType(type) ? (type.getFields().perPage?.defaultValue ?? undefined) : undefined
}

function bounded(value: unknown, largest: number): number {
  if (typeof value !== 'number' || !(value >= 1)) return 1
  return Math.min(Math.ceil(value), largest)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
