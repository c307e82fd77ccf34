// Reads a diff of any size into what is kept of it: its files with packed line maps, totals and languages.

import { composeFiles } from '../../diff/compose.ts'
import { inOrder } from '../../diff/order.ts'
import { openDiffReader } from '../../diff/reader.ts'
import type { ChangeKind, DiffResult, DiffState, Packed, PatchFile, Range } from '../../diff/types.ts'

/** What is told of a file, whether the diff had it so or several of its patches were put together. */
type FileChange = Omit<AnalysedFile, 'number' | 'ranges'>

/** One file from the state before the deploy to that after it; `number` counts from 1 in the order of the diff. */
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
  /** Where the stored diff tells of it. */
  ranges: readonly Range[]
}

export type LanguageTotals = { name: string; files: number; added: number; removed: number }

export type Analysis = {
  state: DiffState
  reason: string | null
  added: number
  removed: number
  languages: LanguageTotals[]
  files: AnalysedFile[]
}

/** Bytes of packed regions that are held until the diff has been read; past it the reading stops as TRUNCATED. */
const MOST_HELD_BYTES = 64 * 1024 * 1024
/** Places in the diff that are kept of one file, which a diff of many commits may name often. */
const MOST_RANGES = 20
const LANGUAGES_SHOWN = 100

/** A diff as it is read: push its bytes in chunks of any size, then end it. `heldBytes` tells the memory it takes, about. */
export type DiffAnalysis = { push(chunk: Uint8Array): void; end(): Analysis; heldBytes(): number }

/** Bytes that a file takes beside its regions, about. */
const FILE_BYTES = 500

/**
 * Holds the files of one diff as they are read: packed regions alone, some more than `mostHeld` bytes of them at most. `end` makes the
 * analysis of them, given how the reading ended; several commits count as one change from first to last.
 */
export function openHolding(mostHeld = MOST_HELD_BYTES) {
  const held: Packed<PatchFile>[] = []
  let size = 0
  let cut: Pick<DiffResult, 'state' | 'reason'> | null = null

  return {
    hold(files: readonly Packed<PatchFile>[]): void {
      for (const file of files) {
        if (cut !== null) return
        held.push(file)
        size += file.packed.length
        if (size <= mostHeld) continue
        const reason = `The diff cannot be read past its file ${held.length}: its changes take more than ${mostHeld} bytes.`
        cut = { state: 'TRUNCATED', reason }
      }
    },
    isCut: () => cut !== null,
    heldBytes: () => size + held.length * FILE_BYTES,
    end: (result: Pick<DiffResult, 'state' | 'reason'>): Analysis => analysisOf(held, cut ?? result),
  }
}

export function openAnalysis(mostHeld?: number): DiffAnalysis {
  const reader = openDiffReader()
  const holding = openHolding(mostHeld)
  return {
    push(chunk) {
      if (holding.isCut() || reader.stopped()) return
      reader.push(chunk)
      holding.hold(reader.take())
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
  for await (const chunk of bytes) analysis.push(chunk)
  return analysis.end()
}

function analysisOf(held: Packed<PatchFile>[], { state, reason }: Pick<DiffResult, 'state' | 'reason'>): Analysis {
  const files = hasOneChangeAFile(held) ? held.map(fromHeld) : composed(held)
  const totals = { added: 0, removed: 0 }
  for (const { added, removed } of files) {
    totals.added += added
    totals.removed += removed
  }
  return { state, reason, ...totals, languages: languagesOf(files), files }
}

const shownPath = ({ oldPath, newPath }: { oldPath: string | null; newPath: string | null }) => newPath ?? oldPath ?? ''

/** Whether there is nothing to compose: one commit, in which no path comes twice. */
function hasOneChangeAFile(held: readonly Packed<PatchFile>[]): boolean {
  const [first] = held
  return held.every(({ commit }) => commit === first?.commit) && new Set(held.map(shownPath)).size === held.length
}

const fromHeld = (file: Packed<PatchFile>, index: number): AnalysedFile =>
  analysed(file, index + 1, file.range === null ? [] : [file.range])

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

function composed(held: readonly Packed<PatchFile>[]): AnalysedFile[] {
  const ranges = new Map<string, Range[]>()
  for (const file of held) {
    if (file.range === null) continue
    for (const path of new Set([file.oldPath, file.newPath])) {
      if (path === null) continue
      const known = ranges.get(path) ?? []
      if (known.length < MOST_RANGES) ranges.set(path, [...known, file.range])
    }
  }
  const files: AnalysedFile[] = []
  for (const file of composeFiles(inOrder(held))) {
    const places = [...new Set([file.oldPath, file.newPath].flatMap((path) => ranges.get(path ?? '') ?? []))]
    const first = places.sort((left, right) => left.start - right.start)
    files.push(analysed(file, files.length + 1, first.slice(0, MOST_RANGES)))
  }
  return files
}

function languagesOf(files: readonly AnalysedFile[]): LanguageTotals[] {
  const totals = new Map<string, LanguageTotals>()
  for (const { language, added, removed } of files) {
    if (language === null) continue
    const total = totals.get(language) ?? { name: language, files: 0, added: 0, removed: 0 }
    totals.set(language, {
      name: language,
      files: total.files + 1,
      added: total.added + added,
      removed: total.removed + removed,
    })
  }
  const lines = ({ added, removed }: LanguageTotals) => added + removed
  return [...totals.values()].sort((left, right) => lines(right) - lines(left)).slice(0, LANGUAGES_SHOWN)
}
