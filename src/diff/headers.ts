// Reads what stands before a file's hunks, and settles paths, modes and kind from it and from the hunks themselves.

import type { Body } from './body.ts'
import { languageOf } from './language.ts'
import {
  arePrefixed,
  decodePath,
  fileLineName,
  hasKnownPrefix,
  isEpoch,
  type SharedName,
  sharedName,
  stripOne,
  wholeName,
} from './paths.ts'
import { packRegions } from './regions.ts'
import type { ChangeKind, DiffFile, Packed } from './types.ts'

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
  /** Extended header lines so far: a `diff --git` line that none follows is text. */
  lines: number
}

export type Fault = { fault: string }

const DEV_NULL = '/dev/null'

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
  // With --combined-all-paths there is one such line a parent, the first parent's first.
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

/** Takes one extended header line. False where it is none: the header ended on the line before. */
export function readHeaderLine(header: Header, line: string): boolean {
  for (const { mark, read } of fields) {
    if (!line.startsWith(mark)) continue
    read(header, line.slice(mark.length))
    header.lines++
    return true
  }
  return false
}

// `1a2b..3c4d 100644`, with one old blob a parent in a combined diff.
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

/** Whether what the header says must be followed by more, so that an input that ends here was cut. */
export function awaitsMore(header: Header): boolean {
  const { isNew, isDeleted, oldMode, newMode, oldBlob, newBlob } = header
  if (header.lines === 0 || header.minus !== null) return true
  if (isNew) return newBlob !== null && !emptyBlob.test(newBlob)
  if (isDeleted) return oldBlob !== null && !emptyBlob.test(oldBlob)
  return oldBlob !== null || (oldMode === null) !== (newMode === null)
}

/** The file that header and hunks amount to, or what is wrong with them. */
export function settle(header: Header, body: Body): Packed<DiffFile> | Fault {
  if (header.form === 'COMBINED') settleCombined(header)
  if (header.form === 'PLAIN') settlePlain(header, body)
  const names = header.form === 'PLAIN' ? plainNames(header) : gitNames(header)
  if ('fault' in names) return names
  if (header.isNew && body.sawOld) return { fault: 'a new file depends on old content' }
  if (header.isDeleted && body.sawNew) return { fault: 'a deleted file still has content' }

  const oldPath = header.isNew ? null : names.old
  const newPath = header.isDeleted ? null : names.new
  return {
    oldPath,
    newPath,
    kind: kindOf(header, oldPath, newPath, body),
    binary: header.binary,
    oldMode: header.isNew ? null : header.oldMode,
    newMode: header.isDeleted ? null : header.newMode,
    added: body.added,
    removed: body.removed,
    language: languageOf(newPath ?? oldPath ?? ''),
    packed: packRegions(body.regions),
  }
}

function kindOf(header: Header, oldPath: string | null, newPath: string | null, body: Body): ChangeKind {
  if (oldPath === null) return 'ADDED'
  if (newPath === null) return 'DELETED'
  if (header.copied) return 'COPIED'
  if (oldPath !== newPath) return 'RENAMED'
  if (header.binary) return 'BINARY'
  return body.regions.count === 0 && header.oldMode !== header.newMode ? 'MODE_CHANGED' : 'MODIFIED'
}

// A combined header says `new file` only where no parent has it; the first parent alone shows in blob and mode.
function settleCombined(header: Header): void {
  if (header.oldBlob !== null && /^0+$/.test(header.oldBlob)) {
    header.isNew = true
    header.minus = DEV_NULL
  }
}

// svn and others mark a file that comes or goes only by its sole hunk, which has nothing on the other side.
function settlePlain(header: Header, body: Body): void {
  if (header.isNew || header.isDeleted || body.regions.count !== 1) return
  const [oldFirst, , newFirst] = body.regions.numbers
  header.isNew = !body.sawOld && oldFirst === 1
  header.isDeleted = !body.sawNew && newFirst === 1
}

type Names = { old: string; new: string }

function plainNames(header: Header): Names | Fault {
  const { minus, plus } = header
  const known = minus === DEV_NULL ? plus : plus === DEV_NULL ? minus : null
  if (known !== null) {
    const path = decodePath(trimRoot(hasKnownPrefix(known) ? (stripOne(known) ?? known) : known))
    return path === null ? noName : { old: path, new: path }
  }
  if (minus === null || plus === null) return noName
  const prefixed = arePrefixed(minus, plus)
  const first = prefixed ? (stripOne(minus) ?? minus) : minus
  const second = prefixed ? (stripOne(plus) ?? plus) : plus
  // One is often a copy kept beside the file (`x.orig`): the shorter is the file then, else the second, as git has it.
  const path = decodePath(trimRoot(second.startsWith(first) ? first : second))
  return path === null ? noName : { old: path, new: path }
}

const noName: Fault = { fault: 'a file header names no file' }

function trimRoot(name: string): string {
  return name.replace(/^\/+/, '')
}

function gitNames(header: Header): Names | Fault {
  const { minus, plus, shared } = header
  if (minus === DEV_NULL) header.isNew = true
  if (plus === DEV_NULL) header.isDeleted = true
  if (header.isNew && minus !== null && minus !== DEV_NULL) return { fault: 'a new file has an old name' }
  if (header.isDeleted && plus !== null && plus !== DEV_NULL) return { fault: 'a deleted file has a new name' }
  if (header.isNew && header.isDeleted) return { fault: 'a file is both new and deleted' }

  if ((minus === null) !== (plus === null)) return { fault: 'a file header has one of its two names only' }
  const prefixed = shared.prefixed ?? arePrefixedLines(header)
  const oldName = header.from ?? fromLine(minus, prefixed, shared.name) ?? shared.name
  const newName = header.to ?? fromLine(plus, prefixed, shared.name) ?? shared.name
  const known = oldName ?? newName
  if (known === null) return noName
  if ((oldName === null && !header.isNew) || (newName === null && !header.isDeleted)) return noName
  const lone = header.isNew || header.isDeleted ? shared.name : null
  if (!agrees(minus, header.from ?? lone) || !agrees(plus, header.to ?? lone)) {
    return { fault: 'a file header names its file in two ways' }
  }
  const old = decodePath(trimRoot(oldName ?? known))
  const path = decodePath(trimRoot(newName ?? known))
  return old === null || path === null ? noName : { old, new: path }
}

function arePrefixedLines({ minus, plus, form }: Header): boolean {
  if (minus === null || plus === null) return false
  if (minus === DEV_NULL) return hasKnownPrefix(plus)
  if (plus === DEV_NULL) return hasKnownPrefix(minus)
  return form === 'COMBINED' || arePrefixed(minus, plus)
}

function fromLine(line: string | null, prefixed: boolean, shared: string | null): string | null {
  if (line === null || line === DEV_NULL) return null
  return line === shared ? line : prefixed ? stripOne(line) : line
}

// A rename or copy says the path itself; the line below says it again, with a prefix or without.
function agrees(line: string | null, name: string | null): boolean {
  return line === null || name === null || line === DEV_NULL || line === name || stripOne(line) === name
}
