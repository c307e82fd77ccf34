// Reads a GraphQL multipart request: operations, then map, then files, each streamed to the object store as it arrives.
// Source: the GraphQL multipart request specification, github.com/jaydenseric/graphql-multipart-request-spec.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { payloadTooLarge } from '../core/errors.ts'
import type { ObjectStore } from '../core/objects/store.ts'
import { type Reading, UploadedFile } from '../core/uploads.ts'
import { discardRest } from './discard.ts'
import { badRequest, type Places, place, readMap, readOperations, shorten } from './multipart-map.ts'

type MultipartLimits = { operationsBytes: number; fileBytes: number; files: number }

/**
 * How files are handled. `admit` throws, before the first file is stored, if the request may not send any; `openReading` gives the reader of a
 * file while it arrives; `received` is called with each stored file, so that files to which no row refers can be removed.
 */
type Handling = {
  admit: (operations: unknown, places: Iterable<string>) => void
  openReading: (places: readonly string[]) => Reading | null
  received: (file: UploadedFile) => void
}

/**
 * The operations, with every mapped place filled by its file. Throws BAD_REQUEST for an invalid request, PAYLOAD_TOO_LARGE above a limit, and
 * what `admit` throws.
 */
export async function readMultipart(
  request: IncomingMessage,
  objects: ObjectStore,
  limits: MultipartLimits,
  handling: Handling,
): Promise<unknown> {
  const parser = openParser(request, limits)
  const parts = openParts(objects, limits, handling)
  await readParts(request, parser, parts, limits)
  return parts.operations()
}

/** Collects the parts of one request. */
type Parts = {
  /** Takes a text part; throws if it is not expected. */
  field(name: string, value: string, isCut: boolean): void
  /** Stores a file and puts it into its places; rejects if the map has none for it. */
  file(name: string, stream: Readable, facts: { filename: string; contentType: string }): Promise<void>
  /** The operations, once every part has arrived; throws if one is missing. */
  operations(): unknown
}

function openParts(objects: ObjectStore, limits: MultipartLimits, handling: Handling): Parts {
  let operations: unknown
  let places: Places | undefined
  const arrived = new Set<string>()

  const placesOf = (name: string): string[] => {
    if (places === undefined) throw badRequest('The parts operations and map must come before the files')
    const paths = places.get(name)
    if (!paths) throw badRequest(`The map names no place for the file ${shorten(name)}`)
    if (arrived.has(name)) throw badRequest(`The file ${shorten(name)} came twice`)
    return paths
  }

  return {
    field(name, value, isCut) {
      if (isCut) throw payloadTooLarge(`The part ${shorten(name)} is larger than ${limits.operationsBytes} bytes`)
      if (name === 'operations' && operations === undefined) operations = readOperations(value)
      else if (name === 'map' && places === undefined) {
        places = readMap(value, operations, limits.files)
        if (places.size > 0) handling.admit(operations, [...places.values()].flat())
      } else throw badRequest(`The part ${shorten(name)} is not expected in a GraphQL multipart request`)
    },
    async file(name, stream, { filename, contentType }) {
      const paths = placesOf(name)
      arrived.add(name)
      const reading = handling.openReading(paths)
      const stored = await objects.put(stream, limits.fileBytes, reading)
      const file = new UploadedFile({ filename, contentType, stored })
      handling.received(file)
      reading?.arrived(file)
      for (const path of paths) place(operations, path, file)
    },
    operations() {
      if (operations === undefined) throw badRequest('The part operations is missing')
      if (places === undefined) throw badRequest('The part map is missing')
      const missing = [...places.keys()].find((name) => !arrived.has(name))
      if (missing !== undefined) throw badRequest(`The file ${shorten(missing)} that the map names is missing`)
      return operations
    },
  }
}

/** Feeds the request to the parser; rejects with the first failure, once no file is being stored any more. */
async function readParts(
  request: IncomingMessage,
  parser: BusboyInstance,
  parts: Parts,
  limits: MultipartLimits,
): Promise<void> {
  const streams = new Set<Readable>()
  const pending: Promise<void>[] = []
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
    // busboy passes undefined for a part without a name, whatever its types say
    parser.on('field', (name: string | undefined, value: string, _: boolean, isCut: boolean) => {
      try {
        if (!hasFailed) parts.field(name ?? '', value, isCut)
      } catch (error) {
        fail(error)
      }
    })
    const takeFile = (name = '', stream: Readable, filename = '', _encoding: string, contentType: string) => {
      stream.on('error', () => {})
      if (hasFailed) return void stream.resume()
      streams.add(stream)
      const storing = parts.file(name, stream, { filename, contentType }).finally(() => streams.delete(stream))
      storing.catch(fail)
      pending.push(storing)
    }
    parser.on('file', takeFile)
    parser.on('partsLimit', () => fail(badRequest('The request has too many parts')))
    parser.on('filesLimit', () => fail(badRequest(`The request has more than ${limits.files} files`)))
    parser.on('fieldsLimit', () => fail(badRequest('The request has more parts than operations, map and files')))
    parser.on('error', () => fail(badRequest('The multipart body cannot be read')))
    parser.on('finish', () => Promise.all(pending).then(() => resolve(), fail))
    request.on('error', () => fail(badRequest('The request ended before its body did')))
    request.on('close', () => request.complete || fail(badRequest('The request ended before its body did')))
    request.pipe(parser)
  }).finally(() => Promise.allSettled(pending))
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
