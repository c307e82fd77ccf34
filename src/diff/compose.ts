// Composes the changes of several commits into one change from the first state to the last.
import { packHunks, unpackHunks } from './line-map.ts'
import { hunkOf } from './regions.ts'
import type { DiffFile, Hunk, PatchFile } from './types.ts'

/** Half-open intervals of one region: old lines [o, oEnd), new lines [n, nEnd). */
type Region = { o: number; oEnd: number; n: number; nEnd: number }

/**
 * The regions of applying `first`, then `second`. A line is kept where both keep it; regions that meet in the state
 * between become one, and one that is left without lines on either side vanishes.
 */
export function composeHunks(first: readonly Hunk[], second: readonly Hunk[]): Hunk[] {
  const composed: Hunk[] = []
  let oldShift = 0
  let newShift = 0
  let i = 0
  let j = 0
  for (;;) {
    let a = regionAt(first, i)
    let b = regionAt(second, j)
    if (a === null && b === null) return composed
    // The group is an interval of the state between; shifts lead from there to the old and the new state.
    const start = Math.min(a?.n ?? Number.POSITIVE_INFINITY, b?.o ?? Number.POSITIVE_INFINITY)
    const oldFirst = start + oldShift
    const newFirst = start + newShift
    let end = start
    for (;;) {
      if (a !== null && a.n <= end) {
        end = Math.max(end, a.nEnd)
        oldShift = a.oEnd - a.nEnd
        a = regionAt(first, ++i)
      } else if (b !== null && b.o <= end) {
        end = Math.max(end, b.oEnd)
        newShift = b.nEnd - b.oEnd
        b = regionAt(second, ++j)
      } else break
    }
    const oldLines = end + oldShift - oldFirst
    const newLines = end + newShift - newFirst
    if (oldLines === 0 && newLines === 0) continue
    composed.push(hunkOf(oldFirst, oldLines, newFirst, newLines))
  }
}

function regionAt(hunks: readonly Hunk[], index: number): Region | null {
  const hunk = hunks[index]
  if (hunk === undefined) return null
  const o = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart
  const n = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart
  return { o, oEnd: o + hunk.oldLines, n, nEnd: n + hunk.newLines }
}

/** A file as read, its regions packed: what is held of an input that has to be read to its end first. */
export type PackedFile = Omit<PatchFile, 'hunks'> & { packed: Buffer }

export function packFile({ hunks, ...file }: PatchFile): PackedFile {
  return { ...file, packed: packHunks(hunks) }
}

/** The changes of one path, the latest first; copies share what came before them. */
type Steps = { packed: Buffer; before: Steps | null }

/** What became of one path so far. Its regions are composed once, at the end. */
type Net = Omit<DiffFile, 'hunks' | 'added' | 'removed'> & { steps: Steps; counts: { added: number; removed: number } }

/**
 * The net change of files that come in steps, oldest step first; within a step all files refer to the state before it.
 * Counts of a file that several steps changed are those of its net regions. A file that came and went is left out.
 */
export function* composeFiles(steps: Iterable<readonly PackedFile[]>): Generator<DiffFile, void> {
  const current = new Map<string, Net>()
  const gone: Net[] = []
  for (const step of steps) {
    const bases = step.map(({ oldPath }) => (oldPath === null ? undefined : current.get(oldPath)))
    for (const file of step) {
      const moved = file.newPath === null || (file.kind === 'RENAMED' && file.oldPath !== file.newPath)
      if (file.oldPath !== null && moved) current.delete(file.oldPath)
    }
    for (const [index, file] of step.entries()) {
      const path = file.newPath ?? file.oldPath ?? ''
      const replaced = current.get(path)
      // A new file continues what was deleted at its path, in an earlier step or (a change of type) in this one.
      const base = file.oldPath === null ? replaced : bases[index]
      const takesOver = file.oldPath !== null && file.oldPath !== file.newPath && file.newPath !== null
      if (takesOver && replaced?.newPath === null) gone.push(replaced)
      current.set(path, base === undefined ? netOf(file) : follow(base, file))
    }
  }
  for (const net of [...gone, ...current.values()]) {
    if (net.oldPath !== null || net.newPath !== null) yield settleNet(net)
  }
}

function netOf(file: PackedFile): Net {
  const { oldPath, newPath, kind, binary, oldMode, newMode, language, packed, added, removed } = file
  const steps = { packed, before: null }
  return { oldPath, newPath, kind, binary, oldMode, newMode, language, steps, counts: { added, removed } }
}

function follow(base: Net, file: PackedFile): Net {
  const isCopy = base.kind === 'COPIED' || file.kind === 'COPIED'
  return {
    // A copy that is deleted again leaves its source alone.
    oldPath: base.kind === 'COPIED' && file.newPath === null ? null : base.oldPath,
    newPath: file.newPath,
    kind: isCopy ? 'COPIED' : 'MODIFIED',
    binary: base.binary || file.binary,
    oldMode: base.oldMode,
    newMode: file.newMode ?? (file.newPath === null ? null : base.newMode),
    language: file.language,
    steps: { packed: file.packed, before: base.steps },
    counts: base.counts,
  }
}

function settleNet({ steps, counts, ...net }: Net): DiffFile {
  if (steps.before === null) return { ...net, ...counts, hunks: unpackHunks(steps.packed) }
  const oldestFirst: Buffer[] = []
  for (let step: Steps | null = steps; step !== null; step = step.before) oldestFirst.push(step.packed)
  const hunks = composeAll(oldestFirst.reverse())
  let added = 0
  let removed = 0
  for (const hunk of hunks) {
    added += hunk.newLines
    removed += hunk.oldLines
  }
  return { ...net, kind: netKind(net, hunks), added, removed, hunks }
}

// In halves, so that many small changes after a large one do not each walk through the large one.
function composeAll(steps: readonly Buffer[]): Hunk[] {
  const [only] = steps
  if (only !== undefined && steps.length === 1) return unpackHunks(only)
  const half = steps.length >>> 1
  return half === 0 ? [] : composeHunks(composeAll(steps.slice(0, half)), composeAll(steps.slice(half)))
}

function netKind(net: Omit<DiffFile, 'hunks' | 'added' | 'removed'>, hunks: readonly Hunk[]): DiffFile['kind'] {
  if (net.oldPath === null) return 'ADDED'
  if (net.newPath === null) return 'DELETED'
  if (net.kind === 'COPIED') return 'COPIED'
  if (net.oldPath !== net.newPath) return 'RENAMED'
  if (net.binary) return 'BINARY'
  return hunks.length === 0 && net.oldMode !== null && net.oldMode !== net.newMode ? 'MODE_CHANGED' : 'MODIFIED'
}
