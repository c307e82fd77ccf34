// Reads a diff of any size into what is stored of it: its files with packed line maps, totals and languages.

import { noteGarbage } from '../../core/durable/garbage.ts'
import { composeFiles } from '../../diff/compose.ts'
import { inOrder } from '../../diff/order.ts'
import { openDiffReader } from '../../diff/reader.ts'
import type { ChangeKind, DiffState, Packed, PatchFile, Range } from '../../diff/types.ts'
import { filesOf, type Held, openHolding } from './holding.ts'
import { type LanguageTotals, openLanguages } from './languages.ts'

/** The change of one file, whether the diff contained it as one patch or as several that were composed. */
type FileChange = Omit<AnalysedFile, 'number' | 'ranges'>

/** A file's change from before the deploy to after it; `number` counts from 1 in the order of the diff. */
export type AnalysedFile = {
  number: number
  oldPath: string | null
  newPath: string | null
  kind: ChangeKind
  binary: boolean
  added: number
  removed: number
  language: string | null
  packed: Buffer
  /** The byte ranges of the stored diff that concern it. */
  ranges: readonly Range[]
}

/** Created lazily for each iteration, because there may be many. */
export type AnalysedFiles = Iterable<AnalysedFile> & { readonly length: number }

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
/** Ranges kept per file: a diff of many commits may contain the same file often. */
const MOST_RANGES = 20

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

const analysed = (file: FileChange, number: number, ranges: readonly Range[]): AnalysedFile => ({
  number,
  oldPath: file.oldPath,
  newPath: file.newPath,
  kind: file.kind,
  binary: file.binary,
  added: file.added,
  removed: file.removed,
  language: file.language,
  packed: file.packed,
  ranges,
})

function composed(held: Held): Omit<Analysis, 'state' | 'reason'> {
  const patches: Packed<PatchFile>[] = []
  const ranges = new Map<string, Range[]>()
  for (const file of filesOf(held)) {
    patches.push(file)
    if (file.range === null) continue
    for (const path of new Set([file.oldPath, file.newPath])) {
      if (path === null) continue
      const known = ranges.get(path) ?? []
      if (known.length < MOST_RANGES) ranges.set(path, [...known, file.range])
    }
  }
  const files: AnalysedFile[] = []
  const languages = openLanguages()
  const totals = { added: 0, removed: 0 }
  for (const file of composeFiles(inOrder(patches))) {
    const places = [...new Set([file.oldPath, file.newPath].flatMap((path) => ranges.get(path ?? '') ?? []))]
    const first = places.sort((left, right) => left.start - right.start)
    files.push(analysed(file, files.length + 1, first.slice(0, MOST_RANGES)))
    languages.add(file)
    totals.added += file.added
    totals.removed += file.removed
  }
  return { ...totals, languages: languages.totals(), files }
}
