// Reads a GraphQL multipart request: operations, then map, then files, each streamed to the object store as it arrives.
// Source: the GraphQL multipart request specification, github.com/jaydenseric/graphql-multipart-request-spec.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApplicationError, payloadTooLarge } from '../core/errors.ts'
import type { ObjectStore } from '../core/objects.ts'
import { type Reading, UploadedFile } from '../core/uploads.ts'
import { parseJson } from './body.ts'
import { discardRest } from './discard.ts'

export type MultipartLimits = { operationsBytes: number; fileBytes: number; files: number }

const badRequest = (message: string) => new ApplicationError('BAD_REQUEST', message)

/** Where in the operations a file belongs: its path as `variables.input.archive` says it. */
type Places = Map<string, string[]>

/**
 * What becomes of files: `admit` throws where none is to be taken in, before the first is stored; `openReading` says who reads one
 * while it arrives; `received` is told of each as soon as it is stored, so that what no row came to refer to can be removed.
 */
export type Handling = {
  admit: (operations: unknown, places: Iterable<string>) => void
  openReading: (places: readonly string[]) => Reading | null
  received: (file: UploadedFile) => void
}

/**
 * The operations with every mapped place filled by the file that belongs there. Throws BAD_REQUEST for what is no such request,
 * PAYLOAD_TOO_LARGE above a limit, and what `admit` throws.
 */
export async function readMultipart(
  request: IncomingMessage,
  objects: ObjectStore,
  limits: MultipartLimits,
  { admit, openReading, received }: Handling,
): Promise<unknown> {
  const parser = openParser(request, limits)
  let operations: unknown
  let places: Places | undefined
  const arrived = new Set<string>()
  const streams = new Set<Readable>()
  const pending: Promise<void>[] = []

  const readField = (name: string, value: string, isCut: boolean) => {
    if (isCut) throw payloadTooLarge(`The part ${shorten(name)} is larger than ${limits.operationsBytes} bytes`)
    if (name === 'operations' && operations === undefined) operations = readOperations(value)
    else if (name === 'map' && places === undefined) {
      places = readMap(value, operations, limits.files)
      if (places.size > 0) admit(operations, [...places.values()].flat())
    } else throw badRequest(`The part ${shorten(name)} is not expected in a GraphQL multipart request`)
  }

  const store = async (name: string, stream: Readable, filename: string, contentType: string) => {
    if (places === undefined) throw badRequest('The parts operations and map must come before the files')
    const paths = places.get(name)
    if (!paths) throw badRequest(`The map names no place for the file ${shorten(name)}`)
    if (arrived.has(name)) throw badRequest(`The file ${shorten(name)} came twice`)
    arrived.add(name)
    const reading = openReading(paths)
    const stored = await objects.put(stream, limits.fileBytes, reading)
    const file = new UploadedFile({ filename, contentType, stored })
    received(file)
    reading?.arrived(file)
    for (const path of paths) place(operations, path, file)
  }

  await new Promise<void>((resolve, reject) => {
    let hasFailed = false
    const fail = (error: unknown) => {
      if (hasFailed) return
      hasFailed = true
      const cause = error instanceof Error ? error : new Error(String(error))
      request.unpipe(parser)
      discardRest(request)
      for (const stream of streams) stream.destroy(cause)
      reject(cause)
    }
    // busboy gives no name for a part that has none, whatever its types say
    parser.on('field', (name: string | undefined, value: string, _: boolean, isCut: boolean) => {
      try {
        if (!hasFailed) readField(name ?? '', value, isCut)
      } catch (error) {
        fail(error)
      }
    })
    parser.on(
      'file',
      (name: string | undefined, stream: Readable, filename: string | undefined, _: string, type: string) => {
        stream.on('error', () => {})
        if (hasFailed) return void stream.resume()
        streams.add(stream)
        const storing = store(name ?? '', stream, filename ?? '', type).finally(() => streams.delete(stream))
        storing.catch(fail)
        pending.push(storing)
      },
    )
    parser.on('partsLimit', () => fail(badRequest('The request has too many parts')))
    parser.on('filesLimit', () => fail(badRequest(`The request has more than ${limits.files} files`)))
    parser.on('fieldsLimit', () => fail(badRequest('The request has more parts than operations, map and files')))
    parser.on('error', () => fail(badRequest('The multipart body cannot be read')))
    parser.on('finish', () => Promise.all(pending).then(() => resolve(), fail))
    request.on('error', () => fail(badRequest('The request ended before its body did')))
    request.on('close', () => request.complete || fail(badRequest('The request ended before its body did')))
    request.pipe(parser)
  }).finally(() => Promise.allSettled(pending))

  if (operations === undefined) throw badRequest('The part operations is missing')
  if (places === undefined) throw badRequest('The part map is missing')
  const missing = [...places.keys()].find((name) => !arrived.has(name))
  if (missing !== undefined) throw badRequest(`The file ${shorten(missing)} that the map names is missing`)
  return operations
}

function openParser(request: IncomingMessage, limits: MultipartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: {
        fieldNameSize: 200,
        fieldSize: limits.operationsBytes,
        fields: 2,
        files: limits.files,
        fileSize: limits.fileBytes + 1,
        headerPairs: 20,
        parts: limits.files + 2,
      },
    })
  } catch {
    throw badRequest('The content-type names no boundary of the multipart body')
  }
}

function readOperations(text: string): unknown {
  const operations = readPart(text, 'operations')
  if (Array.isArray(operations)) throw badRequest('Batches of operations are not offered')
  if (operations === null || typeof operations !== 'object') throw badRequest('operations must be a JSON object')
  return operations
}

function readMap(text: string, operations: unknown, files: number): Places {
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
      if (seen.size >= 100) throw badRequest('The map names more than 100 places')
      seen.add(path)
      place(operations, path, null)
    }
    places.set(name, paths)
  }
  return places
}

/** Puts a file where `path` leads; the place must exist and hold null until its file comes. */
function place(operations: unknown, path: string, file: UploadedFile | null): void {
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

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
