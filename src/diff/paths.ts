// Reads file names in diff headers: quoting, encodings, prefixes, time stamps.

import { isUtf8 } from 'node:buffer'

// Header text is a "byte string", one character per byte, until a path is decoded: no encoding is assumed before.

const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
}

// Prefixes that git writes: a/ b/, those of diff.mnemonicPrefix, and 1/ 2/ of --no-index; -R swaps them.
const knownPrefixes = new Set(['a', 'b', 'c', 'i', 'o', 'w', '1', '2'])

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ascii = /^[\x00-\x7f]*$/

/** Decodes a path: UTF-8 if valid, else Latin-1. Null if it is empty or contains a NUL. */
export function decodePath(byteString: string): string | null {
  const squashed = byteString.includes('//') ? byteString.replace(/\/{2,}/g, '/') : byteString
  if (squashed === '' || squashed.includes('\0')) return null
  if (ascii.test(squashed)) return squashed
  const bytes = Buffer.from(squashed, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : squashed
}

/** Reads a C-quoted name that opens at `from`; returns its bytes and the index after the closing quote, or null. */
function unquote(text: string, from: number): { name: string; end: number } | null {
  let name = ''
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return { name, end: at + 1 }
    if (char !== '\\') {
      name += char
      continue
    }
    at++
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at, at + 3))
    if (octal) {
      name += String.fromCharCode(Number.parseInt(octal[0], 8))
      at += 2
      continue
    }
    const plain = escapes[text.charAt(at)]
    if (plain === undefined) return null
    name += plain
  }
  return null
}

/** A name that is the whole text, quoted or not; null if its quotes are broken. */
export function wholeName(text: string): string | null {
  if (!text.startsWith('"')) return text === '' ? null : text
  const quoted = unquote(text, 0)
  return quoted !== null && quoted.end === text.length ? quoted.name : null
}

/** The name on a `--- ` or `+++ ` line, without its time stamp or svn revision; null if it cannot be read. */
export function fileLineName(text: string): string | null {
  if (text.startsWith('"')) return unquote(text, 0)?.name ?? null
  const tab = text.indexOf('\t')
  if (tab >= 0) return text.slice(0, tab) || null
  if (!text.includes(' ')) return text || null
  const name = text.replace(/(?<! ) +\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d+)?)?( ?[-+]\d\d:?\d\d)?$/, '')
  return name || null
}

/** Whether the line's time stamp is the epoch, which GNU diff -N writes for the side where the file is missing. */
export function isEpoch(text: string): boolean {
  const stamp = /[\t ](1969-12-31|1970-01-01) (\d\d):(\d\d):00(?:\.0+)? ([-+])(\d\d):?(\d\d)$/.exec(text)
  if (!stamp) return false
  const minutes = Number(stamp[2]) * 60 + Number(stamp[3]) - (stamp[1] === '1969-12-31' ? 24 * 60 : 0)
  const zone = (Number(stamp[5]) * 60 + Number(stamp[6])) * (stamp[4] === '-' ? -1 : 1)
  return minutes === zone
}

/** The name without its first component, as with `-p1`; null if there is only one. */
export function stripOne(name: string): string | null {
  const slash = name.indexOf('/')
  return slash < 0 || slash === name.length - 1 ? null : name.slice(slash + 1)
}

/**
 * Whether two names of one file carry prefixes: their first components differ, as a/ and b/ do. Equal first components
 * are directories of the project, as `--no-prefix`, svn and others write them.
 */
export function arePrefixed(oldName: string, newName: string): boolean {
  return (
    oldName.slice(0, oldName.indexOf('/') + 1) !== newName.slice(0, newName.indexOf('/') + 1) &&
    stripOne(oldName) !== null &&
    stripOne(newName) !== null
  )
}

/** Whether a name whose other side is /dev/null starts with a prefix that git writes. */
export function hasKnownPrefix(name: string): boolean {
  return knownPrefixes.has(name.slice(0, Math.max(0, name.indexOf('/')))) && stripOne(name) !== null
}

/** The contents of a `diff --git` line: the path that both sides share (null if they differ), and whether it had prefixes. */
export type SharedName = { name: string | null; prefixed: boolean | null }

/** Reads what follows `diff --git `. Unquoted names may contain spaces, so the line is split where both sides agree. */
export function sharedName(text: string): SharedName {
  if (text.startsWith('"')) {
    const first = unquote(text, 0)
    const second = first && text.charAt(first.end) === ' ' ? wholeName(text.slice(first.end + 1)) : null
    return first && second !== null ? agree(first.name, second) : { name: null, prefixed: null }
  }
  const unknown: SharedName = { name: null, prefixed: null }
  if (text.endsWith('"')) {
    const cut = text.indexOf(' "')
    const second = cut < 0 ? null : wholeName(text.slice(cut + 1))
    return second === null ? unknown : agree(text.slice(0, cut), second)
  }
  const middle = (text.length - 1) / 2
  if (text.charAt(middle) === ' ') {
    const found = agree(text.slice(0, middle), text.slice(middle + 1))
    if (found.name !== null) return found
  }
  for (let cut = text.indexOf(' '); cut >= 0; cut = text.indexOf(' ', cut + 1)) {
    // The sides differ in length by at most a prefix, and prefixes are short: names of very different lengths cannot agree.
    if (Math.abs(text.length - 1 - 2 * cut) > 256) continue
    const found = agree(text.slice(0, cut), text.slice(cut + 1))
    if (found.name !== null) return found
  }
  return unknown
}

function agree(left: string, right: string): SharedName {
  if (left !== '' && left === right) return { name: left, prefixed: false }
  const name = stripOne(left)
  return name !== null && name === stripOne(right) ? { name, prefixed: true } : { name: null, prefixed: null }
}
