/** Answers for valid operations of any schema, the material that hostile documents are made from. */
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
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

/** An operation that the schema accepts. `variables` has a fitting JSON value for each that it declares. */
export type Operation = {
  type: OperationTypeNode
  name: string
  declared: { name: string; type: string }[]
  selection: string
  variables: Record<string, unknown>
}

/** An operation with one to three root fields, selections at most `depth` levels below them; null if the schema has no such root. */
export function validOperation(
  schema: GraphQLSchema,
  random: Random,
  type: OperationTypeNode,
  depth = 3,
): Operation | null {
  const root = schema.getRootType(type)
  if (root === undefined || root === null) return null
  const operation: Operation = { type, name: `Op${random.int(100)}`, declared: [], selection: '', variables: {} }
  const most = type === 'subscription' ? 1 : 3
  const fields = random.some(Object.values(root.getFields()), most).map((field) => fieldText(field, depth))
  operation.selection = `{ ${fields.join(' ')} }`
  return operation

  function fieldText(field: GraphQLField<unknown, unknown>, left: number): string {
    const given = field.args.filter((argument) => isRequiredArgument(argument) || random.onceIn(3)).map(argumentText)
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
      // Fields of the interface may stand outside with other arguments, so the fragment takes only what is the type's own.
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
    const value = validValue(argument.type, random, 2)
    const literal = random.onceIn(2) ? literalText(value, argument.type) : null
    if (literal !== null) return `${argument.name}: ${literal}`
    const name = `v${operation.declared.length}`
    operation.declared.push({ name, type: String(argument.type) })
    operation.variables[name] = value
    return `${argument.name}: $${name}`
  }
}

/** The GraphQL text of an operation, its fragments aside. */
export function operationText({ type, name, declared, selection }: Operation): string {
  const variables = declared.map((variable) => `$${variable.name}: ${variable.type}`).join(', ')
  return `${type} ${name}${variables === '' ? '' : `(${variables})`} ${selection}`
}

function literalText(value: unknown, type: GraphQLInputType): string | null {
  try {
    const node = astFromValue(value, type)
    return node === null || node === undefined ? null : print(node)
  } catch {
    // A scalar that cannot be written into a document, such as a file, is sent as a variable.
    return null
  }
}

function validValue(type: GraphQLInputType, random: Random, depth: number): unknown {
  if (isNonNullType(type)) return validValue(type.ofType, random, depth)
  if (isListType(type)) return Array.from({ length: random.int(3) }, () => validValue(type.ofType, random, depth - 1))
  if (isEnumType(type)) return random.pick(type.getValues())?.name
  if (isInputObjectType(type)) return validObject(Object.values(type.getFields()), random, depth)
  switch (type.name) {
    case 'Int':
      return random.pick([0, 1, 2, 10, 50, 2_147_483_647])
    case 'Float':
      return random.pick([0.5, 1, 1e-3, 12.25])
    case 'Boolean':
      return random.onceIn(2)
    case 'ID':
      return String(1 + random.int(50))
    case 'ISO8601DateTime':
      return random.pick(['2026-01-02T03:04:05Z', '2025-12-31T23:59:59+01:00'])
    case 'Upload':
      return { filename: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }
    default:
      return random.pick(['main', 'a finding', 'https://example.com/', '10.0'])
  }
}

function validObject(fields: GraphQLInputField[], random: Random, depth: number): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const field of fields) {
    if (!isRequiredInputField(field) && (depth <= 0 || !random.onceIn(3))) continue
    value[field.name] = validValue(field.type, random, depth - 1)
  }
  return value
}
