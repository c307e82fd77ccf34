// What is compared of a code snippet: its text without white space, in any style of quotes, and the lines around the reported one.

import { sha256In } from '../../../core/crypto.ts'

/** `hash`: 64 bits, signed, as decimal text. `isLong`: at least three non-blank lines, so that equal snippets are the same code. */
export type Snippet = { hash: string; isLong: boolean }

const LONG = 3

/** The snippet in comparable form; null if it has only white space. */
export function readSnippet(text: string | null): Snippet | null {
  const bare = withoutSpace(text ?? '')
  if (bare === '') return null
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '')
  return { hash: hash64(bare), isLong: lines.length >= LONG }
}

/**
 * The code as it is compared where a formatter may have changed it: without white space, with quotes of one kind, not escaped, and without
 * commas and semicolons before a closing bracket or the end. Null if nothing is left.
 */
export function inOneStyle(code: string | null | undefined): string | null {
  const bare = withoutSpace(code ?? '').replace(/\\?["'`]/g, "'")
  return bare.replace(/[,;]+(.?)/g, (all, next: string) => (next === '' || ')]}'.includes(next) ? next : all)) || null
}

/**
 * A fingerprint of the lines around `line`, without the line itself, in a snippet that starts at `firstLine` of its file. Null unless the
 * snippet contains the line and at least two more non-blank ones.
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
