// Reads a diff of one or several commits as one change from the first state to the last.

import { composeFiles } from './compose.ts'
import { unpacked } from './line-map.ts'
import { readPacked } from './parse.ts'
import type { DiffFile, DiffOptions, DiffResult, Packed, PatchFile } from './types.ts'

/** Bounds of `readNetDiff`, which holds all files, packed, until the input ends. */
export type NetOptions = DiffOptions & {
  /** Bytes of packed regions held; 64 MiB by default. Past it the reading stops as TRUNCATED. */
  maxHeldBytes?: number
}

/**
 * Reads a diff and yields each file once, with one line map from the state before the first commit to that after the
 * last. One commit yields what `readDiff` does. Commits are taken in the order that `inOrder` finds; histories that
 * ran side by side are taken as if one followed the other.
 */
export async function* readNetDiff(
  bytes: AsyncIterable<Uint8Array>,
  options: NetOptions = {},
): AsyncGenerator<DiffFile, DiffResult> {
  const { maxHeldBytes = 64 * 1024 * 1024 } = options
  const held: Packed<PatchFile>[] = []
  const reader = readPacked(bytes, options)
  let size = 0
  let step = await reader.next()
  while (!step.done) {
    const file = step.value
    held.push(file)
    size += file.packed.length
    if (size > maxHeldBytes) break
    step = await reader.next()
  }
  const result: DiffResult = step.done
    ? step.value
    : {
        state: 'TRUNCATED',
        reason: `The diff cannot be read past its file ${held.length}: its changes take more than ${maxHeldBytes} bytes.`,
        files: 0,
        added: 0,
        removed: 0,
      }
  if (!step.done) await reader.return(result)

  const totals = { files: 0, added: 0, removed: 0 }
  for (const file of composeFiles(inOrder(held))) {
    totals.files++
    totals.added += file.added
    totals.removed += file.removed
    yield unpacked(file)
  }
  return { ...result, ...totals }
}

/**
 * The files as steps, oldest first. A commit header starts a step, and so does a file that changes again with no
 * header between, as in diffs put one after another. The blobs of `index` lines tell the order where a path comes
 * again: what one leaves the next takes up. Where they do not, commits come oldest first if there are no headers or
 * the series is one of mails or an hg export, and newest first as `git log` and `hg log` print them.
 */
export function inOrder(files: readonly Packed<PatchFile>[]): Packed<PatchFile>[][] {
  const steps: Packed<PatchFile>[][] = []
  let commit = -1
  let written = new Set<string>()
  for (const file of files) {
    const again =
      file.kind !== 'RENAMED' && file.kind !== 'COPIED' && file.oldPath !== null && written.has(file.oldPath)
    if (file.commit !== commit || again) {
      steps.push([])
      commit = file.commit
      written = new Set()
    }
    steps.at(-1)?.push(file)
    if (file.newPath !== null) written.add(file.newPath)
  }
  return isNewestFirst(steps) ? steps.reverse() : steps
}

function isNewestFirst(steps: readonly Packed<PatchFile>[][]): boolean {
  let oldestFirst = 0
  let newestFirst = 0
  const last = new Map<string, Packed<PatchFile>>()
  for (const file of steps.flat()) {
    for (const path of new Set([file.oldPath, file.newPath])) {
      if (path === null) continue
      const before = last.get(path)
      if (before?.newBlob && before.newPath === file.oldPath && before.newBlob === file.oldBlob) oldestFirst++
      if (before?.oldBlob && before.oldPath === file.newPath && before.oldBlob === file.newBlob) newestFirst++
      last.set(path, file)
    }
  }
  if (newestFirst !== oldestFirst) return newestFirst > oldestFirst
  return steps[0]?.[0]?.listed === 'NEWEST_FIRST'
}
