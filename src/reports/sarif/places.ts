// Resolves the locations of a SARIF result to paths, by the directories that the run names, with line, column and snippet.

import { writtenPath } from '../file-path.ts'
import type { Excerpt } from '../types.ts'
import { at, code, type Fields, objects, textAt, whole } from '../values.ts'

/** What a run says of files before or after its results. */
export type Places = {
  /** by id: a text is the absolute or relative uri; `within` is the base of the base */
  bases: Map<string, { uri: string; within?: string }>
  artifacts: { uri: string; base?: string }[]
  workingDirectories: string[]
  logical: string[]
}

export type Place = {
  /** a path with `/`, or the whole of an http(s) address */
  fileName?: string
  isUrl: boolean
  line?: number
  column?: number
  snippet?: string
  firstLine?: number
  /** the snippet with the lines around it */
  around?: Excerpt
  logicalName?: string
  message?: string
}

/** Steps from base to base that are followed. */
const MOST_BASES = 10

/** Where a `location` object says to be. */
export function placeOfLocation(location: Fields, places: Places): Place {
  const physical = at(location, 'physicalLocation')
  const region = at(physical, 'region')
  const context = at(physical, 'contextRegion')
  const own = code(at(region, 'snippet', 'text'), 20_000)
  const around = code(at(context, 'snippet', 'text'), 20_000)
  const aroundFirst = around === undefined ? undefined : whole(at(context, 'startLine'))
  const uri = uriOf(at(physical, 'artifactLocation'), places)
  const line = whole(at(region, 'startLine'))
  return {
    fileName: uri,
    isUrl: uri !== undefined && /^https?:/i.test(uri),
    line,
    column: whole(at(region, 'startColumn')),
    snippet: own ?? around,
    firstLine: own === undefined ? aroundFirst : line,
    around:
      own === undefined || around === undefined || aroundFirst === undefined
        ? undefined
        : { code: around, firstLine: aroundFirst },
    logicalName: logicalNameOf(location, places),
    message: textAt(location, 'message', 'text'),
  }
}

function logicalNameOf(location: Fields, places: Places): string | undefined {
  const [logical] = [...objects(location.logicalLocations), at(location, 'logicalLocation')]
  const index = whole(at(logical, 'index'), 0)
  return (
    textAt(logical, 'fullyQualifiedName') ??
    (index === undefined ? undefined : places.logical[index]) ??
    textAt(logical, 'decoratedName') ??
    textAt(logical, 'name')
  )
}

/** The path, or the address, of an `artifactLocation`, its base and index followed. */
export function uriOf(location: unknown, places: Places): string | undefined {
  const index = whole(at(location, 'index'), 0)
  const artifact = index === undefined ? undefined : places.artifacts[index]
  const uri = textAt(location, 'uri') ?? artifact?.uri
  if (uri === undefined) return undefined
  const base = textAt(location, 'uriBaseId') ?? artifact?.base
  const known = resolvedBefore.get(places) ?? new Map<string, string | undefined>()
  const key = JSON.stringify([uri, base])
  if (known.has(key)) return known.get(key)
  const path = resolved(uri, base, places)
  if (known.size >= MOST_REMEMBERED) known.clear()
  resolvedBefore.set(places, known.set(key, path))
  return path
}

/** Most files have several results. */
const resolvedBefore = new WeakMap<Places, Map<string, string | undefined>>()
const MOST_REMEMBERED = 5000

function resolved(uri: string, base: string | undefined, places: Places): string | undefined {
  let whole = uri
  let next = base
  for (let step = 0; next !== undefined && !isAbsolute(whole) && step < MOST_BASES; step++) {
    const found = places.bases.get(next)
    if (!found || isRoot(found.uri)) break
    if (isAbsolute(found.uri) && !isWithinAnother(found.uri, places)) break
    whole = `${found.uri.replace(/\/?$/, '/')}${whole}`
    next = found.within
  }
  return pathOf(whole)
}

/** `%SRCROOT%/src/a%20b.ts` is `src/a b.ts`, and `file:///home/ann/shop/src/a%20b.ts` is `/home/ann/shop/src/a b.ts`. */
function pathOf(uri: string): string | undefined {
  if (/^(?:https?|docker|oci|git\+https?|ssh|pkg):/i.test(uri)) return uri
  const path = decoded(uri.replaceAll('\\', '/').replace(/^(?:%SRCROOT%|\$\{?\w+\}?)\//, ''))
  const absolute = /^file:/i.test(path) ? path.replace(/^file:(?:\/\/(?:localhost)?(?=\/|$))?\/?\/?/i, '/') : path
  return writtenPath(absolute)
}

/** Directories that the run itself names, each ending in `/`: the widest first. */
export const rootsOf = (places: Places): string[] =>
  [...[...places.bases.values()].map((base) => base.uri), ...places.workingDirectories]
    .filter((root) => isAbsolute(root) && !isRoot(root))
    .map((root) => decoded(root.replace(/^file:\/\/(?:localhost)?/i, '')).replace(/\/?$/, '/'))
    .map((root) => root.replace(/^\/(?=[A-Za-z]:\/)/, ''))
    .sort((one, other) => one.length - other.length)

/** One letter is a drive: `C:/src/` is written for `file:///C:/src/`. */
const isAbsolute = (uri: string): boolean => /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/)/.test(uri)

/** The root of a machine's files says nothing of where the repository is. */
const isRoot = (uri: string): boolean => /^(?:file:)?\/{0,3}(?:[A-Za-z]:\/?)?$/i.test(uri)

const isWithinAnother = (uri: string, places: Places): boolean =>
  [...places.bases.values(), ...places.workingDirectories.map((each) => ({ uri: each }))].some(
    (base) =>
      base.uri.length < uri.length &&
      isAbsolute(base.uri) &&
      !isRoot(base.uri) &&
      uri.startsWith(base.uri.replace(/\/?$/, '/')),
  )

/** Percent escapes decoded; as it is where they are not valid UTF-8. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    return uri
  }
}
