// Reads the records of OSV archives as a stream: a zip with one file for each, a single record, or one record a line.

import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'

/** Bytes of one record, and of the pieces in which a zip is opened: what one inflates to is held before it can be counted. */
const LARGEST_RECORD = 32 * 1024 * 1024
const PIECE = 16 * 1024

/** The file is none of OSV's: one sentence that may be shown. */
export class ArchiveFault extends Error {
  override name = 'ArchiveFault'
}

/** A value of the archive; `size` is the characters of the text that it was read from, shared among those of one text. */
type Read = { value: unknown; size: number }

/** Every value that the archive holds; what is no JSON is counted by `onUnreadable`. */
export async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  onUnreadable: (name: string) => void,
): AsyncGenerator<Read> {
  const source = bytes[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done) throw new ArchiveFault('The file is empty')
  const rest = joined(first.value, source)
  const isZip = first.value[0] === 0x50 && first.value[1] === 0x4b
  yield* isZip ? fromZip(rest, onUnreadable) : fromText(rest, onUnreadable)
}

async function* joined(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}

async function* fromZip(bytes: AsyncIterable<Uint8Array>, onUnreadable: (name: string) => void): AsyncGenerator<Read> {
  let records: Read[] = []
  let fault: ArchiveFault | null = null
  const unzip = new Unzip((file) => {
    if (/\.json$/i.test(file.name))
      gather(
        file,
        (text) => records.push(...valuesOf(text, file.name, onUnreadable)),
        (why) => (fault ??= why),
      )
  })
  unzip.register(UnzipInflate)
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      try {
        unzip.push(chunk.subarray(at, at + PIECE))
      } catch {
        throw new ArchiveFault('The zip cannot be unpacked')
      }
      if (fault !== null) throw fault
      yield* records
      records = []
    }
  }
}

function gather(file: UnzipFile, onText: (text: string) => void, onFault: (fault: ArchiveFault) => void): void {
  const parts: Uint8Array[] = []
  let size = 0
  file.ondata = (error, data, isLast) => {
    if (error) return onFault(new ArchiveFault('The zip cannot be unpacked'))
    size += data.length
    if (size > LARGEST_RECORD) return onFault(new ArchiveFault(`A record is larger than ${LARGEST_RECORD} bytes`))
    parts.push(data)
    if (isLast) onText(Buffer.concat(parts).toString('utf8'))
  }
  file.start()
}

function valuesOf(text: string, name: string, onUnreadable: (name: string) => void): Read[] {
  try {
    const value: unknown = JSON.parse(text)
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return values.map((each) => ({ value: each, size: text.length / values.length }))
  } catch {
    onUnreadable(name)
    return []
  }
}

/** One record over many lines, or one a line. */
async function* fromText(bytes: AsyncIterable<Uint8Array>, onUnreadable: (name: string) => void): AsyncGenerator<Read> {
  const decoder = new TextDecoder()
  let rest = ''
  let isByLine: boolean | null = null
  let line = 0
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > LARGEST_RECORD) throw new ArchiveFault(`A record is larger than ${LARGEST_RECORD} bytes`)
    isByLine ??= rest.includes('\n') ? isWhole(rest.slice(0, rest.indexOf('\n'))) : null
    if (isByLine !== true) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const each of lines) {
      line += 1
      if (each.trim() !== '') yield* valuesOf(each, `line ${line}`, onUnreadable)
    }
  }
  if (rest.trim() !== '') yield* valuesOf(rest, `line ${line + 1}`, onUnreadable)
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
