// Walks JSON as its bytes arrive and parses only the values at the requested paths, so that memory is bounded by the largest of them.

import { COLON, COMMA, isSpace, isStart, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts'
import { EMPTY, type JsonItem } from './json-items.ts'
import { type Wanted, wantedOf } from './json-paths.ts'
import { openPlace } from './json-place.ts'
import { openTaker } from './json-value.ts'

/** What the syntax expects next, outside collected values. */
type Expected = 'VALUE' | 'KEY' | 'COLON' | 'COMMA'

type JsonWalk = {
  /** returns the items that the bytes complete, in order */
  write: (chunk: Uint8Array) => JsonItem[]
  end: () => JsonItem[]
}

/**
 * A walk for paths such as `runs[].results[]`, `vulnerabilities.*` or `` (each whole document). `runs[].results[` yields true if the array
 * exists, even if it is empty. Documents may follow each other, with or without separators. If one path is below another, only the upper
 * one is yielded.
 */
function walkJson(paths: readonly string[]): JsonWalk {
  const place = openPlace(wantedOf(paths))
  const taker = openTaker()
  let taking: 'NOTHING' | 'KEY' | Wanted = 'NOTHING'
  let expected: Expected = 'VALUE'
  let items: JsonItem[] = []
  let isOver = false
  let isEmpty = true

  const stop = (reason: string) => {
    isOver = true
    items.push({ kind: 'TRUNCATED', reason })
  }

  const begin = (what: 'KEY' | Wanted, byte: number) => {
    taking = what
    taker.begin(byte, what === 'KEY' || what.path !== null)
  }

  const finish = () => {
    const what = taking
    taking = 'NOTHING'
    if (what === 'KEY') finishKey()
    else if (what !== 'NOTHING') finishValue(what)
  }

  const finishKey = () => {
    const key = taker.taken()
    expected = 'COLON'
    const isKey = 'value' in key && typeof key.value === 'string' && place.moveTo(key.value)
    if (!isKey) stop('A key of an object is not valid JSON')
  }

  const finishValue = ({ path }: Wanted) => {
    expected = 'COMMA'
    if (path === null) return
    const [keys, taken] = [place.keys(), taker.taken()]
    if ('fault' in taken) items.push({ kind: 'FAULT', path, keys, reason: taken.fault })
    else items.push({ kind: 'VALUE', path, keys, value: taken.value })
  }

  /** Continues inside the value being collected; returns the position after it, or the chunk's end if it continues. */
  const take = (chunk: Uint8Array, start: number): number => {
    const at = taker.take(chunk, start)
    if (taker.isWhole()) finish()
    return at
  }

  const enter = (kind: 'ARRAY' | 'OBJECT', wanted: Wanted) => {
    if (kind === 'ARRAY' && wanted.opened !== null)
      items.push({ kind: 'VALUE', path: wanted.opened, keys: place.keys(), value: true })
    place.enter(kind, wanted)
    expected = kind === 'ARRAY' ? 'VALUE' : 'KEY'
  }

  /** Handles the first byte of a value; returns the position to continue from: the same byte if the value is collected, else the next. */
  const open = (byte: number, at: number): number => {
    const wanted = place.wanted()
    const isArray = byte === OPEN_ARRAY
    const leads = isArray ? wanted.each !== null : wanted.keys.size > 0 || wanted.any !== null
    if (wanted.path !== null || !leads || !(isArray || byte === OPEN_OBJECT)) {
      begin(wanted, byte)
      return at
    }
    enter(isArray ? 'ARRAY' : 'OBJECT', wanted)
    return at + 1
  }

  /** Handles one byte between values; returns the position to continue from. */
  const step = (chunk: Uint8Array, at: number): number => {
    const byte = chunk[at] ?? 0
    if (isSpace(byte)) return at + 1
    isEmpty = false
    const frame = place.frame()
    if (expected !== 'COLON' && place.leaves(byte)) {
      expected = 'COMMA'
      return at + 1
    }
    if (!frame && expected === 'COMMA') expected = 'VALUE'
    if (expected === 'VALUE' && isStart(byte)) return open(byte, at)
    if (expected === 'KEY' && byte === QUOTE) {
      begin('KEY', byte)
      return at
    }
    if (expected === 'COMMA' && byte === COMMA) {
      place.next()
      expected = frame?.isArray ? 'VALUE' : 'KEY'
    } else if (expected === 'COLON' && byte === COLON) expected = 'VALUE'
    else stop(`It is not valid JSON from ${JSON.stringify(String.fromCharCode(byte))} on`)
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
      if (taking !== 'NOTHING' && taker.mayEnd()) finish()
      const isComplete = place.frame() === undefined && taking === 'NOTHING'
      if (!isOver && isEmpty) stop(EMPTY)
      else if (!isOver && !isComplete) stop('It ends before it is complete')
      return given()
    },
  }
}

/** The items in a stream of bytes. */
export async function* readJson(bytes: AsyncIterable<Uint8Array>, paths: readonly string[]): AsyncGenerator<JsonItem> {
  const walk = walkJson(paths)
  // yield* over available items takes three ticks per item instead of one
  for await (const chunk of bytes) for (const item of walk.write(chunk)) yield item
  for (const item of walk.end()) yield item
}
