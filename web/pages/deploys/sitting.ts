// Places the findings of a file on the lines of its diff: on the new side, the old side, or both.

import type { DiffLine } from './diff-lines.ts'
import type { PlacedFinding } from './documents.ts'

/** `isGhost` marks the former place of a finding that has moved. */
type Sitting = { finding: PlacedFinding; isGhost: boolean }

export type Seated = {
  /** Keyed by the index of the line in the diff. */
  byLine: ReadonlyMap<number, readonly Sitting[]>
  /** Findings on lines that the diff does not show. */
  outside: readonly PlacedFinding[]
}

export function seat(lines: readonly DiffLine[], findings: readonly PlacedFinding[]): Seated {
  const [olds, news] = [new Map<number, number>(), new Map<number, number>()]
  for (const [index, line] of lines.entries()) {
    if ('old' in line) olds.set(line.old, index)
    if ('new' in line) news.set(line.new, index)
  }
  const byLine = new Map<number, Sitting[]>()
  const outside: PlacedFinding[] = []
  const sit = (index: number, sitting: Sitting) => byLine.set(index, [...(byLine.get(index) ?? []), sitting])
  for (const finding of findings) {
    const now = finding.newLine === null ? undefined : news.get(finding.newLine)
    const before = finding.oldLine === null ? undefined : olds.get(finding.oldLine)
    if (now !== undefined) sit(now, { finding, isGhost: false })
    const isElsewhere = finding.oldLine !== finding.newLine && before !== now
    if (before !== undefined && isElsewhere) sit(before, { finding, isGhost: finding.kind !== 'REMOVED' })
    if (now === undefined && before === undefined) outside.push(finding)
  }
  return { byLine, outside }
}
