// Determines the paths, modes and kind of a file from its header and its hunks.

import type { Body } from './body.ts'
import { DEV_NULL, type Fault, type Header } from './headers.ts'
import { languageOf } from './language.ts'
import { arePrefixed, decodePath, hasKnownPrefix, stripOne } from './paths.ts'
import { packRegions } from './regions.ts'
import type { ChangeKind, DiffFile, Packed } from './types.ts'

/** The file that header and hunks describe, or what is wrong with them. */
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

// A combined header says `new file` only if no parent has the file; for the first parent alone, blob and mode show it.
function settleCombined(header: Header): void {
  if (header.oldBlob !== null && /^0+$/.test(header.oldBlob)) {
    header.isNew = true
    header.minus = DEV_NULL
  }
}

// svn and others show a new or deleted file only by its sole hunk, which has nothing on the other side.
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
  // One is often a backup of the file (`x.orig`): then the shorter name is the file, otherwise the second, as in git.
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

// A rename or copy line has the path itself; the line below repeats it, with or without a prefix.
function agrees(line: string | null, name: string | null): boolean {
  return line === null || name === null || line === DEV_NULL || line === name || stripOne(line) === name
}
