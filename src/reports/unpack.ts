// Unpacks reports (gzip, zip, UTF-16), each within bounds.

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { DECLARING, declaredEncoding, utf8Repairer } from './encoding.ts'
import { ReportFault, type ReportSource } from './types.ts'
import { type Entry, entriesOf, unzipped } from './unzip.ts'

/** The largest unpacked report in bytes, and the largest ratio to its packed size once it exceeds a megabyte. */
const LARGEST = 4 * 1024 ** 3
const HIGHEST_RATIO = 200
const FREE_OF_RATIO = 1024 ** 2

type Bytes = AsyncIterable<Uint8Array>

/** `mayBreakOff`: a truncated gzip is read as far as it goes, as usual; otherwise reading it fails with a ReportFault. */
type Reading = { mayBreakOff?: boolean }

/** The report, unpacked; refuses a zip with several. */
export async function unpacked(packed: ReportSource, reading: Reading = {}): Promise<ReportSource> {
  const [source, ...others] = await unpackedAll(packed, reading)
  if (others.length > 0) throw new ReportFault('The zip contains more than one report; send each by itself')
  return source
}

/** The reports, unpacked: several only from a zip. A packed file inside a packed file is not opened. */
export async function unpackedAll(
  source: ReportSource,
  reading: Reading = {},
): Promise<[ReportSource, ...ReportSource[]]> {
  const alone = await unpackedAlone(source, reading)
  if (alone !== null) return [alone]
  const { name } = source
  const open = () => wholeStart(source.open())
  const [first, ...others] = await entriesOf(open())
  const sourceOf = (entry: Entry): ReportSource => ({
    name: entry.name,
    open: () => decoded(wholeStart(unzipped(open(), entry, boundsOf))),
  })
  return [others.length === 0 ? { ...sourceOf(first), name } : sourceOf(first), ...others.map(sourceOf)]
}

/** The report, unpacked; null if it is in a zip, of which nothing is read. */
export async function unpackedAlone(
  { name, open: openPacked }: ReportSource,
  { mayBreakOff = true }: Reading = {},
): Promise<ReportSource | null> {
  const open = () => wholeStart(openPacked())
  const start = await startOf(open())
  if (start[0] === 0x1f && start[1] === 0x8b) {
    return { name, open: () => decoded(wholeStart(gunzipped(open(), mayBreakOff))) }
  }
  return start.equals(Buffer.from('PK\x03\x04')) ? null : { name, open: () => decoded(open()) }
}

/** Whether the unpacked size exceeds so many bytes. Throws ReportFault if it cannot be unpacked. */
export async function unpacksBeyond(bytes: number, packed: ReportSource): Promise<boolean> {
  let size = 0
  for (const { open } of await unpackedAll(packed)) {
    for await (const chunk of open()) {
      size += chunk.length
      if (size > bytes) return true
    }
  }
  return false
}

async function* gunzipped(packed: Bytes, mayBreakOff: boolean): Bytes {
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
    // A truncated gzip is read as far as it goes; the reader notices that the report is incomplete.
    if ((error as { code?: string }).code !== 'Z_BUF_ERROR') throw new ReportFault('The report is not valid gzip')
    if (!mayBreakOff) throw new ReportFault('its gzip data is truncated')
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}

/** Refuses a file whose unpacked size, or compression ratio, is too large. */
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

/**
 * Converts to UTF-8 without a byte order mark. UTF-16 is recognised by its mark, or by the zero bytes of ASCII characters. XML that declares
 * another encoding is left as it is, for its reader to decode.
 */
async function* decoded(bytes: Bytes): Bytes {
  let recode: ((chunk: Uint8Array) => Uint8Array) | null = null
  let rest = (): Uint8Array => new Uint8Array()
  for await (const chunk of wholeStart(bytes, DECLARING)) {
    const isFirst = recode === null
    if (recode === null) {
      const utf16 = utf16Of(chunk)
      const repairer = utf8Repairer()
      if (utf16 !== null) {
        const decoder = new TextDecoder(utf16)
        recode = (part) => Buffer.from(decoder.decode(part, { stream: true }))
      } else if (declaredEncoding(chunk) !== undefined) recode = (part) => part
      else [recode, rest] = [repairer.write, repairer.end]
    }
    yield recode(isFirst && isMarked(chunk) ? chunk.subarray(3) : chunk)
  }
  const last = rest()
  if (last.length > 0) yield last
}

const isMarked = (chunk: Uint8Array): boolean => chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)
    ? 'utf-16be'
    : null
}

/** Bytes by which packing and encoding are recognised. */
const MARK = 4

/** The same bytes, regrouped so that the first chunk has at least as many as requested, if there are that many. */
async function* wholeStart(bytes: Bytes, least = MARK): Bytes {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === null) yield chunk
    else {
      start = Buffer.concat([start, chunk])
      if (start.length < least) continue
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
