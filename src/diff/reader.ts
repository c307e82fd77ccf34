// The reader of git and unified diffs, fed by hand: one file at a time, content lines never held.

import { type Body, closeRegion, emptyBody, hunkEnded, scanBody, startHunk } from './body.ts'
import {
  combinedHeader,
  combinedHunkEnded,
  endCombinedHunk,
  followsCombinedHunk,
  readCombinedLine,
  startCombinedHunk,
} from './combined.ts'
import { commitHeader, type LogForm, listingOrder } from './commits.ts'
import { awaitsMore, type Header, openHeader, plainHeader, readHeaderLine, settle } from './headers.ts'
import { hunkHeader } from './hunk-header.ts'
import { gather, isEmpty, lineGatherer, takeLine, toUtf8, utf8Input } from './lines.ts'
import { emptyRegions } from './regions.ts'
import type { DiffOptions, DiffResult, DiffState, Packed, PatchFile } from './types.ts'

/** Bytes that are made a string at once: few enough for the youngest part of the heap, where it costs next to nothing. */
const PIECE = 32 * 1024
const AT = 64
const BACKSLASH = 92

/**
 * Where the reading stands: OUTSIDE of files; at a `--- ` line (MINUS), or the `+++ ` line after it (PLUS), that may
 * open a plain diff; in a file's HEADER, between its HUNKS, in a unified or combined hunk, or in a binary patch.
 */
type Mode = 'OUTSIDE' | 'MINUS' | 'PLUS' | 'HEADER' | 'HUNKS' | 'UNIFIED' | 'COMBINED' | 'BINARY'

/** Push chunks of any size, take the files that ended, end it, take the rest, ask for the result. See `readPacked`. */
export type DiffReader = {
  push(chunk: Uint8Array): void
  end(): void
  take(): Packed<PatchFile>[]
  /** Whether the reading came to where it cannot go on, so that further chunks change nothing. */
  stopped(): boolean
  result(): DiffResult
  /** Bytes that the regions of the file being read take. */
  heldBytes(): number
}

