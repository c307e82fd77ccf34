// What is compared of a piece of code: its text without white space, and the lines around the one that is reported.

import { sha256In } from '../../../core/crypto.ts'

/** `hash`: 64 bits, signed, as decimal text. `isLong`: three lines with text or more, so that equal ones are one code. */
export type Snippet = { hash: string; isLong: boolean }

const LONG = 3

/** The snippet as it is compared; null when there is nothing but white space. */
export function readSnippet(text: string | null): Snippet | null {
  const bare = withoutSpace(text ?? '')
  if (bare === '') return null
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '')
  return { hash: hash64(bare), isLong: lines.length >= LONG }
}

/**
 * A fingerprint of the lines around `line` in a snippet that starts at `firstLine` of its file, without that line
 * itself; null when the snippet does not hold it with two more lines of text.
 */
export function linesAround(text: string | null, firstLine: number | null, line: number | null): string | null {
  if (text === null || firstLine === null || line === null) return null
  const lines = text.split('\n')
  const at = line - firstLine
  if (at < 0 || at >= lines.length) return null
  const around = lines.with(at, '').map(withoutSpace)
  if (around.filter((other) => other !== '').length < LONG - 1) return null
  const [before, after] = [around.slice(0, at), around.slice(at + 1)].map((part) => part.join(''))
  return `lines:${sha256In('hex', `${before}\n${after}`).slice(0, 32)}`
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')

/** The first 64 bits of SHA-256 as a signed integer, the range of PostgreSQL's bigint. */
export const hash64 = (text: string): string =>
  BigInt.asIntN(64, BigInt(`0x${sha256In('hex', text).slice(0, 16)}`)).toString()
