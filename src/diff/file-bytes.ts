// Serialises files of a diff as bytes: as objects they take five times the memory, and nearly all of the garbage collector's time.

import { deserialize, serialize } from 'node:v8'
import type { Packed, PatchFile } from './types.ts'

/** A file's fields in this order, with the byte length of its regions in place of the regions, which are stored separately in order. */
type Row = [
  oldPath: string | null,
  /** true if it equals the old path */
  newPath: string | true | null,
  kind: PatchFile['kind'],
  binary: boolean,
  oldMode: string | null,
  newMode: string | null,
  added: number,
  removed: number,
  language: string | null,
  regions: number,
  commit: number,
  commitId: string | null,
  listed: PatchFile['listed'],
  oldBlob: string | null,
  newBlob: string | null,
  start: number | null,
  length: number,
]

export function filesToBytes(files: readonly Packed<PatchFile>[]): Buffer<ArrayBuffer> {
  const rows = files.map(
    (file): Row => [
      file.oldPath,
      file.newPath === file.oldPath ? true : file.newPath,
      file.kind,
      file.binary,
      file.oldMode,
      file.newMode,
      file.added,
      file.removed,
      file.language,
      file.packed.length,
      file.commit,
      file.commitId,
      file.listed,
      file.oldBlob,
      file.newBlob,
      file.range?.start ?? null,
      file.range === null ? 0 : file.range.end - file.range.start,
    ],
  )
  return serialize([rows, Buffer.concat(files.map(({ packed }) => packed))])
}

/** The files that were written; their regions are parts of one buffer. */
export function filesFromBytes(bytes: Uint8Array): Packed<PatchFile>[] {
  const [rows, regions]: [Row[], Uint8Array] = deserialize(bytes)
  let at = 0
  return rows.map((row) => {
    const [oldPath, newPath, kind, binary, oldMode, newMode, added, removed, language, size, ...rest] = row
    const [commit, commitId, listed, oldBlob, newBlob, start, length] = rest
    const packed = Buffer.from(regions.buffer, regions.byteOffset + at, size)
    at += size
    return {
      oldPath,
      newPath: newPath === true ? oldPath : newPath,
      kind,
      binary,
      oldMode,
      newMode,
      added,
      removed,
      language,
      packed,
      commit,
      commitId,
      listed,
      oldBlob,
      newBlob,
      range: start === null ? null : { start, end: start + length },
    }
  })
}