export function openDiffReader(options: DiffOptions = {}): DiffReader {
  const { maxFiles = 200_000, maxLineBytes = 65_536, maxHunks = 1_000_000 } = options
  const input = utf8Input()
  const lines = lineGatherer(maxLineBytes)
  const totals = { files: 0, added: 0, removed: 0 }
  let ready: Packed<PatchFile>[] = []
  let mode: Mode = 'OUTSIDE'
  let line = 0
  let size = 0
  let stop: { state: DiffState; reason: string } | null = null
  let header: Header | null = null
  let body: Body = emptyBody(maxHunks, emptyRegions())
  /** Offsets in the input: of the line being read and what follows it, of lines that may open a file, and of the file. */
  let lineAt = 0
  let lineEnd = 0
  let openedAt: number | null = null
  let minusAt = 0
  let fileAt = 0
  let minus = ''
  let plus = ''
  let commit = -1
  let commitId: string | null = null
  let logForm: LogForm | null = null
  let binaryBlocks = 0
  let binaryOpen = false

  function fail(fault: string, state: DiffState = 'TRUNCATED') {
    stop ??= { state, reason: `The diff cannot be read past line ${line}: ${fault}.` }
  }

  function openFile(next: Header, at: number) {
    if (totals.files >= maxFiles) fail(`it has more than ${maxFiles} files`)
    header = next
    body = emptyBody(maxHunks, body.regions)
    fileAt = at
    openedAt = null
    mode = 'HEADER'
  }

  function closeFile(end = lineAt) {
    if (header === null || stop !== null) return
    if (header.form !== 'PLAIN' && header.lines === 0) {
      header = null
      mode = 'OUTSIDE'
      return
    }
    closeRegion(body)
    const file = body.fault === null ? settle(header, body) : { fault: body.fault }
    const { oldBlob, newBlob } = header
    header = null
    mode = 'OUTSIDE'
    if ('fault' in file) {
      fail(file.fault)
      return
    }
    totals.files++
    totals.added += file.added
    totals.removed += file.removed
    const listed = listingOrder(logForm)
    const range = input.skipped === null ? null : { start: fileAt + input.skipped, end: end + input.skipped }
    ready.push({ ...file, commit: Math.max(commit, 0), commitId, listed, oldBlob, newBlob, range })
  }

  function openHunk(raw: Buffer): boolean {
    if (raw[0] !== AT) return false
    if (header?.form === 'COMBINED') {
      const combined = combinedHeader(raw.toString('latin1', 0, 1024))
      if (combined === null) return false
      startCombinedHunk(body, combined)
      mode = 'COMBINED'
    } else {
      const unified = hunkHeader(raw)
      if (unified === null) return false
      startHunk(body, unified)
      mode = 'UNIFIED'
    }
    if (body.fault !== null) fail(body.fault)
    return true
  }

  function outside(text: string, raw: Buffer) {
    mode = 'OUTSIDE'
    if (text.startsWith('diff -') || text.startsWith('Index: ')) openedAt = lineAt
    const next = openHeader(text)
    if (next !== null) return openFile(next, lineAt)
    if (text.startsWith('--- ')) {
      mode = 'MINUS'
      minus = text.slice(4)
      minusAt = lineAt
      return
    }
    if (raw[0] === AT && (hunkHeader(raw) ?? combinedHeader(text)) !== null) {
      return fail('a hunk has no file header', totals.files > 0 ? 'TRUNCATED' : 'NOT_A_DIFF')
    }
    const found = commitHeader(text, logForm)
    if (found === null) return
    logForm = found.form
    if (found.starts) commit++
    commitId = found.id
  }

  function readLine(raw: Buffer, overlong: boolean) {
    if (mode === 'HUNKS') {
      if (raw[0] === BACKSLASH || openHunk(raw)) return
      closeFile()
    }
    if (stop !== null || (mode === 'OUTSIDE' && !mayMatter(raw[0]))) return
    if (overlong && (mode === 'HEADER' || raw.toString('latin1', 0, 10) === 'diff --git')) {
      return fail(`a header line is longer than ${maxLineBytes} bytes`)
    }
    const end = raw.length > 0 && raw[raw.length - 1] === 13 ? raw.length - 1 : raw.length
    const text = raw.toString('latin1', 0, mode === 'COMBINED' ? Math.min(end, 1024) : end)
    switch (mode) {
      case 'OUTSIDE':
        return outside(text, raw)
      case 'MINUS':
        if (!text.startsWith('+++ ')) return outside(text, raw)
        plus = text.slice(4)
        mode = 'PLUS'
        return
      case 'PLUS':
        if (hunkHeader(raw) === null) return outside(text, raw)
        openFile(plainHeader(minus, plus), openedAt ?? minusAt)
        openHunk(raw)
        return
      case 'HEADER':
        return readHeader(text, raw)
      case 'COMBINED':
        return readCombined(text, raw)
      case 'BINARY':
        return readBinary(text, raw)
    }
  }

  function readHeader(text: string, raw: Buffer) {
    if (header === null || (header.lines > 0 && openHunk(raw)) || readHeaderLine(header, text)) return
    if (text === 'GIT binary patch') {
      header.binary = true
      mode = 'BINARY'
      binaryBlocks = 0
      binaryOpen = false
      return
    }
    if (/^(Binary files|Files) (.* )?differ$/s.test(text)) {
      header.binary = true
      closeFile(lineEnd)
      return
    }
    closeFile()
    outside(text, raw)
  }

  function readCombined(text: string, raw: Buffer) {
    const follows = followsCombinedHunk(body, text)
    if (!follows) readCombinedLine(body, text)
    if (body.fault !== null) return fail(body.fault)
    if (!follows && !combinedHunkEnded(body)) return
    endCombinedHunk(body)
    mode = 'HUNKS'
    if (follows) readLine(raw, false)
  }

  // One or two blocks, forward and reverse: `literal 12` or `delta 12`, lines of base 85, an empty line.
  function readBinary(text: string, raw: Buffer) {
    if (binaryOpen) {
      if (text === '') binaryOpen = false
      else if (!isBinaryLine(text)) fail('a binary patch holds a line that is not base 85')
      return
    }
    if (binaryBlocks < 2 && /^(literal|delta) \d+$/.test(text)) {
      binaryBlocks++
      binaryOpen = true
      return
    }
    if (binaryBlocks === 0) return fail('a binary patch has no data')
    closeFile()
    outside(text, raw)
  }

  function inHunk(): boolean {
    return mode === 'UNIFIED'
  }

  function readPiece(chunk: Buffer) {
    const text = chunk.toString('latin1')
    const before = size
    size += chunk.length
    let at = 0
    while (at < chunk.length && stop === null) {
      if (inHunk()) {
        at = scanBody(body, text, at)
        line += body.lines
        body.lines = 0
        if (body.fault === null && hunkEnded(body)) {
          mode = 'HUNKS'
          if (!body.changed) body.fault = 'a hunk changes nothing'
        }
        if (body.fault !== null) {
          line++
          fail(body.fault)
        }
        continue
      }
      if (isEmpty(lines)) {
        lineAt = before + at
        if (mode === 'OUTSIDE' && chunk[at] === 10) {
          at++
          line++
          continue
        }
      }
      const newline = text.indexOf('\n', at)
      if (newline < 0) {
        gather(lines, chunk.subarray(at))
        return
      }
      const taken = takeLine(lines, chunk.subarray(at, newline))
      at = newline + 1
      lineEnd = before + at
      line++
      readLine(taken.line, taken.overlong)
    }
  }

  return {
    push(chunk: Uint8Array): void {
      const bytes = toUtf8(input, chunk)
      for (let at = 0; at < bytes.length && stop === null; at += PIECE) readPiece(bytes.subarray(at, at + PIECE))
    },
    end(): void {
      if (input.head !== null) readPiece(input.head)
      if (stop !== null) return
      lineEnd = size
      const rest = takeLine(lines, Buffer.alloc(0))
      if (rest.line.length > 0) {
        line++
        readLine(rest.line, rest.overlong)
      }
      if (mode === 'COMBINED' && body.newLeft === 0) endCombinedHunk(body)
      const cut = (inHunk() && body.oldLeft > 0) || body.newLeft > 0
      if (cut) fail('the input ends within a hunk')
      if (mode === 'BINARY' && (binaryOpen || binaryBlocks === 0)) fail('the input ends within a binary patch')
      if (mode === 'HEADER' && header !== null && awaitsMore(header)) fail('the input ends within a file header')
      closeFile(size)
    },
    take(): Packed<PatchFile>[] {
      const taken = ready
      ready = []
      return taken
    },
    stopped: () => stop !== null,
    heldBytes: () => body.regions.numbers.byteLength,
    result(): DiffResult {
      if (stop !== null) return { ...stop, ...totals }
      const found = totals.files > 0 || commit >= 0 || size === 0
      const reason = found ? null : 'The content holds no file of a git or unified diff.'
      return { state: found ? 'PARSED' : 'NOT_A_DIFF', reason, ...totals }
    },
  }
}

// The first bytes of lines that mean something outside of files: `diff`, `Index:`, `--- `, `@@`, and commit headers.
function mayMatter(first: number | undefined): boolean {
  return first === 100 || first === 45 || first === 64 || first === 99 || first === 70 || first === 35 || first === 73
}

// A letter for 1 to 52 bytes, then five characters of base 85 for each four bytes begun.
function isBinaryLine(text: string): boolean {
  const code = text.charCodeAt(0)
  const bytes = code >= 65 && code <= 90 ? code - 64 : code >= 97 && code <= 122 ? code - 70 : 0
  return bytes > 0 && text.length === 1 + Math.ceil(bytes / 4) * 5
}
