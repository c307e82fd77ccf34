// The parts `operations` and `map` of a GraphQL multipart request, and the places in the operations that files fill.

import { ApplicationError } from '../core/errors.ts'
import { UploadedFile } from '../core/uploads.ts'
import { parseJson } from './body.ts'

/** The name of a file's part → the paths in the operations that it fills, such as `variables.input.archive`. */
export type Places = Map<string, string[]>

/** Places that one request may fill. */
const MOST_PLACES = 100

export const badRequest = (message: string): ApplicationError => new ApplicationError('BAD_REQUEST', message)

/** The operation as parsed JSON; BAD_REQUEST for what is no single operation. */
export function readOperations(text: string): unknown {
  const operations = readPart(text, 'operations')
  if (Array.isArray(operations)) throw badRequest('Batches of operations are not offered')
  if (operations === null || typeof operations !== 'object') throw badRequest('operations must be a JSON object')
  return operations
}

/** The places of at most `files` files; BAD_REQUEST for a path that is named twice or leads to no null in the operations. */
export function readMap(text: string, operations: unknown, files: number): Places {
  if (operations === undefined) throw badRequest('The part operations must come before the part map')
  const map = readPart(text, 'map')
  if (map === null || typeof map !== 'object' || Array.isArray(map)) throw badRequest('map must be a JSON object')
  const entries = Object.entries(map)
  if (entries.length > files) throw badRequest(`The map names more than ${files} files`)
  const places: Places = new Map()
  const seen = new Set<string>()
  for (const [name, paths] of entries) {
    if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
      throw badRequest('Each entry of map must be a list of paths')
    }
    for (const path of paths) {
      if (seen.has(path)) throw badRequest(`The map names ${shorten(path)} twice`)
      if (seen.size >= MOST_PLACES) throw badRequest(`The map names more than ${MOST_PLACES} places`)
      seen.add(path)
      place(operations, path, null)
    }
    places.set(name, paths)
  }
  return places
}

/** Puts a file where `path` leads; the place must exist and hold null until its file comes. */
export function place(operations: unknown, path: string, file: UploadedFile | null): void {
  const steps = path.split('.')
  const last = steps.pop()
  if (steps[0] !== 'variables' || last === undefined)
    throw badRequest(`The map’s path ${shorten(path)} must lead into variables`)
  let at: unknown = operations
  for (const step of steps) at = stepInto(at, step)
  if (!isContainer(at) || !Object.hasOwn(at, last) || at[last] !== null) {
    throw badRequest(`The map’s path ${shorten(path)} leads to no null in operations`)
  }
  if (file) at[last] = file
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !(value instanceof UploadedFile)

const stepInto = (at: unknown, step: string): unknown =>
  isContainer(at) && Object.hasOwn(at, step) ? at[step] : undefined

function readPart(text: string, part: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof ApplicationError) throw error
    throw badRequest(`The part ${part} is not JSON`)
  }
}

/** A name from the request, short enough for a sentence. */
export const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
