// Keeps the change regions of the file being read as plain numbers, off the heap of objects.
import type { Hunk } from './types.ts'

/** Four numbers a region: its first old line, old lines, first new line, new lines; firsts are those of the next line. */
export type Regions = { numbers: Int32Array; count: number }

const none = new Int32Array(0)

export function emptyRegions(): Regions {
  return { numbers: none, count: 0 }
}

export function addRegion(regions: Regions, oldFirst: number, oldLines: number, newFirst: number, newLines: number) {
  const at = regions.count * 4
  if (at === regions.numbers.length) {
    const larger = new Int32Array(Math.max(32, at * 2))
    larger.set(regions.numbers)
    regions.numbers = larger
  }
  regions.numbers[at] = oldFirst
  regions.numbers[at + 1] = oldLines
  regions.numbers[at + 2] = newFirst
  regions.numbers[at + 3] = newLines
  regions.count++
}

/** The regions as they are told to others. */
export function toHunks({ numbers, count }: Regions): Hunk[] {
  const hunks: Hunk[] = []
  for (let at = 0; at < count * 4; at += 4) {
    hunks.push(hunkOf(numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0))
  }
  return hunks
}

/** A hunk by the first line of each side; a side without lines is told by the line before. */
export function hunkOf(oldFirst: number, oldLines: number, newFirst: number, newLines: number): Hunk {
  return {
    oldStart: oldLines === 0 ? oldFirst - 1 : oldFirst,
    oldLines,
    newStart: newLines === 0 ? newFirst - 1 : newFirst,
    newLines,
  }
}
