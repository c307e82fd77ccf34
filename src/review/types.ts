// The input and output of a diff's review: changed files in; findings, packages and notes out.

import type { ChangeKind } from '../diff/types.ts'
import type { CodeObservation } from '../reports/types.ts'

/** How a line of a hunk stands: added, removed, or there before and after. */
export type Mark = '+' | '-' | ' '

/** A line without its mark and its end. `number` counts from 1 on the new side, for a removed line on the old side. */
export type ChangedLine = { mark: Mark; number: number; text: string }

/**
 * A hunk as the diff shows it, with its context. `heading` is what stands behind the second `@@`: the function or the
 * section in which the hunk lies, as far as the tool knew. Lines ascend; the image after the change is what is not `-`.
 */
export type ChangedHunk = { oldStart: number; newStart: number; heading: string; lines: readonly ChangedLine[] }

/** One file as a diff, or one commit of it, changes it. */
export type ChangedFile = {
  /** after the change; the old one of a deleted file */
  path: string
  oldPath: string | null
  newPath: string | null
  kind: ChangeKind
  /** as src/diff/language.ts names it */
  language: string | null
  /** the commit whose change this is, where the diff names it */
  commitId: string | null
  /** its part of the diff, headers and all, in UTF-8 or as it was sent */
  bytes: Buffer
  /** empty for a binary file; read at the first call */
  hunks: () => readonly ChangedHunk[]
}

/** A version of a package in an added line of a manifest or lockfile. `ecosystem` is the name that OSV uses. */
export type ChangedPackage = { ecosystem: string; name: string; version: string; path: string; line: number }

/** SENSITIVE: a change that a person should look at; UNREAD: something that was not reviewed, and why. */
export type Note = { kind: 'SENSITIVE' | 'UNREAD'; path: string | null; area: string; reason: string }

export type Found =
  /** `secretLine`: the line of a secret, if the finding is about nothing else */
  | { kind: 'OBSERVATION'; observation: CodeObservation; secretLine?: number }
  | { kind: 'PACKAGE'; found: ChangedPackage }
  | { kind: 'NOTE'; note: Note }

/** What reviewers share in one review. */
export type ReviewContext = {
  /** 32 bytes: the key of the HMAC that identifies secrets, which are kept in no other form */
  key: Buffer
}

/** The tool's name that findings of the review carry. */
export const REVIEW_TOOL = 'Merlon Review'

export type Reviewer = {
  /** lower case, as notes name it */
  name: string
  /** Loads what it needs; called once before its first file. */
  prepare?: () => Promise<void>
  /** Whether it reads the file, decided by its path, kind and language alone. */
  accepts: (file: ChangedFile) => boolean
  /** What it finds, in the order of the file. What it throws becomes a note, and the review goes on. */
  read: (file: ChangedFile, context: ReviewContext) => Iterable<Found>
}
