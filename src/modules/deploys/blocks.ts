// Analyses a diff in the thread of large files, block by block.

import type { BlockReader } from '../../core/durable/threaded.ts'
import { openAnalysis } from './analysis.ts'
import type { Held } from './holding.ts'

/** What is told after each block: what the analysis takes so far, and at the end what is held of the diff. */
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
