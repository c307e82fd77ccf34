// Reads the header lines before a file's hunks.

import { fileLineName, isEpoch, type SharedName, sharedName, wholeName } from './paths.ts'

/** Header fields of one file as they stand in the input, names as byte strings. */
export type Header = {
  form: 'GIT' | 'COMBINED' | 'PLAIN'
  shared: SharedName
  minus: string | null
  plus: string | null
  from: string | null
  to: string | null
  copied: boolean
  isNew: boolean
  isDeleted: boolean
  oldMode: string | null
  newMode: string | null
  oldBlob: string | null
  newBlob: string | null
  binary: boolean
  /** The number of extended header lines so far: a `diff --git` line without any is ordinary text. */
  lines: number
}

export type Fault = { fault: string }

export const DEV_NULL = '/dev/null'

function emptyHeader(form: Header['form'], shared: SharedName): Header {
  return {
    form,
    shared,
    minus: null,
    plus: null,
    from: null,
    to: null,
    copied: false,
    isNew: false,
    isDeleted: false,
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    binary: false,
    lines: 0,
  }
}

/** Opens the header of a line that starts a file (`diff --git`, `diff --cc`, `diff --combined`), else null. */
export function openHeader(line: string): Header | null {
  if (line.startsWith('diff --git ')) return emptyHeader('GIT', sharedName(line.slice(11)))
  const combined = /^diff --(?:cc|combined) (.+)$/.exec(line)
  return combined ? emptyHeader('COMBINED', { name: wholeName(combined[1] ?? ''), prefixed: null }) : null
}

/** The header of a diff that has only `--- ` and `+++ ` lines, given without these marks. */
export function plainHeader(minus: string, plus: string): Header {
  const header = emptyHeader('PLAIN', { name: null, prefixed: null })
  header.minus = fileLineName(minus)
  header.plus = fileLineName(plus)
  header.isNew = header.minus === DEV_NULL || isEpoch(minus)
  header.isDeleted = !header.isNew && (header.plus === DEV_NULL || isEpoch(plus))
  return header
}

// `rename old` and `rename new` are what git wrote before 2005 and still reads.
const fields: { mark: string; read: (header: Header, value: string) => void }[] = [
  { mark: 'index ', read: readIndex },
  // With --combined-all-paths there is one such line per parent, the first parent's first.
  { mark: '--- ', read: (header, value) => (header.minus ??= fileLineName(value)) },
  { mark: '+++ ', read: (header, value) => (header.plus = fileLineName(value)) },
  {
    mark: 'new file mode ',
    read: (header, value) => {
      header.isNew = true
      header.newMode = value.trim()
    },
  },
  {
    mark: 'deleted file mode ',
    read: (header, value) => {
      header.isDeleted = true
      header.oldMode = firstOf(value)
    },
  },
  { mark: 'old mode ', read: (header, value) => (header.oldMode = value.trim()) },
  { mark: 'new mode ', read: (header, value) => (header.newMode = value.trim()) },
  {
    mark: 'mode ',
    read: (header, value) => {
      const [before = '', after = ''] = value.split('..')
      header.oldMode = firstOf(before)
      header.newMode = after.trim()
    },
  },
  { mark: 'similarity index ', read: () => {} },
  { mark: 'dissimilarity index ', read: () => {} },
  { mark: 'rename from ', read: (header, value) => (header.from = wholeName(value)) },
  { mark: 'rename to ', read: (header, value) => (header.to = wholeName(value)) },
  { mark: 'rename old ', read: (header, value) => (header.from = wholeName(value)) },
  { mark: 'rename new ', read: (header, value) => (header.to = wholeName(value)) },
  {
    mark: 'copy from ',
    read: (header, value) => {
      header.from = wholeName(value)
      header.copied = true
    },
  },
  { mark: 'copy to ', read: (header, value) => (header.to = wholeName(value)) },
]

/** Reads one extended header line; false if it is not one, so that the header ended on the previous line. */
export function readHeaderLine(header: Header, line: string): boolean {
  for (const { mark, read } of fields) {
    if (!line.startsWith(mark)) continue
    read(header, line.slice(mark.length))
    header.lines++
    return true
  }
  return false
}

// `1a2b..3c4d 100644`, with one old blob per parent in a combined diff.
function readIndex(header: Header, value: string) {
  const dots = value.indexOf('..')
  if (dots < 0) return
  const space = value.indexOf(' ', dots)
  header.oldBlob = firstOf(value.slice(0, dots))
  header.newBlob = value.slice(dots + 2, space < 0 ? value.length : space)
  if (space < 0) return
  const mode = value.slice(space + 1)
  header.oldMode ??= mode
  header.newMode ??= mode
}

function firstOf(list: string): string {
  const comma = list.indexOf(',')
  return comma < 0 ? list.trim() : list.slice(0, comma)
}

// The ids that git gives to empty content, in SHA-1 and in SHA-256.
const emptyBlob = /^(e69de29|473a0f4)/

/** Whether the header must be followed by more, so that an input that ends here is truncated. */
export function awaitsMore(header: Header): boolean {
  const { isNew, isDeleted, oldMode, newMode, oldBlob, newBlob } = header
  if (header.lines === 0 || header.minus !== null) return true
  if (isNew) return newBlob !== null && !emptyBlob.test(newBlob)
  if (isDeleted) return oldBlob !== null && !emptyBlob.test(oldBlob)
  return oldBlob !== null || (oldMode === null) !== (newMode === null)
}
