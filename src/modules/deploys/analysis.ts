// Reads a diff of any size into what is stored of it: its files with packed line maps, totals and languages.

import { noteGarbage } from '../../core/durable/garbage.ts'
import { openDiffReader } from '../../diff/reader.ts'
import type { DiffState } from '../../diff/types.ts'
import { type AnalysedFile, type AnalysedFiles, analysed } from './analysed.ts'
import { composed } from './composed.ts'
import { filesOf, type Held, openHolding } from './holding.ts'
import type { LanguageTotals } from './languages.ts'

export type { AnalysedFile, AnalysedFiles } from './analysed.ts'

export type Analysis = {
  state: DiffState
  reason: string | null
  added: number
  removed: number
  languages: LanguageTotals[]
  files: AnalysedFiles
}

/** Bytes of memory for the files of a diff; beyond them reading stops as TRUNCATED. */
const MOST_HELD_BYTES = 64 * 1024 * 1024
/** After every so many bytes of the diff, its files are packed; until then they are objects, and a diff of small files has many. */
const STEP = 64 * 1024
/** Roughly how many bytes of short-lived objects each byte of a diff of very small files costs. */
const GARBAGE = 4

/**
 * A diff being read: push its bytes in chunks of any size, call `end`, and pass the result to analysisOf. `heldBytes` estimates the memory
 * in use.
 */
export type DiffAnalysis = { push(chunk: Uint8Array): void; end(): Held; heldBytes(): number }

export function openAnalysis(mostHeld = MOST_HELD_BYTES): DiffAnalysis {
  const reader = openDiffReader()
  const holding = openHolding(mostHeld)
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && !holding.isCut() && !reader.stopped(); at += STEP) {
        reader.push(chunk.subarray(at, at + STEP))
        holding.hold(reader.take())
      }
    },
    end() {
      reader.end()
      holding.hold(reader.take())
      return holding.end(reader.result())
    },
    heldBytes: () => holding.heldBytes() + reader.heldBytes(),
  }
}

/** Reads a diff to its end. */
export async function analyseDiff(bytes: AsyncIterable<Uint8Array>): Promise<Analysis> {
  const analysis = openAnalysis()
  for await (const chunk of bytes) {
    analysis.push(chunk)
    noteGarbage(chunk.length * GARBAGE)
  }
  return analysisOf(analysis.end())
}

/** Composes several commits into one change, from before the first to after the last. */
export function analysisOf(held: Held): Analysis {
  const { state, reason } = held
  if (!held.isOneChange) return { state, reason, ...composed(held) }
  const { added, removed, languages, files: length } = held
  return { state, reason, added, removed, languages, files: { length, [Symbol.iterator]: () => oneChange(held) } }
}

function* oneChange(held: Held): Generator<AnalysedFile> {
  let number = 0
  for (const file of filesOf(held)) yield analysed(file, ++number, file.range === null ? [] : [file.range])
}
