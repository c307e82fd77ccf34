// The items that a walk over JSON yields: values with their places, and faults.

import { jsonOf } from '../core/json.ts'

/** The place of a value: object keys and array indexes from the root of its document. */
export type Keys = readonly (string | number)[]

/**
 * VALUE: a value at one of the paths. FAULT: a value that cannot be read; later ones still can. TRUNCATED: the input ended inside a document,
 * or stopped being JSON; nothing follows.
 */
export type JsonItem =
  | { kind: 'VALUE'; path: string; keys: Keys; value: unknown }
  | { kind: 'FAULT'; path: string; keys: Keys; reason: string }
  | { kind: 'TRUNCATED'; reason: string }

/** The reason of a TRUNCATED without any document; for a format of lines, that is an empty report. */
export const EMPTY = 'It is empty'

/** Formats a place for people: `runs[0].results[17]`. */
export const placeOf = (keys: Keys): string =>
  keys.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('') || 'the document'

/** Parses the bytes; undefined if they are not JSON. */
export function parsed([part, ...others]: readonly Uint8Array[]): unknown {
  if (part === undefined) return undefined
  const whole =
    others.length === 0 ? Buffer.from(part.buffer, part.byteOffset, part.length) : Buffer.concat([part, ...others])
  return jsonOf(whole.toString())
}
