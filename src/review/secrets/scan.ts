// Finds the secrets in one file's part of a diff: one pass for keywords, then detectors on the lines that have one.

import { lineAt, markOf, numberOf, type PatchLines, readPatch, textOf } from '../patch.ts'
import { joined } from './continued.ts'
import { calledBy, detectors, findKeywords } from './detectors.ts'
import type { Detector, Place, Seen } from './types.ts'

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
/** The most secrets of one file that are reported. */
const MOST = 1000
/** Allows a secret, in a comment on its line or on the line before. */
const ALLOWED = 'merlon:allow'

/** The secrets in the order of the file; if two detectors find the same, that of the more specific one. */
export function scanSecrets(path: string, bytes: Buffer): FoundSecret[] {
  const { ends, keywords } = findKeywords(bytes)
  if (ends.length === 0) return []
  const patch: Patch = { path, bytes, lines: readPatch(bytes) }
  const found: FoundSecret[] = []
  const across: FoundSecret[] = []
  for (let at = 0; at < ends.length && found.length + across.length < MOST; ) {
    const line = lineAt(patch.lines, (ends[at] ?? 0) - 1)
    const from = at
    if (line < 0) {
      at++
      continue
    }
    while (at < ends.length && lineAt(patch.lines, (ends[at] ?? 0) - 1) === line) at++
    const called = new Set(keywords.slice(from, at).flatMap((keyword) => calledBy[keyword] ?? []))
    const text = textOf(patch.bytes, patch.lines, line)
    const named = [...called].filter((index) => (detectors[index]?.rank ?? 0) >= 2)
    if (named.length > 0) across.push(...acrossLines(patch, line, text, named))
    if (markOf(patch.lines, line) === ' ') continue
    const { own, further } = inLine(patch, line, text, called, at - from)
    found.push(...own)
    across.push(...further)
  }
  return across.length === 0 ? found : withAcross(found, across)
}

type Patch = { path: string; bytes: Buffer; lines: PatchLines }

/** Those of one line first: they say more of what it holds than a name above it. */
function withAcross(found: readonly FoundSecret[], across: readonly FoundSecret[]): FoundSecret[] {
  const all = [...found]
  for (const one of across) {
    const isKnown = all.some(
      (other) =>
        other.number === one.number &&
        other.isRemoved === one.isRemoved &&
        (other.secret.includes(one.secret) || one.secret.includes(other.secret)),
    )
    if (!isKnown) all.push(one)
  }
  return all.sort((one, other) => one.number - other.number)
}

/** A secret with its place in the whole line. */
type Placed = FoundSecret & Seen

const placed = (
  { lines }: Patch,
  line: number,
  detector: Detector,
  text: string,
  seen: Seen,
  offset: number,
): Placed => ({
  detector,
  isRemoved: markOf(lines, line) === '-',
  number: numberOf(lines, line),
  column: offset + seen.start + 1,
  text,
  secret: text.slice(seen.start, seen.end),
  start: offset + seen.start,
  end: offset + seen.end,
})

/** `further` are in lines below. */
type InLine = { own: FoundSecret[]; further: FoundSecret[] }

function inLine(patch: Patch, line: number, text: string, called: ReadonlySet<number>, hits: number): InLine {
  const { path, bytes, lines } = patch
  const below = (most: number) => linesBelow(patch, line, most).map((each) => textOf(bytes, lines, each))
  const found: Placed[] = []
  const further: Placed[] = []
  const windows = text.length <= LONG ? [{ text, offset: 0 }] : windowsOf(text, hits)
  for (const window of windows) {
    for (const index of called) {
      const detector = detectors[index]
      if (!detector) continue
      for (const seen of detector.find(window.text, { path, below } satisfies Place)) {
        if (seen.below === undefined) found.push(placed(patch, line, detector, window.text, seen, window.offset))
        else further.push(...placedBelow(patch, line, detector, seen))
      }
    }
  }
  if (found.length + further.length === 0 || isAllowed(patch, line, text)) return { own: [], further: [] }
  return { own: withoutOverlaps(found), further }
}

/** What a detector saw in a line below the one it was given, where that line is part of the change. */
function placedBelow(patch: Patch, line: number, detector: Detector, seen: Seen): Placed[] {
  const { bytes, lines } = patch
  const target = linesBelow(patch, line, seen.below ?? 0).at(-1)
  if (target === undefined || markOf(lines, target) === ' ') return []
  const text = textOf(bytes, lines, target)
  return isAllowed(patch, target, text) ? [] : [placed(patch, target, detector, text, seen, 0)]
}

/** What stands on a line below the name to which it belongs. */
function acrossLines(patch: Patch, line: number, name: string, named: readonly number[]): FoundSecret[] {
  const { path, bytes, lines } = patch
  let near: number[] = []
  const join = joined(name, (most) => {
    near = linesBelow(patch, line, most)
    return near.map((each) => textOf(bytes, lines, each))
  })
  const valueLine = join === null ? undefined : near[join.below - 1]
  if (join === null || valueLine === undefined || markOf(lines, valueLine) === ' ') return []
  const text = textOf(bytes, lines, valueLine)
  const found: Placed[] = []
  for (const index of named) {
    const detector = detectors[index]
    if (!detector) continue
    for (const { start, end } of detector.find(join.text, { path, below: () => [] })) {
      const seen = { start: start - join.shift, end: end - join.shift }
      if (seen.start >= 0) found.push(placed(patch, valueLine, detector, text, seen, 0))
    }
  }
  if (found.length === 0 || isAllowed(patch, valueLine, text) || isAllowed(patch, line, name)) return []
  return withoutOverlaps(found)
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

function withoutOverlaps(seen: readonly Placed[]): FoundSecret[] {
  const byWorth = seen.toSorted(
    (one, other) =>
      one.detector.rank - other.detector.rank ||
      other.end - other.start - (one.end - one.start) ||
      detectors.indexOf(one.detector) - detectors.indexOf(other.detector),
  )
  const kept: Placed[] = []
  for (const one of byWorth) {
    if (kept.every(({ start, end }) => one.end <= start || one.start >= end)) kept.push(one)
  }
  return kept.sort((one, other) => one.start - other.start)
}

function isAllowed({ bytes, lines }: Patch, line: number, text: string): boolean {
  if (text.includes(ALLOWED)) return true
  const above = lineAbove(lines, line)
  const before = above === null ? '' : textOf(bytes, lines, above).trim()
  return before.includes(ALLOWED) && /^(?:\/\/|#|--|\/\*|<!--|;|%|\*)/.test(before)
}

/** The line before, on the line's side and in its hunk. */
function lineAbove(lines: PatchLines, line: number): number | null {
  const other = markOf(lines, line) === '-' ? '+' : '-'
  const first = lines.hunks.findLast(({ firstLine }) => firstLine <= line)?.firstLine ?? 0
  for (let at = line - 1; at >= first; at--) if (markOf(lines, at) !== other) return at
  return null
}

/** The next lines on the line's side; a line that stays stands on the side of what is added. */
function linesBelow({ lines }: Patch, line: number, most: number): number[] {
  const mark = markOf(lines, line)
  const found: number[] = []
  for (let next = line + 1; next < lines.count && found.length < most; next++) {
    const other = markOf(lines, next)
    if (other === mark || other === ' ' || (mark === ' ' && other === '+')) found.push(next)
  }
  return found
}
