// The one walk over an operation, each fragment visited once, that measures depth, aliases and cost together.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { add, dearest, type Measure, most, nothing, sum } from './measure.ts'
import { defaultPageSize, defaultValue, pageSize } from './page-size.ts'

/** The document, the operations that may run, and what their page sizes depend on. */
export type WalkInput = {
  schema: GraphQLSchema
  document: DocumentNode
  operations: readonly OperationDefinitionNode[]
  variables: Record<string, unknown>
  maxPageSize: number
}

/** Items that a list of objects without paging is taken to hold. */
const unpagedItems = 5

/** The same for the lists of the introspection schema; low enough that its full query costs about half of a request's 10,000. */
const introspectionItems = 4

/** Nested selections after which the walk stops and says `most`; keeps the stack safe whatever the token limit is. */
const deepest = 1_000

/** `holdsFor`: whether other variables ask for the same page sizes, and so for the same in all. */
export type DocumentWalk = {
  measure(operation: OperationDefinitionNode): Measure
  holdsFor(variables: Record<string, unknown>): boolean
}

type PagedField = { node: FieldNode; definition: GraphQLField<unknown, unknown>; size: number }

/**
 * Measures operations one by one; fragments are remembered between them.
 *
 * Defaults of variables are taken from all the operations together: more than one is only passed when none will be executed.
 */
export function documentWalk(input: WalkInput): DocumentWalk {
  const { schema, maxPageSize } = input
  const paged: PagedField[] = []
  const defaults = variableDefaults(input.operations)
  const definitions = fragmentDefinitions(input.document)
  const fragments = new Map<string, Measure>()
  let level = 0

  function selections(set: SelectionSetNode, parent: GraphQLNamedType | undefined): Measure {
    const total = nothing()
    if (level >= deepest) {
      total.depth = most
      return total
    }
    level++
    let alternatives: Map<string, Measure> | undefined
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        add(total, field(selection, parent))
        continue
      }
      const definition = selection.kind === Kind.FRAGMENT_SPREAD ? definitions.get(selection.name.value) : selection
      if (definition === undefined) continue
      const condition = definition.typeCondition?.name.value
      const type = condition === undefined ? parent : schema.getType(condition)
      const measured =
        definition.kind === Kind.FRAGMENT_DEFINITION
          ? fragment(definition, type)
          : selections(definition.selectionSet, type)
      if (condition === undefined || !isObjectType(type)) {
        add(total, measured)
        continue
      }
      alternatives ??= new Map()
      const alternative = alternatives.get(condition)
      if (alternative === undefined) alternatives.set(condition, { ...measured })
      else add(alternative, measured)
    }
    if (alternatives !== undefined) add(total, dearest(alternatives.values()))
    level--
    return total
  }

  function fragment(definition: FragmentDefinitionNode, type: GraphQLNamedType | undefined): Measure {
    const known = fragments.get(definition.name.value)
    if (known !== undefined) return known
    // Stands for the fragment while it is measured, and so ends a cycle.
    fragments.set(definition.name.value, nothing())
    const measured = selections(definition.selectionSet, type)
    fragments.set(definition.name.value, measured)
    return measured
  }

  function field(node: FieldNode, parent: GraphQLNamedType | undefined): Measure {
    const definition = fieldDefinition(parent, node.name.value)
    const isIntrospective =
      definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef || isIntrospection(parent)
    const measured =
      node.selectionSet === undefined
        ? nothing()
        : selections(node.selectionSet, definition === undefined ? undefined : getNamedType(definition.type))
    const isList = definition !== undefined && isListOfObjects(definition)
    if (isIntrospective) {
      measured.introspectionDepth++
      if (isList) measured.introspectionLists++
    } else {
      measured.depth = Math.min(measured.depth + 1, most)
    }
    if (node.alias !== undefined) measured.aliases = Math.min(measured.aliases + 1, most)
    price(measured, node, definition, { isList, isIntrospective })
    return measured
  }

  /** Turns the cost of what is under the field into the cost of the field. */
  function price(
    measured: Measure,
    node: FieldNode,
    definition: GraphQLField<unknown, unknown> | undefined,
    { isList, isIntrospective }: { isList: boolean; isIntrospective: boolean },
  ): void {
    const page = definition === undefined ? null : sizeFor(input.variables, node, definition)
    if (definition !== undefined && page !== null) paged.push({ node, definition, size: page })
    if (!isList) {
      measured.cost = sum(1, measured.cost, (page ?? defaultPageSize) * measured.itemCost)
      measured.itemCost = 0
      return
    }
    const under = sum(measured.cost, defaultPageSize * measured.itemCost)
    const ofPage = page === null && node.name.value === 'collection'
    const items = page ?? (isIntrospective ? introspectionItems : unpagedItems)
    measured.cost = ofPage ? 1 : sum(1, items * under)
    measured.itemCost = ofPage ? under : 0
  }

  function sizeFor(
    variables: Record<string, unknown>,
    node: FieldNode,
    definition: GraphQLField<unknown, unknown>,
  ): number | null {
    const variable = (name: string): unknown => {
      const given = Object.hasOwn(variables, name) ? variables[name] : undefined
      return given !== undefined ? given : defaults.get(name)
    }
    return pageSize(node, definition, variable, maxPageSize)
  }

  return {
    measure(operation) {
      const measured = { ...selections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined) }
      measured.cost = sum(measured.cost, defaultPageSize * measured.itemCost)
      return measured
    },
    holdsFor: (variables) => paged.every(({ node, definition, size }) => sizeFor(variables, node, definition) === size),
  }
}

function fragmentDefinitions(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const definitions = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) definitions.set(definition.name.value, definition)
  }
  return definitions
}

function variableDefaults(operations: readonly OperationDefinitionNode[]): Map<string, unknown> {
  const defaults = new Map<string, unknown>()
  for (const operation of operations) {
    for (const definition of operation.variableDefinitions ?? []) {
      if (definition.defaultValue === undefined) continue
      defaults.set(definition.variable.name.value, defaultValue(definition.defaultValue))
    }
  }
  return defaults
}

function fieldDefinition(
  parent: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
}

function isIntrospection(type: GraphQLNamedType | undefined): boolean {
  return type?.name.startsWith('__') === true
}

function isListOfObjects(definition: GraphQLField<unknown, unknown>): boolean {
  return isListType(getNullableType(definition.type)) && isCompositeType(getNamedType(definition.type))
}
