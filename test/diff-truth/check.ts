// Compares the diff engine with git over a whole history: counts, regions, and the new number of every line.
import { carryLine } from '../../src/diff/line-map.ts'
import type { DiffFile, Hunk, PatchFile } from '../../src/diff/types.ts'
import { gitStream, logArgs, numstatByCommit, objectReader, regionsByCommit } from './git.ts'
import { numstat } from './numstat.ts'
import { readDiff } from './read.ts'

/** What was compared. `typeChanges` are files that became a link or back, which numstat counts in a way of its own. */
type Checked = {
  commits: number
  files: number
  lines: number
  renames: number
  binaries: number
  typeChanges: number
  differences: string[]
}

/** Reads the last `limit` commits in one stream, and compares each with what git says of it. */
export async function checkHistory(repo: string, limit: number): Promise<Checked> {
  const counts = await numstatByCommit(repo, limit, 3)
  const objects = objectReader(repo)
  const checked: Checked = {
    commits: counts.size,
    files: 0,
    lines: 0,
    renames: 0,
    binaries: 0,
    typeChanges: 0,
    differences: [],
  }
  const byCommit = new Map<string, PatchFile[]>()
  const reading = readDiff(gitStream(repo, logArgs(limit, '--diff-merges=first-parent', '-p', '--full-index')))
  let step = await reading.next()
  for (; !step.done; step = await reading.next()) {
    const file = step.value
    const files = byCommit.get(file.commitId ?? '') ?? []
    files.push(file)
    byCommit.set(file.commitId ?? '', files)
    checked.files++
    if (file.kind === 'RENAMED') checked.renames++
    if (file.binary) checked.binaries++
    else await checkLines(file, objects.read, checked)
  }
  objects.close()
  if (step.value.state !== 'PARSED') checked.differences.push(`the reading ended as ${step.value.reason}`)
  for (const [commit, expected] of counts) compareCounts(commit, byCommit.get(commit) ?? [], expected, checked)
  await compareRegions(repo, limit, checked)
  return checked
}

// Without context, the hunk headers say the regions themselves.
async function compareRegions(repo: string, limit: number, checked: Checked): Promise<void> {
  const expected = await regionsByCommit(repo, limit)
  const read = new Map<string, Hunk[][]>()
  const args = logArgs(limit, '--diff-merges=first-parent', '-p', '-U0')
  for await (const file of readDiff(gitStream(repo, args))) {
    if (file.hunks.length === 0) continue
    const files = read.get(file.commitId ?? '') ?? []
    files.push(file.hunks)
    read.set(file.commitId ?? '', files)
  }
  for (const [commit, regions] of expected) {
    if (JSON.stringify(read.get(commit) ?? []) !== JSON.stringify(regions)) {
      checked.differences.push(`${commit}: regions differ from those of -U0`)
    }
  }
}

function compareCounts(commit: string, files: PatchFile[], expected: string[], checked: Checked): void {
  let at = 0
  for (const entry of expected) {
    const file = files[at++]
    const next = files[at]
    if (file?.kind === 'DELETED' && next?.kind === 'ADDED' && file.oldPath === next.newPath) {
      at++
      checked.typeChanges++
      continue
    }
    const read = file ? numstat(file) : 'nothing'
    // The patch of an unchanged file that moved does not tell whether the file is binary.
    const silent = file?.oldBlob === null && entry.startsWith('-\t-') && read.replace('0\t0', '-\t-') === entry
    if (read !== entry && !silent) checked.differences.push(`${commit}: read ${read}, git says ${entry}`)
  }
  if (at !== files.length) checked.differences.push(`${commit}: ${files.length - at} files more than git has`)
}

type ReadObject = (id: string | null) => Promise<Buffer>

// A 100 % rename or a change of mode has no `index` line, and nothing to compare.
async function checkLines(file: PatchFile, read: ReadObject, checked: Checked): Promise<void> {
  if (file.oldBlob === null || file.newBlob === null) {
    if (file.hunks.length > 0) checked.differences.push(`${file.commitId}: ${file.newPath} has hunks and no blobs`)
    return
  }
  const before = await contentOf(file.oldBlob, file.oldMode, read)
  const after = await contentOf(file.newBlob, file.newMode, read)
  checked.lines += lineCount(before)
  const fault = compareLines(file, before, after)
  if (fault !== null) checked.differences.push(`${file.commitId}: ${file.newPath ?? file.oldPath}: ${fault}`)
}

