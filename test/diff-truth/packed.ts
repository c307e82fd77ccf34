// Regions as the bytes that the reader makes of them, for tests that start from regions.

import { openPacker, packedBytes, packRegion } from '../../src/diff/packed.ts'
import type { Hunk } from '../../src/diff/types.ts'

export function packHunks(hunks: readonly Hunk[]): Buffer {
  const packer = openPacker(hunks.length * 3)
  for (const { oldStart, oldLines, newLines } of hunks) {
    packRegion(packer, oldLines === 0 ? oldStart + 1 : oldStart, oldLines, newLines)
  }
  return packedBytes(packer)
}
