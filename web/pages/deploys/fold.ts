// Decides which lines of a file's diff are shown at first: those near changes and findings; long stretches of others are folded.

import type { DiffLine } from './diff-lines.ts'

/** Lines `from` to `to` of the diff; `to` is exclusive. */
export type Stretch = { from: number; to: number; isFolded: boolean }

/** The lines of context around a change and around a finding, and the shortest stretch that is worth folding. */
const AROUND_CHANGE = 3
const AROUND_FINDING = 8
const LEAST_FOLDED = 6

/** The number of lines from which a file is big; if it has findings, only the lines around those are shown at first. */
export const BIG = 400

/** `marked` holds the indexes of lines with findings. */
export function stretchesOf(lines: readonly DiffLine[], marked: ReadonlySet<number>): Stretch[] {
  const isKept = new Array<boolean>(lines.length).fill(false)
  const keep = (index: number, around: number) => isKept.fill(true, Math.max(0, index - around), index + around + 1)
  const isByFindings = lines.length >= BIG && marked.size > 0
  for (const [index, { kind }] of lines.entries()) {
    if (marked.has(index)) keep(index, AROUND_FINDING)
    else if (kind === 'head') keep(index, 0)
    else if (kind !== 'same' && !isByFindings) keep(index, AROUND_CHANGE)
  }
  return parted(isKept)
}

function parted(isKept: readonly boolean[]): Stretch[] {
  const stretches: Stretch[] = []
  for (let from = 0, to = 0; from < isKept.length; from = to) {
    to = from + 1
    while (to < isKept.length && isKept[to] === isKept[from]) to++
    const isFolded = isKept[from] === false && to - from >= LEAST_FOLDED
    const last = stretches.at(-1)
    if (last && !last.isFolded && !isFolded) last.to = to
    else stretches.push({ from, to, isFolded })
  }
  return stretches
}