// What git shows for a submodule is a line of text with the commit's id.
async function contentOf(blob: string, mode: string | null, read: ReadObject): Promise<Buffer> {
  return mode === '160000' ? Buffer.from(`Subproject commit ${blob}\n`) : read(blob)
}

/** Applies the line map to the old content and compares with the new, line by line; null where nothing differs. */
export function compareLines(
  file: Pick<DiffFile, 'hunks' | 'removed' | 'added'>,
  before: Buffer,
  after: Buffer,
): string | null {
  const oldStarts = lineStarts(before)
  const newStarts = lineStarts(after)
  const taken = new Uint8Array(newStarts.length)
  let removed = 0
  for (let line = 1; line < oldStarts.length; line++) {
    const carried = carryLine(file.hunks, line)
    if (carried.state === 'REMOVED') {
      removed++
      continue
    }
    if (taken[carried.line] !== 0) return `new line ${carried.line} is taken twice or beyond the end`
    taken[carried.line] = 1
    const old = before.subarray(oldStarts[line - 1], oldStarts[line])
    const kept = after.subarray(newStarts[carried.line - 1], newStarts[carried.line])
    if (!old.equals(kept)) return `old line ${line} is not new line ${carried.line}`
  }
  if (removed !== file.removed) return `${removed} lines removed by the map, ${file.removed} counted`
  let added = 0
  for (let line = 1; line < newStarts.length; line++) {
    if (taken[line] === 1) continue
    added++
    if (!isAdded(file.hunks, line)) return `new line ${line} is neither kept nor in a region`
  }
  return added === file.added ? null : `${added} lines added by the map, ${file.added} counted`
}

function isAdded(hunks: readonly Hunk[], line: number): boolean {
  let low = 0
  let high = hunks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const hunk = hunks[middle]
    if (hunk === undefined || hunk.newStart > line) high = middle
    else if (hunk.newStart + hunk.newLines > line) return true
    else low = middle + 1
  }
  return false
}

function lineCount(content: Buffer): number {
  return lineStarts(content).length - 1
}

// Offsets at which lines start, and the end of the content.
function lineStarts(content: Buffer): number[] {
  const starts = [0]
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== content.length) starts.push(content.length)
  return starts
}

/** What was compared of merges: files in combined form, and those of which a dense diff leaves hunks out. */
type CheckedMerges = { merges: number; files: number; dense: number; differences: string[] }

/**
 * Reads the merges of a history in combined form and compares with the diff against their first parent: `-c` shows every
 * hunk, so all must agree (with a diff without context, which is what git combines); `--cc` leaves out what one parent explains, so it can only show less.
 */
export async function checkMerges(repo: string, limit: number, form: '-c' | '--cc'): Promise<CheckedMerges> {
  const checked: CheckedMerges = { merges: 0, files: 0, dense: 0, differences: [] }
  const counts = await numstatByCommit(repo, limit, 0)
  const seen = new Set<string>()
  const reading = readDiff(gitStream(repo, logArgs(limit, '--merges', form, '-p', '--full-index')))
  const objects = objectReader(repo)
  let step = await reading.next()
  for (; !step.done; step = await reading.next()) {
    const file = step.value
    checked.files++
    seen.add(file.commitId ?? '')
    const path = file.newPath ?? file.oldPath ?? ''
    const expected = counts.get(file.commitId ?? '')?.find((entry) => entry.endsWith(`\t${path}`))
    if (file.binary || expected === undefined) continue
    if (numstat(file) !== expected) {
      checked.dense++
      const [added = 0, removed = 0] = expected.split('\t').map(Number)
      if (form === '-c' || file.added > added || file.removed > removed) {
        checked.differences.push(`${file.commitId}: read ${numstat(file)}, git says ${expected}`)
      }
      continue
    }
    const before = await objects.read(file.oldBlob)
    const fault = compareLines(file, before, await objects.read(file.newBlob))
    if (fault !== null) checked.differences.push(`${file.commitId}: ${path}: ${fault}`)
  }
  objects.close()
  if (step.value.state !== 'PARSED') checked.differences.push(`the reading ended as ${step.value.reason}`)
  checked.merges = seen.size
  return checked
}
