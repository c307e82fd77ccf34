// Finds the secrets in one file's part of a diff: one pass for keywords, then detectors on the lines that have one.

import { lineAt, markOf, numberOf, type PatchLines, readPatch, textOf } from '../patch.ts'
import { calledBy, detectors, findKeywords } from './detectors.ts'
import type { Detector, Place } from './types.ts'

/** A secret in an added or removed line; `text` is that line, or the part of a long one, and start and end count in it. */
export type FoundSecret = {
  detector: Detector
  isRemoved: boolean
  number: number
  column: number
  text: string
  secret: string
}

/** Characters of a line that are looked at as a whole; of a longer one, what is around each keyword. */
const LONG = 4096
const BEFORE = 512
const AFTER = 3072
/** Secrets of one file that are told. */
const MOST = 1000
/** What allows a secret to stand, in a comment on its line or on the line before. */
const ALLOWED = 'merlon:allow'

/** Secrets in the order of the file; where two detectors see the same, the more telling one. */
export function scanSecrets(path: string, bytes: Buffer): FoundSecret[] {
  const { ends, keywords } = findKeywords(bytes)
  if (ends.length === 0) return []
  const lines = readPatch(bytes)
  const found: FoundSecret[] = []
  for (let at = 0; at < ends.length && found.length < MOST; ) {
    const line = lineAt(lines, (ends[at] ?? 0) - 1)
    const from = at
    if (line < 0) {
      at++
      continue
    }
    while (at < ends.length && lineAt(lines, (ends[at] ?? 0) - 1) === line) at++
    if (markOf(lines, line) === ' ') continue
    found.push(...inLine(path, bytes, lines, line, ends.slice(from, at), keywords.slice(from, at)))
  }
  return found
}

function inLine(
  path: string,
  bytes: Buffer,
  lines: PatchLines,
  line: number,
  ends: readonly number[],
  keywords: readonly number[],
): FoundSecret[] {
  const text = textOf(bytes, lines, line)
  const called = new Set(keywords.flatMap((keyword) => calledBy[keyword] ?? []))
  const below = (most: number) => linesBelow(bytes, lines, line, most)
  const seen: (FoundSecret & { start: number; end: number })[] = []
  const windows = text.length <= LONG ? [{ text, offset: 0 }] : windowsOf(text, ends.length)
  for (const window of windows) {
    for (const index of called) {
      const detector = detectors[index]
      if (!detector) continue
      for (const { start, end } of detector.find(window.text, { path, below } satisfies Place)) {
        seen.push({
          detector,
          isRemoved: markOf(lines, line) === '-',
          number: numberOf(lines, line),
          column: window.offset + start + 1,
          text: window.text,
          secret: window.text.slice(start, end),
          start: window.offset + start,
          end: window.offset + end,
        })
      }
    }
  }
  if (seen.length === 0 || isAllowed(bytes, lines, line, text)) return []
  return withoutOverlaps(seen)
}

function windowsOf(text: string, hits: number): { text: string; offset: number }[] {
  const windows: { text: string; offset: number }[] = []
  const most = Math.min(Math.ceil(text.length / AFTER), 4 + hits)
  for (let number = 0; number < most; number++) {
    const offset = Math.max(0, number * AFTER - BEFORE)
    windows.push({ text: text.slice(offset, number * AFTER + LONG), offset })
  }
  return windows
}

function withoutOverlaps(seen: (FoundSecret & { start: number; end: number })[]): FoundSecret[] {
  const byWorth = seen.toSorted(
    (one, other) =>
      one.detector.rank - other.detector.rank ||
      other.end - other.start - (one.end - one.start) ||
      detectors.indexOf(one.detector) - detectors.indexOf(other.detector),
  )
  const kept: typeof seen = []
  for (const one of byWorth) {
    if (kept.every(({ start, end }) => one.end <= start || one.start >= end)) kept.push(one)
  }
  return kept.sort((one, other) => one.start - other.start)
}

function isAllowed(bytes: Buffer, lines: PatchLines, line: number, text: string): boolean {
  if (text.includes(ALLOWED)) return true
  const before = line > 0 ? textOf(bytes, lines, line - 1).trim() : ''
  return before.includes(ALLOWED) && /^(?:\/\/|#|--|\/\*|<!--|;|%|\*)/.test(before)
}

function linesBelow(bytes: Buffer, lines: PatchLines, line: number, most: number): string[] {
  const mark = markOf(lines, line)
  const texts: string[] = []
  for (let next = line + 1; next < lines.count && texts.length < most; next++) {
    const other = markOf(lines, next)
    if (other === mark || other === ' ') texts.push(textOf(bytes, lines, next))
  }
  return texts
}
