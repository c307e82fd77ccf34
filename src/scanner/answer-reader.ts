// Reads one HTTP/1.1 response as its bytes arrive (RFC 9112), in bounded memory.

import { openBody } from './answer-body.ts'
import { BadAnswer, bodyStart, endOfHead, isInterim, readHead } from './answer-head.ts'
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

/** The most bytes of a response's headers. */
const LONGEST_HEAD = 64 * 1024
/** The most characters of the line before a chunk. */
const LONGEST_LINE = 4 * 1024

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
  let head: ReturnType<AnswerReader['head']> = null
  /** bytes left of the body or of the chunk */
  let left = 0
  let isKept = true
  let isCut = false
  const body = openBody(largest)

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

  const takeHead = (bytes: Buffer, at: number): number => {
    const end = endOfHead(bytes, at + Math.max(0, looked - 2))
    if ((end < 0 ? bytes.length : end) - at > LONGEST_HEAD) throw new BadAnswer('the headers are too long')
    if (end < 0) {
      if (bytes.length - at >= 5 && bytes.toString('latin1', at, at + 5) !== 'HTTP/')
        throw new BadAnswer('no status line')
      return -1
    }
    const read = readHead(bytes.toString('latin1', at, end))
    if (isInterim(read)) return end
    ;({ state, left, isKept } = bodyStart(method, read))
    head = { status: read.status, headers: read.headers }
    return end
  }

  /** Stops at the limit. */
  const keep = (piece: Buffer) => {
    if (body.take(piece)) return
    isCut = true
    isKept = false
    state = 'done'
  }

  /** The position at which the next step starts; -1 if more bytes are needed. */
  const step = (bytes: Buffer, at: number): number => {
    switch (state) {
      case 'head':
        return takeHead(bytes, at)
      case 'until-end':
        keep(bytes.subarray(at))
        return bytes.length
      case 'body':
      case 'chunk': {
        const end = Math.min(bytes.length, at + left)
        left -= end - at
        if (left === 0) state = state === 'body' ? 'done' : 'chunk-end'
        keep(bytes.subarray(at, end))
        return end
      }
      case 'chunk-size': {
        const line = lineAt(bytes, at, looked, LONGEST_LINE)
        if (line === null) return -1
        left = chunkSize(line.text)
        state = left === 0 ? 'trailers' : 'chunk'
        return line.next
      }
      case 'chunk-end': {
        const line = lineAt(bytes, at, looked, 1)
        if (line === null) return -1
        state = 'chunk-size'
        return line.next
      }
      case 'trailers': {
        const line = lineAt(bytes, at, looked, LONGEST_HEAD)
        if (line === null) return -1
        if (line.text === '') state = 'done'
        return line.next
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
    head: () => head,
    body: () => body.whole(),
    isCut: () => isCut,
    isKept: () => isKept,
  }
}

/** The line at `at` without its line end, of which `looked` bytes have none; null while it is incomplete. */
function lineAt(bytes: Buffer, at: number, looked: number, longest: number): { text: string; next: number } | null {
  const end = bytes.indexOf(LF, at + looked)
  if ((end < 0 ? bytes.length : end) - at > longest) throw new BadAnswer('a line is too long')
  if (end < 0) return null
  return { text: bytes.toString('latin1', at, end > at && bytes[end - 1] === CR ? end - 1 : end), next: end + 1 }
}

function chunkSize(line: string): number {
  const digits = /^\s*([0-9a-f]{1,12})\s*(;|$)/i.exec(line)?.[1]
  if (digits === undefined) throw new BadAnswer('the size of a chunk is no number')
  return Number.parseInt(digits, 16)
}
