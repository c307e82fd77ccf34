// Parses one file's part of a unified diff into numbered lines for display; everything outside its hunks is dropped.

export type DiffLine =
  | { kind: 'head'; text: string }
  | { kind: 'same'; text: string; old: number; new: number }
  | { kind: 'added'; text: string; new: number }
  | { kind: 'removed'; text: string; old: number }

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The lines of all hunks in order. A truncated hunk yields the lines that it has. */
export function diffLines(text: string): DiffLine[] {
  const shown: DiffLine[] = []
  let left = { old: 0, new: 0 }
  let at = { old: 0, new: 0 }
  for (const line of text.split('\n')) {
    if (left.old <= 0 && left.new <= 0) {
      const [head, oldStart, oldCount = '1', newStart, newCount = '1'] = HEAD.exec(line) ?? []
      if (head === undefined) continue
      at = { old: Number(oldStart), new: Number(newStart) }
      left = { old: Number(oldCount), new: Number(newCount) }
      shown.push({ kind: 'head', text: line })
      continue
    }
    const [sign] = line
    const rest = line.slice(1)
    if (sign === '+') shown.push({ kind: 'added', text: rest, new: at.new })
    else if (sign === '-') shown.push({ kind: 'removed', text: rest, old: at.old })
    else if (sign === ' ' || line === '') shown.push({ kind: 'same', text: rest, old: at.old, new: at.new })
    else continue
    if (sign !== '+') {
      at.old++
      left.old--
    }
    if (sign !== '-') {
      at.new++
      left.new--
    }
  }
  return shown
}
