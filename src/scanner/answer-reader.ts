// Reads one HTTP/1.1 response as its bytes arrive (RFC 9112), as leniently as browsers do, in bounded memory.

import type { HttpAnswer } from './types.ts'

export type AnswerReader = {
  /** Takes the next bytes; true once the response is complete or has reached its largest size. Throws BadAnswer. */
  read: (bytes: Buffer) => boolean
  /** The connection ended; a response that does not end this way is truncated. */
  end: () => void
  /** null until its headers have arrived */
  head: () => Pick<HttpAnswer, 'status' | 'headers'> | null
  body: () => Buffer
  isCut: () => boolean
  /** whether another request may be sent over the connection */
  isKept: () => boolean
}

/** The bytes are not an HTTP response. */
export class BadAnswer extends Error {
  override name = 'BadAnswer'
}

/** The most bytes of a response's headers. */
const LONGEST_HEAD = 64 * 1024
/** The most characters of the line before a chunk. */
const LONGEST_LINE = 4 * 1024

/** Pieces of the body with fewer bytes are copied into shared buffers, and the size of these buffers. */
const SMALL = 4 * 1024
const SHARED = 16 * 1024

const NOTHING = Buffer.alloc(0)
const [CR, LF] = [13, 10]

type State = 'head' | 'body' | 'until-end' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'done'

