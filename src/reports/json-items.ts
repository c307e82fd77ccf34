// What a walk over JSON gives: values with their places, and what could not be read.

import { jsonOf } from '../core/json.ts'

/** Where a value stands: keys of objects and indices of arrays, from the root of its document. */
export type Keys = readonly (string | number)[]

/**
 * VALUE: a value at one of the paths. FAULT: one that is there but cannot be read; what follows it still can.
 * TRUNCATED: the input ended inside a document, or was none any more; nothing follows.
 */
export type JsonItem =
  | { kind: 'VALUE'; path: string; keys: Keys; value: unknown }
  | { kind: 'FAULT'; path: string; keys: Keys; reason: string }
  | { kind: 'TRUNCATED'; reason: string }

/** The reason of a TRUNCATED that held no document at all: for a format of lines, a report of nothing. */
export const EMPTY = 'It is empty'

/** `runs[0].results[17]`, as a person would look it up. */
export const placeOf = (keys: Keys): string =>
  keys.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('') || 'the document'

/** The value that these bytes are together; undefined where they are no JSON. */
export function parsed([part, ...others]: readonly Uint8Array[]): unknown {
  if (part === undefined) return undefined
  const whole =
    others.length === 0 ? Buffer.from(part.buffer, part.byteOffset, part.length) : Buffer.concat([part, ...others])
  return jsonOf(whole.toString())
}
