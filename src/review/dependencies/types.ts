// The input of a lockfile reader, taken from a hunk, and its output.

import type { ChangedLine } from '../types.ts'

/** The lines of one side of a hunk: those that only this side has carry `touched`, the others are context. */
export type Side = { lines: readonly ChangedLine[]; touched: '+' | '-' }

/** `line` is the number on the side's own numbering. */
export type Named = { name: string; version: string; line: number }

/** The packages that are certain, and the lines that have a version without a package. */
export type Told = { packages: Named[]; unclear: number[] }

export type LockfileReader = {
  /** as OSV names it */
  ecosystem: string
  /** by the file's name, without its directory */
  isOf: (fileName: string, path: string) => boolean
  read: (side: Side) => Told
  /** whether names are told by other lines wherever they stand, so that all hunks are read as one */
  isWhole?: boolean
}
