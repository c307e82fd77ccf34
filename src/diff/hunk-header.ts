// Reads the header of a unified hunk from its bytes.

/** The numbers of `@@ -a,b +c,d @@`. An omitted count is 1; if a count is 0, the start is the line before. */
export type HunkHeader = { oldStart: number; oldLines: number; newStart: number; newLines: number }

/** Reads a hunk header at the start of the line, as byte values; null if there is none or a number has ten digits. */
export function hunkHeader(line: Uint8Array): HunkHeader | null {
  const cursor = { at: 0 }
  if (!skip(line, cursor, '@@ -')) return null
  const old = range(line, cursor)
  if (old === null || !skip(line, cursor, ' +')) return null
  const next = range(line, cursor)
  if (next === null || !skip(line, cursor, ' @@')) return null
  return { oldStart: old.start, oldLines: old.lines, newStart: next.start, newLines: next.lines }
}

type Cursor = { at: number }

function range(line: Uint8Array, cursor: Cursor): { start: number; lines: number } | null {
  const start = number(line, cursor)
  if (start === null) return null
  if (line[cursor.at] !== 44) return { start, lines: 1 }
  cursor.at++
  const lines = number(line, cursor)
  return lines === null ? null : { start, lines }
}

function number(line: Uint8Array, cursor: Cursor): number | null {
  const from = cursor.at
  let value = 0
  for (;;) {
    const digit = (line[cursor.at] ?? 0) - 48
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
    cursor.at++
  }
  const digits = cursor.at - from
  return digits > 0 && digits < 10 ? value : null
}

function skip(line: Uint8Array, cursor: Cursor, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (line[cursor.at + i] !== text.charCodeAt(i)) return false
  cursor.at += text.length
  return true
}
