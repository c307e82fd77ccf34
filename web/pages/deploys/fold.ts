// Which lines of a file's diff are shown at first: those around changes and findings; long stretches of others are folded.

import type { DiffLine } from './diff-lines.ts'

/** Lines `from` to `to` of the diff, the last one not included. */
export type Stretch = { from: number; to: number; isFolded: boolean }

/** Lines kept around a change and around a finding; a stretch that is shorter than that is not worth folding. */
const AROUND_CHANGE = 3
const AROUND_FINDING = 8
const LEAST_FOLDED = 6

/** From so many lines on a file is big: of one with findings only the lines around them are shown. */
export const BIG = 400

/** `marked` are the places of lines that findings sit on. */
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
