// How large a GraphQL document is in the ways that its limits name, fragments followed where they are used.
import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

type Size = { depth: number; aliases: number; directives: number; repeated: number }

export function measure(document: DocumentNode): Size {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const size: Size = { depth: 0, aliases: 0, directives: 0, repeated: 0 }
  const walk = (set: SelectionSetNode, depth: number) => {
    size.depth = Math.max(size.depth, depth)
    const names = new Map<string, number>()
    for (const selection of set.selections) {
      size.directives += selection.directives?.length ?? 0
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) size.aliases += 1
        const key = selection.alias?.value ?? selection.name.value
        names.set(key, (names.get(key) ?? 0) + 1)
        size.repeated = Math.max(size.repeated, names.get(key) ?? 0)
        if (selection.selectionSet) walk(selection.selectionSet, depth + 1)
      } else {
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
        if (inner && depth < 100) walk(inner.selectionSet, depth)
      }
    }
  }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, 1)
  }
  return size
}
