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
  type InlineFragmentNode,
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
import { defaultPageSize } from './page-size.ts'
import { openPagedFields, type PagedFields } from './paged-fields.ts'

/** The document, the operations that may run, and what their page sizes depend on. */
type WalkInput = {
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

/** Nested selections after which the walk stops and answers `most`; keeps the stack safe whatever the token limit is. */
const deepest = 1_000

/** `holdsFor`: whether other variables ask for the same page sizes, so that the measure is the same. */
export type DocumentWalk = {
  measure(operation: OperationDefinitionNode): Measure
  holdsFor(variables: Record<string, unknown>): boolean
}

type Definition = GraphQLField<unknown, unknown>
type Type = GraphQLNamedType | undefined

/** The state of a walk. `measured` holds the measure of each fragment, `level` is the nesting of the current selection. */
type Walk = {
  schema: GraphQLSchema
  pages: PagedFields
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  measured: Map<string, Measure>
  level: number
}

/**
 * Measures operations one by one; fragments are remembered between them.
 *
 * Defaults of variables are taken from all the operations together: more than one is only passed when none will be executed.
 */
export function documentWalk(input: WalkInput): DocumentWalk {
  const { schema, document, operations, variables, maxPageSize } = input
  const pages = openPagedFields(operations, variables, maxPageSize)
  const walk: Walk = { schema, pages, fragments: fragmentDefinitions(document), measured: new Map(), level: 0 }
  return {
    measure({ selectionSet, operation }) {
      const measured = { ...measureSelections(walk, selectionSet, schema.getRootType(operation) ?? undefined) }
      measured.cost = sum(measured.cost, defaultPageSize * measured.itemCost)
      return measured
    },
    holdsFor: pages.holdsFor,
  }
}

function measureSelections(walk: Walk, set: SelectionSetNode, parent: Type): Measure {
  const total = nothing()
  if (walk.level >= deepest) {
    total.depth = most
    return total
  }
  walk.level++
  /** By object type: an object has one of them, so only the dearest counts. */
  let alternatives: Map<string, Measure> | undefined
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      add(total, measureField(walk, selection, parent))
      continue
    }
    const part = selection.kind === Kind.FRAGMENT_SPREAD ? walk.fragments.get(selection.name.value) : selection
    if (part === undefined) continue
    const condition = part.typeCondition?.name.value
    const type = condition === undefined ? parent : walk.schema.getType(condition)
    const measured = measurePart(walk, part, type)
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
  walk.level--
  return total
}

/** Measures an inline fragment where it stands, and a named one once for all its spreads. */
function measurePart(walk: Walk, part: FragmentDefinitionNode | InlineFragmentNode, type: Type): Measure {
  if (part.kind === Kind.INLINE_FRAGMENT) return measureSelections(walk, part.selectionSet, type)
  const name = part.name.value
  const known = walk.measured.get(name)
  if (known !== undefined) return known
  // Stands for the fragment while it is measured, and so ends a cycle.
  walk.measured.set(name, nothing())
  const measured = measureSelections(walk, part.selectionSet, type)
  walk.measured.set(name, measured)
  return measured
}

function measureField(walk: Walk, node: FieldNode, parent: Type): Measure {
  const definition = fieldDefinition(parent, node.name.value)
  const isIntrospective =
    definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef || isIntrospection(parent)
  const measured =
    node.selectionSet === undefined
      ? nothing()
      : measureSelections(walk, node.selectionSet, definition === undefined ? undefined : getNamedType(definition.type))
  const isList = definition !== undefined && isListOfObjects(definition)
  if (isIntrospective) {
    measured.introspectionDepth++
    if (isList) measured.introspectionLists++
  } else {
    measured.depth = Math.min(measured.depth + 1, most)
  }
  if (node.alias !== undefined) measured.aliases = Math.min(measured.aliases + 1, most)
  const page = definition === undefined ? null : walk.pages.sizeOf(node, definition)
  if (isList) priceList(measured, page, { isCollection: node.name.value === 'collection', isIntrospective })
  else priceOne(measured, page)
  return measured
}

/** Turns the cost of a field's selection into the cost of the field, for a field that is not a list. */
function priceOne(measured: Measure, page: number | null): void {
  measured.cost = sum(1, measured.cost, (page ?? defaultPageSize) * measured.itemCost)
  measured.itemCost = 0
}

/** The same for a list of objects; the items of a `collection` are counted by the field around it, which has the page size. */
function priceList(
  measured: Measure,
  page: number | null,
  { isCollection, isIntrospective }: { isCollection: boolean; isIntrospective: boolean },
): void {
  const under = sum(measured.cost, defaultPageSize * measured.itemCost)
  const isOfPage = page === null && isCollection
  const items = page ?? (isIntrospective ? introspectionItems : unpagedItems)
  measured.cost = isOfPage ? 1 : sum(1, items * under)
  measured.itemCost = isOfPage ? under : 0
}

function fragmentDefinitions(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const definitions = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) definitions.set(definition.name.value, definition)
  }
  return definitions
}

function fieldDefinition(parent: Type, name: string): Definition | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
}

function isIntrospection(type: Type): boolean {
  return type?.name.startsWith('__') === true
}

function isListOfObjects(definition: Definition): boolean {
  return isListType(getNullableType(definition.type)) && isCompositeType(getNamedType(definition.type))
}
