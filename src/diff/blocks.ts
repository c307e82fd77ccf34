// Reads a diff in the thread of large files, block by block.

import { openDiffReader } from './reader.ts'
import type { DiffResult, Packed, PatchFile } from './types.ts'

/** What is told of a block: the files that ended in it, and what the one being read takes. `result` comes with the end. */
export type ToldDiff = {
  files: Packed<PatchFile>[]
  heldBytes: number
  result: DiffResult | null
}

export function openReader(): { push(block: Uint8Array): ToldDiff; end(): ToldDiff } {
  const reader = openDiffReader()
  return {
    push(block) {
      reader.push(block)
      return { files: reader.take(), heldBytes: reader.heldBytes(), result: null }
    },
    end() {
      reader.end()
      return { files: reader.take(), heldBytes: 0, result: reader.result() }
    },
  }
}
