// Walks JSON as its bytes arrive and parses only the values at the paths asked for: memory is that of the largest of them.

import { EMPTY, type JsonItem, type Keys, parsed } from './json-items.ts'
import { nothing, type Wanted, wantedOf } from './json-paths.ts'

/** Bytes of one value. */
const LARGEST_VALUE = 32 * 1024 * 1024

/** Nested objects and arrays inside one value. */
const DEEPEST_VALUE = 400

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

type Frame = { isArray: boolean; wanted: Wanted; at: string | number }

/** What comes next outside of a value that is captured or skipped. */
type Expected = 'VALUE' | 'KEY' | 'COLON' | 'COMMA'

export type JsonWalk = {
  /** what the bytes complete, in order */
  write: (chunk: Uint8Array) => JsonItem[]
  end: () => JsonItem[]
}

/**
 * A walk for paths like `runs[].results[]`, `vulnerabilities.*` or `` (each whole document); `runs[].results[` has the value true where the
 * array is there, also an empty one. Documents may follow each other, with or without anything between. Of a path and one below it only the upper is given.
 */
function walkJson(paths: readonly string[]): JsonWalk {
  const root = wantedOf(paths)
  const frames: Frame[] = []
  let expected: Expected = 'VALUE'
  let items: JsonItem[] = []
  let isOver = false
  let isEmpty = true

  // The value, or the key, that is being taken: its bytes so far, and how deep and where in it the walk stands.
  let taking: 'NOTHING' | 'KEY' | Wanted = 'NOTHING'
  let parts: Uint8Array[] = []
  let size = 0
  let depth = 0
  let deepest = 0
  let isString = false
  let isEscaped = false
  let isScalar = false

  const keysHere = (): Keys => frames.map(({ at }) => at)

  const stop = (reason: string) => {
    isOver = true
    items.push({ kind: 'TRUNCATED', reason })
  }

  const wantedHere = (): Wanted | null => {
    const frame = frames.at(-1)
    if (!frame) return root
    if (frame.isArray) return frame.wanted.each
    return frame.wanted.keys.get(String(frame.at)) ?? frame.wanted.any
  }

  const begin = (what: 'KEY' | Wanted, byte: number) => {
    taking = what
    parts = []
    size = depth = deepest = 0
    isString = isEscaped = false
    isScalar = byte !== QUOTE && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY
  }

  const finish = () => {
    const what = taking
    taking = 'NOTHING'
    if (what === 'KEY') {
      const key = parsed(parts)
      const frame = frames.at(-1)
      if (typeof key !== 'string' || !frame) return stop('A key of an object is not valid JSON')
      frame.at = key
      expected = 'COLON'
      return
    }
    expected = 'COMMA'
    if (what === 'NOTHING' || what.path === null) return
    const [path, keys] = [what.path, keysHere()]
    if (size > LARGEST_VALUE) items.push({ kind: 'FAULT', path, keys, reason: 'It is larger than 32 MiB' })
    else if (deepest > DEEPEST_VALUE) items.push({ kind: 'FAULT', path, keys, reason: 'It is nested too deeply' })
    else {
      const value = parsed(parts)
      if (value === undefined) items.push({ kind: 'FAULT', path, keys, reason: 'It is not valid JSON' })
      else items.push({ kind: 'VALUE', path, keys, value })
    }
    parts = []
  }

  /** Goes on inside what is being taken, from `start`; the position after it, or the chunk's end when it goes on. */
  const take = (chunk: Uint8Array, start: number): number => {
    const { length } = chunk
    let at = start
    let isDone = false
    while (at < length && !isDone) {
      if (isString) {
        at = afterString(chunk, at)
        isDone = !isString && depth === 0
      } else if (isScalar) {
        isDone = isDelimiter(chunk[at] ?? 0)
        if (!isDone) at++
      } else {
        at = afterMarks(chunk, at)
        isDone = !isString && depth <= 0
      }
    }
    if (taking === 'KEY' || (taking !== 'NOTHING' && taking.path !== null)) {
      size += at - start
      if (size <= LARGEST_VALUE) parts.push(chunk.subarray(start, at))
      else parts = []
    }
    if (isDone) finish()
    return at
  }

  /** Inside of a string; what is looked at for every byte stands in variables of its own, which is three times as fast. */
  const afterString = (chunk: Uint8Array, start: number): number => {
    const { length } = chunk
    let at = start
    let isNextEscaped = isEscaped
    for (; at < length; at++) {
      const byte = chunk[at]
      if (isNextEscaped) isNextEscaped = false
      else if (byte === BACKSLASH) isNextEscaped = true
      else if (byte === QUOTE) {
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
      if (byte === QUOTE) {
        isString = true
        break
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        level++
        if (level > most) most = level
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --level <= 0) break
    }
    depth = level
    deepest = most
    return at
  }

  const enter = (isArray: boolean, wanted: Wanted) => {
    if (isArray && wanted.opened !== null)
      items.push({ kind: 'VALUE', path: wanted.opened, keys: keysHere(), value: true })
    frames.push({ isArray, wanted, at: isArray ? 0 : '' })
    expected = isArray ? 'VALUE' : 'KEY'
  }

  /** One byte between values; the position from which to go on. */
  const step = (chunk: Uint8Array, at: number): number => {
    const byte = chunk[at] ?? 0
    if (isSpace(byte)) return at + 1
    isEmpty = false
    const frame = frames.at(-1)
    const closes = frame && byte === (frame.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)
    if (closes && expected !== 'COLON') {
      frames.pop()
      expected = 'COMMA'
      return at + 1
    }
    if (!frame && expected === 'COMMA') expected = 'VALUE'
    if (expected === 'COMMA' && frame && byte === COMMA) {
      if (frame.isArray) frame.at = Number(frame.at) + 1
      expected = frame.isArray ? 'VALUE' : 'KEY'
    } else if (expected === 'COLON' && byte === COLON) expected = 'VALUE'
    else if (expected === 'KEY' && byte === QUOTE) {
      begin('KEY', byte)
      return at
    } else if (expected === 'VALUE' && isStart(byte)) {
      const wanted = wantedHere() ?? nothing
      const isArray = byte === OPEN_ARRAY
      const leads = isArray ? wanted.each !== null : wanted.keys.size > 0 || wanted.any !== null
      if (wanted.path === null && leads && (isArray || byte === OPEN_OBJECT)) enter(isArray, wanted)
      else {
        begin(wanted, byte)
        return at
      }
    } else stop(`It is not valid JSON from ${JSON.stringify(String.fromCharCode(byte))} on`)
    return at + 1
  }

  const given = (): JsonItem[] => {
    const done = items
    items = []
    return done
  }

  return {
    write: (chunk) => {
      let at = 0
      while (at < chunk.length && !isOver) at = taking === 'NOTHING' ? step(chunk, at) : take(chunk, at)
      return given()
    },
    end: () => {
      if (taking !== 'NOTHING' && isScalar) finish()
      const isComplete = frames.length === 0 && taking === 'NOTHING'
      if (!isOver && isEmpty) stop(EMPTY)
      else if (!isOver && !isComplete) stop('It ends before it is complete')
      return given()
    },
  }
}

/** The items of a stream of bytes. */
export async function* readJson(bytes: AsyncIterable<Uint8Array>, paths: readonly string[]): AsyncGenerator<JsonItem> {
  const walk = walkJson(paths)
  // a yield* of what is there already takes three turns for each item instead of one
  for await (const chunk of bytes) for (const item of walk.write(chunk)) yield item
  for (const item of walk.end()) yield item
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const isDelimiter = (byte: number): boolean =>
  isSpace(byte) || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === COLON

/** Whether a value may begin with it; whether it is one is seen when it is parsed. */
const isStart = (byte: number): boolean =>
  byte === QUOTE ||
  byte === OPEN_OBJECT ||
  byte === OPEN_ARRAY ||
  byte === 0x2d ||
  (byte >= 0x30 && byte <= 0x39) ||
  byte === 0x74 ||
  byte === 0x66 ||
  byte === 0x6e
