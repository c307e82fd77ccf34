// Checks whether a value that names a folder leads to the listing of one that every system has.

import type { PointCheck } from '../check.ts'
import { readJson } from '../json-leaves.ts'
import { takesText } from '../probing.ts'
import type { Exchange } from '../types.ts'
import { leafName } from '../values.ts'

const NAMES_FOLDER =
  /^(dir|directory|folder|foldername|path|dirpath|folderpath|location|root|base|basepath|prefix|cwd)$/
/** Names that every system has in its folder of settings. */
const IN_ETC = [
  'passwd',
  'group',
  'hosts',
  'resolv.conf',
  'profile',
  'shells',
  'issue',
  'fstab',
  'hostname',
  'services',
]
const ENOUGH = 4
const WAYS = ['/etc', `${'../'.repeat(8)}etc`]

export const folderListing: PointCheck = {
  kind: 'point',
  id: 'folder-listing',
  title: 'Arbitrary directory listing (path traversal)',
  cwes: [22, 548],
  severity: 'HIGH',
  solution: 'Resolve the path and reject what is outside the intended folder.',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && NAMES_FOLDER.test(leafName(point.name)),
  async probe(point, operation, context) {
    for (const value of WAYS) {
      const exchange = await context.attempt(operation, [{ point, value }])
      const names = exchange ? listedIn(exchange) : []
      if (exchange === null || names.length < ENOUGH) continue
      const wrong = await context.attempt(operation, [{ point, value: value.replace('etc', 'etk') }])
      if (wrong === null || listedIn(wrong).length > 0) continue
      return {
        detail: `The value ${value} returns the names of the files there; a name with one wrong letter does not.`,
        proof: names.slice(0, ENOUGH),
        exchange,
      }
    }
    return null
  },
}

/** Those file names that the answer has as whole JSON values, lines, cells or links. */
function listedIn({ text }: Exchange): string[] {
  const isJson = readJson(text) !== undefined
  const all = new Set(text.slice(0, 500_000).split(isJson ? /"|\\n|\// : /[\s<>"'/=,]+/))
  return IN_ETC.filter((name) => all.has(name))
}
