// The types of a diff once it is read: files, minimal change regions, and how far reading got.

/** How one file changed. A file has one kind: renames, copies, additions and deletions win over BINARY and MODE_CHANGED. */
export type ChangeKind = 'ADDED' | 'DELETED' | 'MODIFIED' | 'RENAMED' | 'COPIED' | 'MODE_CHANGED' | 'BINARY'

/**
 * A minimal change region: a maximal run of removed and added lines, without context. Lines count from 1. If a count is 0, the start is the
 * line before the region (0 at the head of the file), as in a hunk header of `git diff -U0`. The regions of a file are in ascending order
 * and never touch, and the unchanged stretches between them have the same length on both sides. If a file changed its type, for example to a
 * symbolic link, one region removes all its lines and the next adds the new ones.
 */
export type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number }

/** One file of a diff. `added` and `removed` count lines, both 0 for a binary file; the path of a missing side is null. */
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
 * A file as changed by one commit. `commit` is the index of the commit header in the input (0 also without headers); `commitId` is the
 * hexadecimal id in the header; `listed` is the default order of the tool that writes such headers; the blobs are those of the `index` line,
 * as written; `range` is the file's byte range in the input, from the line that opens it, or null if the input had to be decoded.
 */
export type PatchFile = DiffFile & {
  commit: number
  commitId: string | null
  listed: 'OLDEST_FIRST' | 'NEWEST_FIRST'
  oldBlob: string | null
  newBlob: string | null
  range: Range | null
}

/** A file with its regions as bytes, see packed.ts: the form in which files are held until the whole input has been read. */
export type Packed<File extends DiffFile> = Omit<File, 'hunks'> & { packed: Buffer }

/** PARSED: read to its end. TRUNCATED: readable up to a line that `reason` names. NOT_A_DIFF: no diff was found. */
export type DiffState = 'PARSED' | 'NOT_A_DIFF' | 'TRUNCATED'

/** The outcome of reading, with the totals of what was yielded; `reason` is one sentence, null if PARSED. */
export type DiffResult = { state: DiffState; reason: string | null; files: number; added: number; removed: number }

/** Bounds of a reading; each has a default. */
export type DiffOptions = {
  /** Files after which reading stops as TRUNCATED; 200,000 by default. */
  maxFiles?: number
  /** Bytes of one header line; 65,536 by default. Content lines have no bound, because they are not held. */
  maxLineBytes?: number
  /** Change regions of one file, 16 bytes each while it is being read; 1,000,000 by default. */
  maxHunks?: number
}
