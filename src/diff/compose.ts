// Composes the changes of several commits into one change from the first state to the last.

import { nextRegion, openCursor, openPacker, packedBytes, packRegion } from './packed.ts'
import type { DiffFile, Packed, PatchFile } from './types.ts'

/**
 * The regions of applying `first` and then `second`, all packed. A line is kept if both keep it. Regions that touch in the intermediate state
 * are merged, and a region without lines on either side is dropped.
 */
export function composeRegions(first: Uint8Array, second: Uint8Array): Buffer {
  const composed = openPacker(first.length + second.length)
  const a = openCursor(first)
  const b = openCursor(second)
  nextRegion(a)
  nextRegion(b)
  // Touching regions form a group, an interval of the intermediate state; shifts map it to the old and the new state.
  let oldShift = 0
  let newShift = 0
  for (;;) {
    const start = Math.min(a.newFirst, b.oldFirst)
    if (start === Number.POSITIVE_INFINITY) return packedBytes(composed)
    const oldFirst = start + oldShift
    const newFirst = start + newShift
    let end = start
    for (;;) {
      if (a.newFirst <= end) {
        end = Math.max(end, a.newFirst + a.newLines)
        oldShift = a.oldFirst + a.oldLines - (a.newFirst + a.newLines)
        nextRegion(a)
      } else if (b.oldFirst <= end) {
        end = Math.max(end, b.oldFirst + b.oldLines)
        newShift = b.newFirst + b.newLines - (b.oldFirst + b.oldLines)
        nextRegion(b)
      } else break
    }
    const oldLines = end + oldShift - oldFirst
    const newLines = end + newShift - newFirst
    if (oldLines > 0 || newLines > 0) packRegion(composed, oldFirst, oldLines, newLines)
  }
}

/** The changes of one path, latest first; copies share the earlier ones. */
type Steps = { packed: Buffer; before: Steps | null }

/** The state of one path so far. Its regions are composed once, at the end. */
type Net = Omit<DiffFile, 'hunks' | 'added' | 'removed'> & { steps: Steps; counts: { added: number; removed: number } }

/**
 * The net change of files over several steps, oldest step first; within a step all files refer to the state before it. If several steps
 * changed a file, its counts are those of its net regions. A file that was created and deleted again is left out.
 */
export function* composeFiles(steps: Iterable<readonly Packed<PatchFile>[]>): Generator<Packed<DiffFile>, void> {
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
      // A new file continues the one deleted at its path, in an earlier step or, for a change of type, in this one.
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

function netOf(file: Packed<PatchFile>): Net {
  const { oldPath, newPath, kind, binary, oldMode, newMode, language, packed, added, removed } = file
  const steps = { packed, before: null }
  return { oldPath, newPath, kind, binary, oldMode, newMode, language, steps, counts: { added, removed } }
}

function follow(base: Net, file: Packed<PatchFile>): Net {
  const isCopy = base.kind === 'COPIED' || file.kind === 'COPIED'
  return {
    // Deleting a copy does not affect its source.
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

function settleNet({ steps, counts, ...net }: Net): Packed<DiffFile> {
  if (steps.before === null) return { ...net, ...counts, packed: steps.packed }
  const oldestFirst: Buffer[] = []
  for (let step: Steps | null = steps; step !== null; step = step.before) oldestFirst.push(step.packed)
  const packed = composeAll(oldestFirst.reverse())
  let added = 0
  let removed = 0
  for (const cursor = openCursor(packed); nextRegion(cursor); ) {
    added += cursor.newLines
    removed += cursor.oldLines
  }
  const kind = netKind(net, packed)
  return { ...net, kind, added, removed, packed: isOtherThing(net) ? apart(removed, added) : packed }
}

/** Whether a file became a symbolic link or a submodule, or the other way round: what git's modes begin with. */
const isOtherThing = ({ oldMode, newMode }: Pick<DiffFile, 'oldMode' | 'newMode'>): boolean =>
  oldMode !== null && newMode !== null && oldMode.slice(0, -3) !== newMode.slice(0, -3)

/** One region that removes all old lines and adds all new ones, because a change of type has no corresponding lines. */
function apart(removed: number, added: number): Buffer {
  const packer = openPacker(0)
  if (removed > 0) packRegion(packer, 1, removed, 0)
  if (added > 0) packRegion(packer, removed + 1, 0, added)
  return packedBytes(packer)
}

// Composes by halves, so that many small changes after a large one do not each traverse the large one.
function composeAll(steps: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0)] = steps
  if (steps.length <= 1) return only
  const half = steps.length >>> 1
  return composeRegions(composeAll(steps.slice(0, half)), composeAll(steps.slice(half)))
}

function netKind(net: Omit<DiffFile, 'hunks' | 'added' | 'removed'>, packed: Buffer): DiffFile['kind'] {
  if (net.oldPath === null) return 'ADDED'
  if (net.newPath === null) return 'DELETED'
  if (net.kind === 'COPIED') return 'COPIED'
  if (net.oldPath !== net.newPath) return 'RENAMED'
  if (net.binary) return 'BINARY'
  return packed.length === 0 && net.oldMode !== null && net.oldMode !== net.newMode ? 'MODE_CHANGED' : 'MODIFIED'
}
