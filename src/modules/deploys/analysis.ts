// Reads a diff of any size into what is kept of it: its files with packed line maps, totals and languages.

import { composeFiles, type PackedFile, packFile } from '../../diff/compose.ts'
import { packHunks } from '../../diff/line-map.ts'
import { inOrder } from '../../diff/net.ts'
import { readDiff } from '../../diff/parse.ts'
import type { ChangeKind, DiffResult, DiffState } from '../../diff/types.ts'
import { type Range, sectionsOf } from './sections.ts'

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

type HeldFile = PackedFile & { range: Range | null }

/** Reads the diff to its end, holding packed regions alone. Several commits count as one change from first to last. */
export async function analyseDiff(bytes: AsyncIterable<Uint8Array>): Promise<Analysis> {
  const { held, result } = await holdFiles(bytes)
  const isPlain = hasOneChangeAFile(held)
  const steps = isPlain ? [] : inOrder(held)
  const files = isPlain ? held.map(fromHeld) : composed(steps, held)
  const totals = { added: 0, removed: 0 }
  for (const { added, removed } of files) {
    totals.added += added
    totals.removed += removed
  }
  return { state: result.state, reason: result.reason, ...totals, languages: languagesOf(files), files }
}

async function holdFiles(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ held: HeldFile[]; result: Pick<DiffResult, 'state' | 'reason'> }> {
  const { pieces, rangeOfFinished } = sectionsOf(bytes)
  const reader = readDiff(pieces)
  const held: HeldFile[] = []
  let size = 0
  for (;;) {
    const step = await reader.next()
    if (step.done) return { held, result: step.value }
    const file = packFile(step.value)
    held.push(Object.assign(file, { range: rangeOfFinished() }))
    size += file.packed.length
    if (size <= MOST_HELD_BYTES) continue
    const reason = `The diff cannot be read past its file ${held.length}: its changes take more than ${MOST_HELD_BYTES} bytes.`
    await pieces.return(undefined)
    return { held, result: { state: 'TRUNCATED', reason } }
  }
}

const shownPath = ({ oldPath, newPath }: { oldPath: string | null; newPath: string | null }) => newPath ?? oldPath ?? ''

/** Whether there is nothing to compose: one commit, in which no path comes twice. */
function hasOneChangeAFile(held: readonly HeldFile[]): boolean {
  const [first] = held
  return held.every(({ commit }) => commit === first?.commit) && new Set(held.map(shownPath)).size === held.length
}

const fromHeld = ({ range, ...file }: HeldFile, index: number): AnalysedFile => ({
  number: index + 1,
  oldPath: file.oldPath,
  newPath: file.newPath,
  kind: file.kind,
  binary: file.binary,
  added: file.added,
  removed: file.removed,
  language: file.language,
  packed: file.packed,
  ranges: range === null ? [] : [range],
})

function composed(steps: readonly PackedFile[][], held: readonly HeldFile[]): AnalysedFile[] {
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
  for (const { hunks, ...file } of composeFiles(steps)) {
    const places = [...new Set([file.oldPath, file.newPath].flatMap((path) => ranges.get(path ?? '') ?? []))]
    files.push({
      number: files.length + 1,
      oldPath: file.oldPath,
      newPath: file.newPath,
      kind: file.kind,
      binary: file.binary,
      added: file.added,
      removed: file.removed,
      language: file.language,
      packed: packHunks(hunks),
      ranges: places.sort((left, right) => left.start - right.start).slice(0, MOST_RANGES),
    })
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
