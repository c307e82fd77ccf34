// Reviews a diff as a stream: each file's part goes through the reviewers when it is complete, and is then released.

import { setImmediate } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { readPacked } from '../diff/parse.ts'
import type { DiffFile, DiffResult, Packed, PatchFile } from '../diff/types.ts'
import { oneForEachCause } from './causes.ts'
import { hunksOf, readPatch } from './patch.ts'
import { reviewers as all } from './reviewers.ts'
import type { ChangedFile, ChangedHunk, Found, ReviewContext, Reviewer } from './types.ts'
import { openWindow, type Window } from './window.ts'

export type ReviewOptions = ReviewContext & {
  /** all of reviewers.ts by default */
  reviewers?: readonly Reviewer[]
  /** Bytes of one file's part of the diff; a larger one is not reviewed, and noted. 16 MiB by default. */
  maxFileBytes?: number
  /** Stops the review between two files. */
  signal?: AbortSignal
}

/** How far the diff could be read, and the files and bytes that were reviewed. */
export type ReviewResult = Pick<DiffResult, 'state' | 'reason' | 'files'> & { bytes: number }

const MOST_FILE_BYTES = 16 * 1024 * 1024

/** Bytes after which the event loop gets a turn, because parsers release their memory only then. */
const TURN = 64 * 1024

/**
 * Reads a diff of any size in bounded memory, and yields what the reviewers find, file by file; several commits are
 * reviewed one after the other. No content makes it throw; once the signal is aborted, it throws its reason.
 */
export async function* reviewDiff(
  source: AsyncIterable<Uint8Array>,
  options: ReviewOptions,
): AsyncGenerator<Found, ReviewResult> {
  const { reviewers = all, maxFileBytes = MOST_FILE_BYTES, signal } = options
  for (const { prepare } of reviewers) await prepare?.()
  const window = openWindow(maxFileBytes + CHUNK)
  const files = readPacked(passing(source, window, signal))
  let bytes = 0
  let untilTurn = TURN
  for (;;) {
    const next = await files.next()
    if (next.done) return { state: next.value.state, reason: next.value.reason, files: next.value.files, bytes }
    signal?.throwIfAborted()
    const part = next.value.range === null ? null : window.take(next.value.range)
    window.forget(next.value.range?.end ?? 0)
    const path = next.value.newPath ?? next.value.oldPath ?? ''
    if (part === null || part.length > maxFileBytes) {
      const reason = `Its part of the diff is larger than ${maxFileBytes} bytes`
      yield { kind: 'NOTE', note: { kind: 'UNREAD', path, area: 'all', reason } }
      continue
    }
    bytes += part.length
    untilTurn -= part.length
    if (untilTurn < 0) {
      untilTurn = TURN
      await setImmediate()
    }
    yield* reviewFile(changedFile(next.value, path, part), reviewers, options)
  }
}

/** What the reviewers find in one file, one finding for each cause. If a reviewer throws, that is noted. */
export function* reviewFile(
  file: ChangedFile,
  reviewers: readonly Reviewer[],
  context: ReviewContext,
): Generator<Found> {
  yield* oneForEachCause(foundBy(file, reviewers, context))
}

function* foundBy(file: ChangedFile, reviewers: readonly Reviewer[], context: ReviewContext): Generator<Found> {
  for (const { name, accepts, read } of reviewers) {
    try {
      if (accepts(file)) yield* read(file, context)
    } catch {
      const reason = `The reviewer could not read it`
      yield { kind: 'NOTE', note: { kind: 'UNREAD', path: file.path, area: name, reason } }
    }
  }
}

/** A file of a diff with the bytes of its part, whose hunks are read at the first call. */
export function changedFile(
  file: Omit<Packed<PatchFile>, 'packed' | 'range'>,
  path: string,
  bytes: Buffer,
): ChangedFile {
  const { oldPath, newPath, kind, language, commitId } = file satisfies Omit<DiffFile, 'hunks'>
  let hunks: ChangedHunk[] | null = null
  return {
    path,
    oldPath,
    newPath,
    kind,
    language,
    commitId,
    bytes,
    hunks: () => {
      hunks ??= hunksOf(bytes, readPatch(bytes))
      return hunks
    },
  }
}

/** Bytes of one chunk that go to the reader at a time, so that the window holds little more than one file. */
const CHUNK = 256 * 1024

/** The chunks in UTF-8, each put into the window before it is read. */
async function* passing(
  source: AsyncIterable<Uint8Array>,
  window: Window,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of inUtf8(source)) {
    for (let at = 0; at < chunk.length; at += CHUNK) {
      signal?.throwIfAborted()
      const piece = chunk.subarray(at, at + CHUNK)
      window.push(piece)
      yield piece
    }
  }
}

/** Converts UTF-16, which some shells write, to UTF-8, so that offsets are the same in the input and in the window. */
async function* inUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null = null
  let isFirst = true
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (isFirst && bytes.length > 1) {
      const mark = bytes.readUInt16BE(0)
      if (mark === 0xfffe) decoder = new TextDecoder('utf-16le')
      if (mark === 0xfeff) decoder = new TextDecoder('utf-16be')
      isFirst = false
    }
    yield decoder === null ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }))
  }
}
