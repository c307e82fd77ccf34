// Locates the files of a report in the repository, whatever machine and directory its tool ran in.

import { isOfUnknownRoot, NO_ROOTS, plainDirectory, type Roots, repositoryPath, writtenPath } from './file-path.ts'
import { placeOfStep } from './flow.ts'
import type { CodeObservation, ComponentObservation, ReadRow, Row } from './types.ts'

/** What the caller knows about where a report was made. */
export type Checkout = {
  /** the checkout directory, such as `/src` */
  path?: string | null
  /** the directory of the repository in which the tool ran, such as `services/api` */
  directory?: string | null
  /** Finds the checkout directory, ending in `/`, for an absolute path; null if it is unknown. */
  find?: (path: string) => Promise<string | null>
}

/** How many paths are used to find the checkout: one successful look-up applies to all others. */
const MOST_LOOKS = 20
/** How many rows are held back until the checkout is found. */
const MOST_HELD = 200
/** A cache, because most files have several findings. */
const MOST_REMEMBERED = 5000

/** The rows, with paths relative to the repository's root. */
export async function* inRepository(rows: AsyncIterable<ReadRow>, checkout: Checkout): AsyncGenerator<Row> {
  const paths = openPaths(checkout)
  const held: Row[] = []
  for await (const row of rows) {
    if (row.kind === 'ROOTS') {
      yield* held.splice(0).map((each) => placed(each, paths))
      paths.ofReport(row.roots)
      continue
    }
    const path = mainPathOf(row)
    const isUnknown = path !== undefined && paths.isUnknown(path)
    if (!isUnknown && held.length === 0) {
      yield placed(row, paths)
      continue
    }
    held.push(row)
    const isFound = isUnknown && (await paths.find(path))
    if (isFound || held.length >= MOST_HELD) yield* held.splice(0).map((each) => placed(each, paths))
  }
  yield* held.map((each) => placed(each, paths))
}

/** For files of the repository only: a finding in an image is among the image's own files. */
function mainPathOf(row: Row): string | undefined {
  const place = row.kind === 'UNSEEN_FILE' ? row : fileOf(row)
  return place !== undefined && place.image === undefined ? writtenPath(place.fileName) : undefined
}

function fileOf(row: Row): CodeObservation | ComponentObservation | undefined {
  if (row.kind !== 'OBSERVATION') return undefined
  const { observation } = row
  return observation.kind === 'CODE' || observation.kind === 'COMPONENT' ? observation : undefined
}

function openPaths({ path, directory, find }: Checkout) {
  const checkout = writtenPath(path)
  let roots: Roots = {
    ...NO_ROOTS,
    repository: checkout === undefined ? [] : [plainDirectory(checkout)],
    ranIn: directory ? ended(repositoryPath(directory, NO_ROOTS)) : '',
  }
  const known = new Map<string, string | undefined>()
  const unknown = new Set<string>()
  let looks = 0
  const change = (changed: Partial<Roots>) => {
    roots = { ...roots, ...changed }
    known.clear()
  }
  return {
    ofReport: (ofReport: readonly string[]) => change({ ofReport }),
    /** Whether the path can help to find it. */
    isUnknown: (written: string) =>
      find !== undefined && looks < MOST_LOOKS && !unknown.has(written) && isOfUnknownRoot(written, roots),
    /** Whether it was found, or the search was given up. */
    find: async (written: string): Promise<boolean> => {
      looks += 1
      const found = await find?.(written)
      if (found) change({ repository: [...roots.repository, found] })
      else unknown.add(written)
      return Boolean(found) || looks >= MOST_LOOKS
    },
    /** In an image nothing that is known about the repository applies. */
    ofImage: (written: string): string | undefined =>
      repositoryPath(written, { ...NO_ROOTS, ofReport: roots.ofReport }),
    of: (written: string): string | undefined => {
      if (known.has(written)) return known.get(written)
      if (known.size >= MOST_REMEMBERED) known.clear()
      const inside = repositoryPath(written, roots)
      known.set(written, inside)
      return inside
    },
  }
}

const ended = (directory: string | undefined): string => (directory ? directory.replace(/\/?$/, '/') : '')

type PathOf = (written: string) => string | undefined

type Paths = { of: PathOf; ofImage: PathOf }

function placed(row: Row, { of, ofImage }: Paths): Row {
  if (row.kind === 'UNSEEN_FILE') {
    const fileName = (row.image === undefined ? of : ofImage)(row.fileName) ?? row.fileName
    return { ...row, fileName, reason: row.reason.replace(row.fileName, () => fileName) }
  }
  if (row.kind !== 'OBSERVATION') return row
  const { observation } = row
  if (observation.kind === 'CODE') {
    const inside = codePlaced(observation, observation.image === undefined ? of : ofImage)
    return inside === observation ? row : { ...row, observation: inside }
  }
  if (observation.kind !== 'COMPONENT' || observation.image !== undefined || observation.fileName === undefined)
    return row
  return { ...row, observation: { ...observation, fileName: of(observation.fileName) } }
}

function codePlaced(observation: CodeObservation, of: PathOf): CodeObservation {
  const { otherPlaces, flow, source, sink } = observation
  const fileName = observation.fileName && of(observation.fileName)
  if (otherPlaces === undefined && flow === undefined) {
    return fileName === observation.fileName ? observation : { ...observation, fileName }
  }
  const steps = flow?.map((step) => (step.path === undefined ? step : { ...step, path: of(step.path) ?? step.path }))
  const end = (told: string | undefined, at: 0 | -1) => {
    const [before, after] = [flow?.at(at), steps?.at(at)]
    return before && after && told === placeOfStep(before) ? placeOfStep(after) : told
  }
  return {
    ...observation,
    fileName,
    otherPlaces: otherPlaces?.map((place) => ({ ...place, fileName: of(place.fileName) ?? place.fileName })),
    flow: steps,
    source: end(source, 0),
    sink: end(sink, -1),
  }
}
