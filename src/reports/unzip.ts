// Reads the files in a zip as a stream, one after the other: the list of them, and the contents of one.

import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'
import { ReportFault } from './types.ts'

type Bytes = AsyncIterable<Uint8Array>

/** A file in a zip, with its index among all files there. */
export type Entry = { index: number; name: string }

/** The most files in a zip, and the most that may be reports. */
const MOST_ENTRIES = 1000
const MOST_REPORTS = 100

/** The files that are not hidden. Throws ReportFault if there are none, or too many. */
export async function entriesOf(packed: Bytes): Promise<[Entry, ...Entry[]]> {
  const entries: Entry[] = []
  for await (const _ of walk(packed, (_file, entry) => {
    if (!isAside(entry.name)) entries.push(entry)
  }));
  const [first, ...others] = entries
  if (first === undefined) throw new ReportFault('The zip contains no report')
  if (entries.length > MOST_REPORTS) throw new ReportFault(`The zip contains more than ${MOST_REPORTS} reports`)
  return [first, ...others]
}

/** The bytes of one file; `boundsOf` receives the size of the zip, and the function that it returns receives every piece. */
export async function* unzipped(
  packed: Bytes,
  wanted: Entry,
  boundsOf: (packedSize: () => number) => (unpackedBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let read = 0
  let chunks: Uint8Array[] = []
  let isBroken = false
  const bounds = boundsOf(() => read)
  const walking = walk(packed, (file, entry) => {
    if (entry.index !== wanted.index) return
    file.ondata = (error, data) => {
      if (error) isBroken = true
      else chunks.push(data)
    }
    file.start()
  })
  for await (const size of walking) {
    read += size
    if (isBroken) throw new ReportFault('The zip cannot be unpacked')
    for (const data of chunks) {
      bounds(data.length)
      yield data
    }
    chunks = []
  }
}

/** Small pieces, because everything that one piece inflates to is held before it can be counted. */
const PIECE = 4096

/** The sizes of the pieces read; `meet` is called for each file. */
async function* walk(packed: Bytes, meet: (file: UnzipFile, entry: Entry) => void): AsyncGenerator<number> {
  let count = 0
  const unzip = new Unzip((file) => {
    meet(file, { index: count++, name: file.name })
  })
  unzip.register(UnzipInflate)
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE)
      try {
        unzip.push(piece)
      } catch {
        throw new ReportFault('The zip cannot be unpacked')
      }
      if (count > MOST_ENTRIES) throw new ReportFault(`The zip contains more than ${MOST_ENTRIES} files`)
      yield piece.length
    }
  }
}

const isAside = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || (name.split('/').at(-1) ?? '').startsWith('.')
