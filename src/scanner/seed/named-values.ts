// Fills the leaves of a JSON document with values that fit their names.

import { changeJson, type Leaf, leavesOf } from '../json-leaves.ts'
import type { Json } from '../types.ts'
import { valueByName } from './names.ts'

/** A copy in which those leaves have values that their names ask for; the document itself where there are none. */
export function withNamedValues(document: Json, isWanted: (leaf: Leaf, name: string) => boolean): Json {
  const changes = leavesOf(document).flatMap((leaf) => {
    const name = leaf.name.split('.').at(-1) ?? ''
    return isWanted(leaf, name) ? [{ point: { place: 'json' as const, ...leaf }, value: valueByName(name) }] : []
  })
  return changeJson(document, changes)
}
