// What a diff is once read: files, minimal change regions and how far the reading got.

/** How one file changed. A file has one kind: renames, copies, additions and deletions win over BINARY and MODE_CHANGED. */
export type ChangeKind = 'ADDED' | 'DELETED' | 'MODIFIED' | 'RENAMED' | 'COPIED' | 'MODE_CHANGED' | 'BINARY'

/**
 * One minimal change region: a maximal run of removed and added lines, without context. Lines count from 1. Where a
 * count is 0 its start is the line before the region (0 at the head of the file), as in a hunk header of `git diff -U0`.
 * In a file's list regions ascend, never touch, and the unchanged stretches between them are as long on both sides.
 * Of a file that became another thing, such as a symbolic link, all lines go in one region and the new ones come in the next.
 */
export type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number }

/** One file of a diff. `added` and `removed` are lines, both 0 for a binary file; a missing side's path is null. */
export type DiffFile = {
  oldPath: string | null
  newPath: string | null
  kind: ChangeKind
  binary: boolean
  oldMode: string | null
  newMode: string | null
  added: number
  removed: number
  language: string | null
  hunks: Hunk[]
}

/** Byte offsets in the input; `end` is past the last byte. */
export type Range = { start: number; end: number }

/**
 * A file as one commit changed it. `commit` counts the commit headers of the input from 0 (0 as well where there are
 * none); `commitId` is the hexadecimal id the header names; `listed` is the order in which the
 * tool that writes such headers lists commits by default; the blobs are those of the `index` line, as written; `range` is
 * where the file stands in the input, from the line that opens it, null where the input had to be decoded.
 */
export type PatchFile = DiffFile & {
  commit: number
  commitId: string | null
  listed: 'OLDEST_FIRST' | 'NEWEST_FIRST'
  oldBlob: string | null
  newBlob: string | null
  range: Range | null
}

/** A file whose regions are bytes, see packed.ts: what is held of an input that has to be read to its end first. */
export type Packed<File extends DiffFile> = Omit<File, 'hunks'> & { packed: Buffer }

/** PARSED: read to its end. TRUNCATED: readable up to a line that `reason` names. NOT_A_DIFF: no diff was found. */
export type DiffState = 'PARSED' | 'NOT_A_DIFF' | 'TRUNCATED'

/** The outcome of a reading, with the totals of what was yielded; `reason` is one sentence, null where PARSED. */
export type DiffResult = { state: DiffState; reason: string | null; files: number; added: number; removed: number }

/** Bounds of a reading; each has a default. */
export type DiffOptions = {
  /** Files after which the reading stops as TRUNCATED; 200,000 by default. */
  maxFiles?: number
  /** Bytes of one header line; 65,536 by default. Content lines have no bound, for they are not held. */
  maxLineBytes?: number
  /** Change regions of one file, 16 bytes each while it is read; 1,000,000 by default. */
  maxHunks?: number
}
