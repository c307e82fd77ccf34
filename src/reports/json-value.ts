// Collects one JSON value or key whose bytes may arrive in several chunks.

import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, isDelimiter, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts'
import { parsed } from './json-items.ts'

// constants of this module, because imported ones make the loop over bytes up to a tenth slower
const [quote, backslash] = [QUOTE, BACKSLASH]
const [openObject, closeObject, openArray, closeArray] = [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY]

/** The largest value, in bytes. */
const LARGEST = 32 * 1024 * 1024

/** The deepest nesting inside one value. */
const DEEPEST = 400

/** A value, or the reason why it cannot be read. */
type Taken = { value: unknown } | { fault: string }

type ValueTaker = {
  /** starts a value with its first byte; keeps the bytes if the value is wanted */
  begin: (byte: number, isWanted: boolean) => void
  /** continues inside the value from `start`; returns the position after it, or the chunk's end if it continues */
  take: (chunk: Uint8Array, start: number) => number
  isWhole: () => boolean
  /** whether the value is complete at the end of input: a number or a literal has no terminator */
  mayEnd: () => boolean
  taken: () => Taken
}

export function openTaker(): ValueTaker {
  let parts: Uint8Array[] = []
  let size = 0
  let isKept = false
  let isWhole = true
  let isScalar = false
  let isString = false
  let isEscaped = false
  let depth = 0
  let deepest = 0

  /** Inside a string. Local variables for everything that is used per byte make this three times as fast. */
  const afterString = (chunk: Uint8Array, start: number): number => {
    const { length } = chunk
    let at = start
    let isNextEscaped = isEscaped
    for (; at < length; at++) {
      const byte = chunk[at]
      if (isNextEscaped) isNextEscaped = false
      else if (byte === backslash) isNextEscaped = true
      else if (byte === quote) {
        isString = false
        break
      }
    }
    isEscaped = isNextEscaped
    return isString ? at : at + 1
  }

  /** Outside strings, up to the next one or to the end of the value. */
  const afterMarks = (chunk: Uint8Array, start: number): number => {
    const { length } = chunk
    let at = start
    let level = depth
    let most = deepest
    while (at < length) {
      const byte = chunk[at++]
      if (byte === quote) {
        isString = true
        break
      }
      if (byte === openObject || byte === openArray) {
        level++
        if (level > most) most = level
      } else if ((byte === closeObject || byte === closeArray) && --level <= 0) break
    }
    depth = level
    deepest = most
    return at
  }

  const afterScalar = (chunk: Uint8Array, start: number): number => {
    let at = start
    while (at < chunk.length && !isDelimiter(chunk[at] ?? 0)) at++
    isWhole = at < chunk.length
    return at
  }

  const afterNested = (chunk: Uint8Array, start: number): number => {
    let at = start
    while (at < chunk.length && !isWhole) {
      at = isString ? afterString(chunk, at) : afterMarks(chunk, at)
      isWhole = !isString && depth <= 0
    }
    return at
  }

  return {
    begin: (byte, isWanted) => {
      parts = []
      size = depth = deepest = 0
      isKept = isWanted
      isWhole = isString = isEscaped = false
      isScalar = byte !== QUOTE && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY
    },
    take: (chunk, start) => {
      const at = isScalar ? afterScalar(chunk, start) : afterNested(chunk, start)
      if (isKept) {
        size += at - start
        if (size <= LARGEST) parts.push(chunk.subarray(start, at))
        else parts = []
      }
      return at
    },
    isWhole: () => isWhole,
    mayEnd: () => isScalar,
    taken: () => {
      const bytes = parts
      parts = []
      if (size > LARGEST) return { fault: 'It is larger than 32 MiB' }
      if (deepest > DEEPEST) return { fault: 'It is nested too deeply' }
      const value = parsed(bytes)
      return value === undefined ? { fault: 'It is not valid JSON' } : { value }
    },
  }
}
