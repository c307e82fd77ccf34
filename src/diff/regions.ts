// Stores the change regions of the file being read as plain numbers in a typed array, off the object heap.

import { openPacker, packedBytes, packRegion } from './packed.ts'
import type { Hunk } from './types.ts'

/** Four numbers per region: first old line, old lines, first new line, new lines; with a count of 0, the first is the next line. */
export type Regions = { numbers: Int32Array; count: number }

export function emptyRegions(): Regions {
  return { numbers: new Int32Array(256), count: 0 }
}

export function addRegion(regions: Regions, oldFirst: number, oldLines: number, newFirst: number, newLines: number) {
  const at = regions.count * 4
  if (at === regions.numbers.length) {
    const larger = new Int32Array(at * 2)
    larger.set(regions.numbers)
    regions.numbers = larger
  }
  regions.numbers[at] = oldFirst
  regions.numbers[at + 1] = oldLines
  regions.numbers[at + 2] = newFirst
  regions.numbers[at + 3] = newLines
  regions.count++
}

/** The regions as bytes, see packed.ts. */
export function packRegions({ numbers, count }: Regions): Buffer {
  const packer = openPacker(count * 3)
  for (let at = 0; at < count * 4; at += 4) {
    packRegion(packer, numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 3] ?? 0)
  }
  return packedBytes(packer)
}

/** A hunk by the first line of each side; for a side without lines, by the line before. */
export function hunkOf(oldFirst: number, oldLines: number, newFirst: number, newLines: number): Hunk {
  return {
    oldStart: oldLines === 0 ? oldFirst - 1 : oldFirst,
    oldLines,
    newStart: newLines === 0 ? newFirst - 1 : newFirst,
    newLines,
  }
}
