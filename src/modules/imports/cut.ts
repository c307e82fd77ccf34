// Bounds the texts of a report: long texts are truncated, and long keys are replaced by their hash.

import { sha256In } from '../../core/crypto.ts'
import { LONGEST_TEXT } from '../../core/text.ts'

/** Lengths in characters, and the number of patterns kept. */
export const LONGEST_RULE = 2000
export const LONGEST_TITLE = 2000
export const LONGEST_WORD = 500
export const MOST_PATTERNS = 100
/** Characters of a value that is compared or looked up. A longer one is replaced by its hash, so that different values stay different. */
const LONGEST_KEY = 500

/** Text as the database can store it, with an ellipsis where it was cut. */
export function cut(text: string | null | undefined, longest = LONGEST_TEXT): string | null {
  if (text === null || text === undefined) return null
  const plain = (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1).toWellFormed()}…`
}

export function keyOf(text: string | undefined, longest = LONGEST_KEY): string | null {
  const plain = text?.replaceAll('\0', '').trim()
  if (!plain) return null
  const isShort = plain.length <= longest && Buffer.byteLength(plain) <= 3 * LONGEST_KEY
  return isShort ? plain : `sha256:${sha256In('hex', plain)}`
}

/** Keeps the end of a long path, which says more than its beginning. */
export function pathOf(path: string | undefined): string | null {
  const plain = path?.replaceAll('\0', '')
  if (!plain) return null
  const end = plain.slice(-LONGEST_KEY).toWellFormed()
  return Buffer.byteLength(end) <= 3 * LONGEST_KEY ? end : keyOf(plain)
}
