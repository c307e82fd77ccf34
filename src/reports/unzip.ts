// Reads the files in a zip as a stream, one after the other: the list of them, and the contents of one.

import { Inflate, Unzip, type UnzipDecoder } from 'fflate'
import { ReportFault } from './types.ts'

type Bytes = AsyncIterable<Uint8Array>

/** A file in a zip, with its index among all files there. */
export type Entry = { index: number; name: string }

/** The most files in a zip, and the most that may be reports. */
const MOST_ENTRIES = 1000
const MOST_REPORTS = 100

/**
 * Bytes of a file that may inflate to nothing. What follows the end of its compressed data would be held whole, and copied with every piece;
 * a block that is stored as it is comes out only once all of it is there, after at most 64 KiB.
 */
const MOST_IDLE = 128 * 1024

/** The files that are not hidden. Throws ReportFault if there are none, or too many. */
export async function entriesOf(packed: Bytes): Promise<[Entry, ...Entry[]]> {
  const entries: Entry[] = []
  const list = (entry: Entry) => {
    if (!isAside(entry.name)) entries.push(entry)
    return null
  }
  for await (const _ of walk(packed, list));
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
  let isWhole = false
  const bounds = boundsOf(() => read)
  const sink: Sink = (data, isLast) => {
    chunks.push(data)
    isWhole ||= isLast
  }
  for await (const size of walk(packed, ({ index }) => (index === wanted.index ? sink : null))) {
    read += size
    for (const data of chunks) {
      bounds(data.length)
      yield data
    }
    chunks = []
    if (isWhole) return
  }
}

type Sink = (data: Uint8Array, isLast: boolean) => void

/** Small pieces, because everything that one piece inflates to is held before it can be counted. */
const PIECE = 4096

/** The sizes of the pieces read; `meet` says where the contents of a file go, and null if they are passed over. */
async function* walk(packed: Bytes, meet: (entry: Entry) => Sink | null): AsyncGenerator<number> {
  let count = 0
  const unzip = new Unzip((file) => {
    const sink = meet({ index: count++, name: file.name }) ?? passOver
    // what is passed over is taken too: otherwise it would be held until the end
    unzip.register(decoderOf(file.compression, sink))
    file.ondata = (_, data, isLast) => sink(data, isLast)
    file.start()
  })
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

const passOver: Sink = () => {}

/** The decoder of one file of the zip; by APPNOTE.TXT, 4.4.5, 0 is stored as it is and 8 deflated. */
function decoderOf(compression: number, sink: Sink) {
  if (sink !== passOver && compression !== 0 && compression !== 8) throw new Error('Another compression')
  const take = sink !== passOver && compression === 8 ? inflating(sink) : sink
  return class implements UnzipDecoder {
    static compression = compression
    ondata: UnzipDecoder['ondata'] = () => {}
    push = take
  }
}

function inflating(sink: Sink): Sink {
  let idle = 0
  const inflate = new Inflate((data, isLast) => {
    if (data.length > 0) idle = 0
    sink(data, isLast)
  })
  return (data, isLast) => {
    idle += data.length
    if (idle > MOST_IDLE) throw new Error('Nothing comes out of it any more')
    inflate.push(data, isLast)
  }
}

const isAside = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || (name.split('/').at(-1) ?? '').startsWith('.')