/** `largest`: the most bytes of the body that are read; the rest is ignored. */
export function openReader(method: string, largest: number): AnswerReader {
  let state: State = 'head'
  /** bytes of an incomplete line or head, in a buffer that doubles, and how many of them were searched for its end */
  let room = NOTHING
  let pending = 0
  let looked = 0
  let status = 0
  let headers: [string, string][] = []
  let left = 0
  let isKept = true
  let isCut = false
  let size = 0
  const chunks: Buffer[] = []
  let shared = NOTHING
  let used = 0

  /** The next line without its line end; null while it is incomplete. */
  const line = (bytes: Buffer, at: number, longest: number): { text: string; next: number } | null => {
    const end = bytes.indexOf(LF, at + looked)
    if ((end < 0 ? bytes.length : end) - at > longest) throw new BadAnswer('a line is too long')
    if (end < 0) return null
    return { text: bytes.toString('latin1', at, end > at && bytes[end - 1] === CR ? end - 1 : end), next: end + 1 }
  }

  const readHead = (bytes: Buffer, at: number): number => {
    const end = endOfHead(bytes, at + Math.max(0, looked - 2))
    if ((end < 0 ? bytes.length : end) - at > LONGEST_HEAD) throw new BadAnswer('the headers are too long')
    if (end < 0) {
      if (bytes.length - at >= 5 && bytes.toString('latin1', at, at + 5) !== 'HTTP/')
        throw new BadAnswer('no status line')
      return -1
    }
    const [first = '', ...rest] = bytes.toString('latin1', at, end).split('\n')
    const found = /^HTTP\/(\d\.\d) (\d{3})(?!\d)/.exec(first)
    if (found === null) throw new BadAnswer('no status line')
    status = Number(found[2])
    headers = pairsOf(rest)
    // an interim response, which is followed by another
    if (status >= 100 && status < 200 && status !== 101) return end
    decide(found[1] ?? '')
    return end
  }

  /** Determines the length of the body (RFC 9112, 6.3), and whether the connection can be reused after it. */
  const decide = (version: string) => {
    const connection = fieldOf(headers, 'connection').toLowerCase()
    isKept = version === '1.1' ? !connection.includes('close') : connection.includes('keep-alive')
    const coding = fieldOf(headers, 'transfer-encoding').toLowerCase()
    const length = fieldOf(headers, 'content-length').split(',')[0]?.trim() ?? ''
    if (method === 'HEAD' || status === 101 || status === 204 || status === 304) {
      isKept &&= status !== 101
      state = 'done'
    } else if (/\bchunked$/.test(coding)) state = 'chunk-size'
    else if ((coding !== '' && coding !== 'identity') || length === '') {
      isKept = false
      state = 'until-end'
    } else {
      if (!/^\d{1,15}$/.test(length)) throw new BadAnswer('the length is no number')
      left = Number(length)
      state = left === 0 ? 'done' : 'body'
    }
  }

  /** All pending bytes, followed by these. */
  const hold = (bytes: Buffer): Buffer => {
    const length = pending + bytes.length
    if (length > room.length) {
      const larger = Buffer.allocUnsafe(length * 2)
      room.copy(larger, 0, 0, pending)
      room = larger
    }
    bytes.copy(room, pending)
    pending = length
    return room.subarray(0, length)
  }

  /** Small pieces share buffers, because each on its own would take far more memory than its bytes. */
  const append = (piece: Buffer) => {
    if (piece.length >= SMALL || size === 0) {
      flush()
      chunks.push(piece)
      return
    }
    if (used + piece.length > shared.length) {
      flush()
      shared = Buffer.allocUnsafe(SHARED)
    }
    used += piece.copy(shared, used)
  }
  const flush = () => {
    if (used > 0) chunks.push(shared.subarray(0, used))
    shared = shared.subarray(used)
    used = 0
  }

  /** Keeps what fits, and stops at the limit. */
  const keep = (bytes: Buffer, at: number, end: number) => {
    const fits = Math.min(end, at + largest - size)
    if (fits > at) append(bytes.subarray(at, fits))
    size += end - at
    if (size <= largest) return
    isCut = true
    isKept = false
    state = 'done'
  }

  /** The position at which the next step starts; -1 if more bytes are needed. */
  const step = (bytes: Buffer, at: number): number => {
    switch (state) {
      case 'head':
        return readHead(bytes, at)
      case 'until-end':
        keep(bytes, at, bytes.length)
        return bytes.length
      case 'body':
      case 'chunk': {
        const end = Math.min(bytes.length, at + left)
        left -= end - at
        if (left === 0) state = state === 'body' ? 'done' : 'chunk-end'
        keep(bytes, at, end)
        return end
      }
      case 'chunk-size': {
        const found = line(bytes, at, LONGEST_LINE)
        if (found === null) return -1
        const digits = /^\s*([0-9a-f]{1,12})\s*(;|$)/i.exec(found.text)?.[1]
        if (digits === undefined) throw new BadAnswer('the size of a chunk is no number')
        left = Number.parseInt(digits, 16)
        state = left === 0 ? 'trailers' : 'chunk'
        return found.next
      }
      case 'chunk-end': {
        const found = line(bytes, at, 1)
        if (found === null) return -1
        state = 'chunk-size'
        return found.next
      }
      case 'trailers': {
        const found = line(bytes, at, LONGEST_HEAD)
        if (found === null) return -1
        if (found.text === '') state = 'done'
        return found.next
      }
      case 'done':
        return bytes.length
    }
  }

  return {
    read(bytes) {
      const all = pending === 0 ? bytes : hold(bytes)
      let at = 0
      while (state !== 'done') {
        const next = at < all.length ? step(all, at) : -1
        if (next < 0) {
          looked = all.length - at
          if (pending === 0 || at > 0) {
            // a part of the buffer may have become part of the body
            room = NOTHING
            pending = 0
            hold(all.subarray(at))
          }
          return false
        }
        at = next
        looked = 0
      }
      // bytes that belong to no request
      if (at < all.length) isKept = false
      return true
    },
    end() {
      isKept = false
      isCut = state !== 'until-end'
    },
    head: () => (state === 'head' ? null : { status, headers }),
    body() {
      flush()
      return chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)
    },
    isCut: () => isCut,
    isKept: () => isKept,
  }
}

/** The position of the body, after the empty line; -1 while there is none. */
function endOfHead(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, end + 1)) {
    const next = bytes[end + 1] === CR ? end + 2 : end + 1
    if (bytes[next] === LF) return next + 1
  }
  return -1
}

/** Names are in lower case; a line that starts with a blank continues the one before. */
function pairsOf(lines: readonly string[]): [string, string][] {
  const pairs: [name: string, parts: string[]][] = []
  for (const line of lines) {
    const at = line.indexOf(':')
    const last = pairs.at(-1)
    if (last && (line.startsWith(' ') || line.startsWith('\t'))) last[1].push(line.trim())
    else if (at > 0) pairs.push([line.slice(0, at).trim().toLowerCase(), [line.slice(at + 1).trim()]])
  }
  return pairs.map(([name, parts]) => [name, parts.join(' ').trim()])
}

/** The first value of a header, whose name is given in lower case; '' if there is none. */
export const fieldOf = (headers: HttpAnswer['headers'], name: string): string =>
  headers.find(([given]) => given === name)?.[1] ?? ''
