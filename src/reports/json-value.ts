// Takes one value of JSON, or one key, whose bytes may come in several chunks.

import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, isDelimiter, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts'
import { parsed } from './json-items.ts'

// looked at for every byte: those of another module take up to a tenth longer
const [quote, backslash] = [QUOTE, BACKSLASH]
const [openObject, closeObject, openArray, closeArray] = [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY]

/** Bytes of one value. */
const LARGEST = 32 * 1024 * 1024

/** Nested objects and arrays inside one value. */
const DEEPEST = 400

/** A value, or why it cannot be read. */
export type Taken = { value: unknown } | { fault: string }

export type ValueTaker = {
  /** a value whose first byte this is; its bytes are kept when it is wanted */
  begin: (byte: number, isWanted: boolean) => void
  /** goes on inside of it from `start`; the position after it, or the chunk's end when it goes on */
  take: (chunk: Uint8Array, start: number) => number
  isWhole: () => boolean
  /** whether it is whole when the bytes end: a number or a word has no end of its own */
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

  /** Inside of a string; what is looked at for every byte stands in variables of its own, which is three times as fast. */
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

  /** Between strings, up to the next one or to the end of the value. */
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
