// Analyses a diff in the thread for large files, block by block.

import type { BlockReader } from '../../core/durable/threaded.ts'
import { openAnalysis } from './analysis.ts'
import type { Held } from './holding.ts'

/** The message after each block: the memory in use so far and, at the end, the result. */
export type ToldDiff = { heldBytes: number; held: Held | null }

type Reader = BlockReader & { push(block: Uint8Array): ToldDiff; end(): ToldDiff }

export function openReader(): Reader {
  const analysis = openAnalysis()
  let held: Held | null = null
  return {
    push(block) {
      analysis.push(block)
      return { heldBytes: analysis.heldBytes(), held: null }
    },
    end() {
      held = analysis.end()
      return { heldBytes: 0, held }
    },
    memory: () => held?.batches.map(({ buffer }) => buffer) ?? [],
  }
}
