// The page sizes that a document's fields ask for, remembered so that they can be compared with those for other variables.

import type { FieldNode, GraphQLField, OperationDefinitionNode } from 'graphql'
import { defaultValue, pageSize } from './page-size.ts'

type Definition = GraphQLField<unknown, unknown>
type Variables = Record<string, unknown>

export type PagedFields = {
  /** Items on the page that the field asks for; null for a field that takes no paging. */
  sizeOf(node: FieldNode, definition: Definition): number | null
  /** Whether every field measured so far asks for a page of the same size with these variables. */
  holdsFor(variables: Variables): boolean
}

/** `operations` declare the defaults of variables, `largest` is the size that larger pages count as. */
export function openPagedFields(
  operations: readonly OperationDefinitionNode[],
  variables: Variables,
  largest: number,
): PagedFields {
  const defaults = variableDefaults(operations)
  const measured: { node: FieldNode; definition: Definition; size: number }[] = []

  const sizeWith = (given: Variables, node: FieldNode, definition: Definition): number | null => {
    const variable = (name: string): unknown => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      return value !== undefined ? value : defaults.get(name)
    }
    return pageSize(node, definition, variable, largest)
  }

  return {
    sizeOf(node, definition) {
      const size = sizeWith(variables, node, definition)
      if (size !== null) measured.push({ node, definition, size })
      return size
    },
    holdsFor: (others) => measured.every(({ node, definition, size }) => sizeWith(others, node, definition) === size),
  }
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
