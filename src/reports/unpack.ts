// Opens what reports come packed in: gzip, zip, UTF-16; each within bounds.

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ReportFault, type ReportSource } from './types.ts'
import { type Entry, entriesOf, unzipped } from './unzip.ts'

/** Unpacked bytes of a report, at most; and how many times its packed size they may be once they are beyond a megabyte. */
const LARGEST = 4 * 1024 ** 3
const HIGHEST_RATIO = 200
const FREE_OF_RATIO = 1024 ** 2

type Bytes = AsyncIterable<Uint8Array>

/** The report itself, however it was packed; a zip with several is refused. */
export async function unpacked(packed: ReportSource): Promise<ReportSource> {
  const [source, ...others] = await unpackedAll(packed)
  if (others.length > 0) throw new ReportFault('The zip holds more than one report; send each by itself')
  return source
}

/** The reports themselves, however they were packed: several of a zip alone. A packed report in a packed one is not opened. */
export async function unpackedAll(source: ReportSource): Promise<[ReportSource, ...ReportSource[]]> {
  const { name } = source
  const open = () => wholeStart(source.open())
  const start = await startOf(open())
  if (start[0] === 0x1f && start[1] === 0x8b) return [{ name, open: () => decoded(wholeStart(gunzipped(open()))) }]
  if (!start.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return [{ name, open: () => decoded(open()) }]
  const [first, ...others] = await entriesOf(open())
  const sourceOf = (entry: Entry): ReportSource => ({
    name: entry.name,
    open: () => decoded(wholeStart(unzipped(open(), entry, boundsOf))),
  })
  return [others.length === 0 ? { ...sourceOf(first), name } : sourceOf(first), ...others.map(sourceOf)]
}

async function* gunzipped(packed: Bytes): Bytes {
  let read = 0
  const counted = async function* () {
    for await (const chunk of packed) {
      read += chunk.length
      yield chunk
    }
  }
  const gunzip = createGunzip()
  const input = Readable.from(counted())
  input.on('error', (error) => gunzip.destroy(error))
  const bounds = boundsOf(() => read)
  try {
    for await (const chunk of input.pipe(gunzip) as AsyncIterable<Buffer>) {
      bounds(chunk.length)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ReportFault) throw error
    // A gzip that breaks off is read as far as it goes; the reader sees that the report is not complete.
    if ((error as { code?: string }).code !== 'Z_BUF_ERROR') throw new ReportFault('The report is not valid gzip')
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}

/** Refuses what unpacks to too much, or to too many times its size. */
function boundsOf(packedSize: () => number): (unpackedBytes: number) => void {
  let size = 0
  return (unpackedBytes) => {
    size += unpackedBytes
    if (size > LARGEST) throw new ReportFault('The report is larger than 4 GiB when it is unpacked')
    if (size > FREE_OF_RATIO && size > packedSize() * HIGHEST_RATIO) {
      throw new ReportFault(`The report unpacks to more than ${HIGHEST_RATIO} times its size`)
    }
  }
}

/** UTF-8 without a byte order mark. XML says any other encoding itself; UTF-16 is known by its mark, or by the zeros of ASCII in it. */
async function* decoded(bytes: Bytes): Bytes {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let isFirst = true
  for await (const chunk of bytes) {
    if (chunk.length === 0) continue
    if (isFirst) {
      isFirst = false
      const [first, second] = chunk
      if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) decoder = new TextDecoder('utf-16le')
      if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) decoder = new TextDecoder('utf-16be')
      if (first === 0xef && second === 0xbb && chunk[2] === 0xbf) {
        yield chunk.subarray(3)
        continue
      }
    }
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk
  }
}

/** Bytes by which packing and encoding are told. */
const MARK = 4

/** The same bytes, the first chunk holding the mark whole. */
async function* wholeStart(bytes: Bytes): Bytes {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === null) yield chunk
    else {
      start = Buffer.concat([start, chunk])
      if (start.length < MARK) continue
      yield start
      start = null
    }
  }
  if (start !== null && start.length > 0) yield start
}

async function startOf(bytes: Bytes): Promise<Buffer> {
  for await (const chunk of bytes) return Buffer.from(chunk.subarray(0, MARK))
  return Buffer.alloc(0)
}
