// Which fields an operation selects below a field, so that a list reads only what is shown.

import { type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql'

/** field → the selection below it, in all fragments and types; directives are ignored. */
export type Selection = ReadonlyMap<string, Selection>

type Growing = Map<string, Growing>

const remembered = new WeakMap<object, Selection>()

/** The selection below the field that is being resolved; computed once for each document. */
export function selectionOf(info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): Selection {
  const [node] = info.fieldNodes
  const known = node && info.fieldNodes.length === 1 ? remembered.get(node) : undefined
  if (known) return known
  const selection: Growing = new Map()
  for (const { selectionSet } of info.fieldNodes) collect(selectionSet?.selections ?? [], info.fragments, selection)
  if (node && info.fieldNodes.length === 1) remembered.set(node, selection)
  return selection
}

function collect(
  selections: readonly SelectionNode[],
  fragments: GraphQLResolveInfo['fragments'],
  into: Growing,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const below = into.get(selection.name.value) ?? new Map()
      into.set(selection.name.value, below)
      collect(selection.selectionSet?.selections ?? [], fragments, below)
    } else {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value]
      collect(fragment?.selectionSet.selections ?? [], fragments, into)
    }
  }
}
