// Tells in which order the commits of a diff were made, and where each begins.

import type { Packed, PatchFile } from './types.ts'

/** `starts`: at which file each step begins, in the order of the input; `isNewestFirst`: whether its first step was the last to be made. */
export type Order = { starts: readonly number[]; isNewestFirst: boolean }

/**
 * Divides the files into steps. A commit header starts a step, and so does a file that changes again without a header in between, as in
 * concatenated diffs. If a path occurs several times, the blobs of its `index` lines tell the order: the new blob of one change is the old
 * blob of the next. Otherwise commits are taken as oldest first without headers, in mailed patches and in an hg export, and as newest first
 * in the output of `git log` and `hg log`. The files are read one by one, and not kept.
 */
export function orderOf(files: Iterable<Packed<PatchFile>>): Order {
  const starts: number[] = []
  const weighed = openWeighing()
  let commit = -1
  let written = new Set<string>()
  let count = 0
  let listed: PatchFile['listed'] | null = null
  for (const file of files) {
    const again =
      file.kind !== 'RENAMED' && file.kind !== 'COPIED' && file.oldPath !== null && written.has(file.oldPath)
    if (file.commit !== commit || again) {
      starts.push(count)
      commit = file.commit
      written = new Set()
    }
    if (file.newPath !== null) written.add(file.newPath)
    listed ??= file.listed
    weighed.add(file)
    count++
  }
  return { starts, isNewestFirst: weighed.isNewestFirst() ?? listed === 'NEWEST_FIRST' }
}

type Ends = Pick<PatchFile, 'oldPath' | 'newPath' | 'oldBlob' | 'newBlob'>

/** Weighs what the blobs say; null if they say nothing, or as much for one order as for the other. */
function openWeighing() {
  let oldestFirst = 0
  let newestFirst = 0
  const last = new Map<string, Ends>()
  return {
    add({ oldPath, newPath, oldBlob, newBlob }: Ends): void {
      const ends = { oldPath, newPath, oldBlob, newBlob }
      for (const path of oldPath === newPath ? [oldPath] : [oldPath, newPath]) {
        if (path === null) continue
        const before = last.get(path)
        if (before?.newBlob && before.newPath === oldPath && before.newBlob === oldBlob) oldestFirst++
        if (before?.oldBlob && before.oldPath === newPath && before.oldBlob === newBlob) newestFirst++
        last.set(path, ends)
      }
    },
    isNewestFirst: (): boolean | null => (newestFirst === oldestFirst ? null : newestFirst > oldestFirst),
  }
}
