// The state of reading a diff, and the opening and closing of files and hunks in it.

import { type BinaryPatch, startBinaryPatch } from './binary.ts'
import { type Body, closeRegion, emptyBody, startHunk } from './body.ts'
import { combinedHeader, startCombinedHunk } from './combined.ts'
import { type LogForm, listingOrder } from './commits.ts'
import type { Header } from './headers.ts'
import { hunkHeader } from './hunk-header.ts'
import { type Utf8Input, utf8Input } from './lines.ts'
import { emptyRegions } from './regions.ts'
import { settle } from './settle.ts'
import type { DiffOptions, DiffState, Packed, PatchFile } from './types.ts'

const AT = 64

/**
 * OUTSIDE files; at a `--- ` line (MINUS), or the `+++ ` line after it (PLUS), which may open a plain diff; in a file's HEADER; between its
 * HUNKS; in a unified or combined hunk; or in a binary patch.
 */
export type Mode = 'OUTSIDE' | 'MINUS' | 'PLUS' | 'HEADER' | 'HUNKS' | 'UNIFIED' | 'COMBINED' | 'BINARY'

export type Reading = {
  readonly bounds: Required<DiffOptions>
  readonly input: Utf8Input
  mode: Mode
  /** The number of the last line read, from 1. */
  line: number
  /** Offsets in the input: of the line being read, of its end, of a line that may open a file, of `minus`, and of the file. */
  lineAt: number
  lineEnd: number
  openedAt: number | null
  minusAt: number
  fileAt: number
  /** The names on `--- ` and `+++ ` lines before a file was open. */
  minus: string
  plus: string
  header: Header | null
  body: Body
  binary: BinaryPatch
  /** Counts the commits of a log, from 0; -1 before the first. */
  commit: number
  commitId: string | null
  logForm: LogForm | null
  readonly totals: { files: number; added: number; removed: number }
  /** Completed files that have not been taken yet. */
  ready: Packed<PatchFile>[]
  /** Why nothing further is read. */
  stop: { state: DiffState; reason: string } | null
}

export function startReading(options: DiffOptions): Reading {
  const { maxFiles = 200_000, maxLineBytes = 65_536, maxHunks = 1_000_000 } = options
  return {
    bounds: { maxFiles, maxLineBytes, maxHunks },
    input: utf8Input(),
    mode: 'OUTSIDE',
    line: 0,
    lineAt: 0,
    lineEnd: 0,
    openedAt: null,
    minusAt: 0,
    fileAt: 0,
    minus: '',
    plus: '',
    header: null,
    body: emptyBody(maxHunks, emptyRegions()),
    binary: startBinaryPatch(),
    commit: -1,
    commitId: null,
    logForm: null,
    totals: { files: 0, added: 0, removed: 0 },
    ready: [],
    stop: null,
  }
}

/** Stops reading; the first fault is the one that is reported. */
export function fail(reading: Reading, fault: string, state: DiffState = 'TRUNCATED'): void {
  reading.stop ??= { state, reason: `The diff cannot be read past line ${reading.line}: ${fault}.` }
}

export function openFile(reading: Reading, header: Header, at: number): void {
  const { maxFiles, maxHunks } = reading.bounds
  if (reading.totals.files >= maxFiles) fail(reading, `it has more than ${maxFiles} files`)
  reading.header = header
  reading.body = emptyBody(maxHunks, reading.body.regions)
  reading.fileAt = at
  reading.openedAt = null
  reading.mode = 'HEADER'
}

/** Completes the open file; `end` is the offset after it. */
export function closeFile(reading: Reading, end = reading.lineAt): void {
  const { header, body, totals } = reading
  const { skipped } = reading.input
  if (header === null || reading.stop !== null) return
  reading.header = null
  reading.mode = 'OUTSIDE'
  if (header.form !== 'PLAIN' && header.lines === 0) return
  closeRegion(body)
  const file = body.fault === null ? settle(header, body) : { fault: body.fault }
  if ('fault' in file) {
    fail(reading, file.fault)
    return
  }
  totals.files++
  totals.added += file.added
  totals.removed += file.removed
  const { oldBlob, newBlob } = header
  const commit = Math.max(reading.commit, 0)
  const listed = listingOrder(reading.logForm)
  const range = skipped === null ? null : { start: reading.fileAt + skipped, end: end + skipped }
  reading.ready.push({ ...file, commit, commitId: reading.commitId, listed, oldBlob, newBlob, range })
}

/** Opens a hunk of the file if the line is a hunk header; returns whether it is. */
export function openHunk(reading: Reading, raw: Buffer): boolean {
  if (raw[0] !== AT) return false
  const { body } = reading
  if (reading.header?.form === 'COMBINED') {
    const combined = combinedHeader(raw.toString('latin1', 0, 1024))
    if (combined === null) return false
    startCombinedHunk(body, combined)
    reading.mode = 'COMBINED'
  } else {
    const unified = hunkHeader(raw)
    if (unified === null) return false
    startHunk(body, unified)
    reading.mode = 'UNIFIED'
  }
  if (body.fault !== null) fail(reading, body.fault)
  return true
}
