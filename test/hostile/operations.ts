/** Generates valid operations of any schema, from which hostile documents are made. */
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLNamedOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type OperationTypeNode,
  print,
} from 'graphql'
import type { Random } from './random.ts'

/** An operation that the schema accepts; `variables` has a valid JSON value for each declared variable. */
export type Operation = {
  type: OperationTypeNode
  name: string
  declared: { name: string; type: string }[]
  selection: string
  variables: Record<string, unknown>
}

/** levels of selections below a root field */
const DEEPEST = 3

/** How the arguments of an operation are chosen. */
export type Values = {
  /** A value of a scalar or an enum, for the argument or field with that name. */
  leaf(type: GraphQLLeafType, random: Random, name: string): unknown
  /** The length of a list that is not nested in another. */
  length(random: Random): number
  /** Whether the argument or field is always supplied. */
  wants?(name: string, type: GraphQLInputType): boolean
}

/**
 * An operation with one to three root fields and selections at most three levels below them, with usual values by
 * default; null if the schema has no such root.
 */
export function validOperation(
  schema: GraphQLSchema,
  random: Random,
  type: OperationTypeNode,
  values: Values = usualValues,
): Operation | null {
  const root = schema.getRootType(type)
  if (root === undefined || root === null) return null
  const operation: Operation = { type, name: `Op${random.int(100)}`, declared: [], selection: '', variables: {} }
  const most = type === 'subscription' ? 1 : 3
  const fields = random.some(Object.values(root.getFields()), most).map((field) => fieldText(field, DEEPEST))
  operation.selection = `{ ${fields.join(' ')} }`
  return operation

  function fieldText(field: GraphQLField<unknown, unknown>, left: number): string {
    const isGiven = (argument: GraphQLArgument) =>
      isRequiredArgument(argument) || values.wants?.(argument.name, argument.type) || random.onceIn(3)
    const given = field.args.filter(isGiven).map(argumentText)
    const named = getNamedType(field.type)
    const under = isCompositeType(named) ? ` ${selectionText(named, left - 1)}` : ''
    return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${under}`
  }

  function selectionText(of: GraphQLNamedOutputType, left: number): string {
    const fields = isObjectType(of) || isInterfaceType(of) ? Object.values(of.getFields()) : []
    const usable = fields.filter((field) => left > 0 || !isCompositeType(getNamedType(field.type)))
    const chosen = random.some(usable, 5)
    const parts = chosen.map((field) => fieldText(field, left))
    if (isAbstractType(of)) {
      // Fields of the interface may be selected outside with other arguments, so the fragment only selects the type's
      // own fields.
      const possible = random.pick(schema.getPossibleTypes(of))
      const own = Object.values(possible?.getFields() ?? {}).filter(
        (field) => !isCompositeType(getNamedType(field.type)) && !fields.some(({ name }) => name === field.name),
      )
      const texts = random.some(own, 3).map((field) => fieldText(field, 0))
      if (possible !== undefined && texts.length > 0) parts.push(`... on ${possible.name} { ${texts.join(' ')} }`)
    }
    if (parts.length === 0) parts.push('__typename')
    return `{ ${parts.join(' ')} }`
  }

  function argumentText(argument: GraphQLArgument): string {
    const value = validValue(argument.type, { random, values, name: argument.name }, 2)
    // Extreme values, such as lists with thousands of entries, are sent as variables, because a document holds less.
    const literal = values === usualValues && random.onceIn(2) ? literalText(value, argument.type) : null
    if (literal !== null) return `${argument.name}: ${literal}`
    const name = `v${operation.declared.length}`
    operation.declared.push({ name, type: String(argument.type) })
    operation.variables[name] = value
    return `${argument.name}: $${name}`
  }
}

/** The GraphQL text of an operation, without its fragments. */
export function operationText({ type, name, declared, selection }: Operation): string {
  const variables = declared.map((variable) => `$${variable.name}: ${variable.type}`).join(', ')
  return `${type} ${name}${variables === '' ? '' : `(${variables})`} ${selection}`
}

function literalText(value: unknown, type: GraphQLInputType): string | null {
  try {
    const node = astFromValue(value, type)
    return node === null || node === undefined ? null : print(node)
  } catch {
    // A scalar without a literal form, such as a file, is sent as a variable.
    return null
  }
}

type Asked = { random: Random; values: Values; name: string; isInList?: boolean }

function validValue(type: GraphQLInputType, asked: Asked, depth: number): unknown {
  const { random, values, name, isInList = false } = asked
  if (isNonNullType(type)) return validValue(type.ofType, asked, depth)
  if (isListType(type)) {
    const length = isInList ? random.int(3) : values.length(random)
    return Array.from({ length }, () => validValue(type.ofType, { ...asked, isInList: true }, depth - 1))
  }
  if (isInputObjectType(type)) return validObject(Object.values(type.getFields()), asked, depth)
  return values.leaf(type, random, name)
}

function validObject(fields: GraphQLInputField[], asked: Asked, depth: number): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  const { random, values } = asked
  const isGiven = (field: GraphQLInputField) =>
    depth > 0 && (values.wants?.(field.name, field.type) || random.onceIn(3))
  for (const field of fields) {
    if (!isRequiredInputField(field) && !isGiven(field)) continue
    value[field.name] = validValue(field.type, { ...asked, name: field.name }, depth - 1)
  }
  return value
}

/** What a well-meaning caller would send. */
export const usualValues: Values = {
  length: (random) => random.int(3),
  leaf(type, random) {
    if (isEnumType(type)) return random.pick(type.getValues())?.name
    switch (type.name) {
      case 'Int':
        return random.pick([0, 1, 2, 10, 50, 2_147_483_647])
      case 'Float':
        return random.pick([0.5, 1, 1e-3, 12.25])
      case 'Boolean':
        return random.onceIn(2)
      case 'ID':
        // existing records of each kind have the lowest ids
        return String(1 + random.int(random.onceIn(2) ? 3 : 50))
      case 'ISO8601DateTime':
        return random.pick(['2026-01-02T03:04:05Z', '2025-12-31T23:59:59+01:00'])
      case 'Upload':
        return { filename: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }
      default:
        return random.pick(['main', 'a finding', 'https://example.com/', '10.0'])
    }
  },
}
