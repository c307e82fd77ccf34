// Sorts the files of several commits into the order in which the commits were made.

import type { Packed, PatchFile } from './types.ts'

/**
 * The files as steps, oldest first. A commit header starts a step, and so does a file that changes again without a header in between, as in
 * concatenated diffs. If a path occurs several times, the blobs of its `index` lines tell the order: the new blob of one change is the old
 * blob of the next. Otherwise commits are taken as oldest first without headers, in mailed patches and in an hg export, and as newest first
 * in the output of `git log` and `hg log`.
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
