// What is stored of each file of a diff, and its form as bytes: as objects, many files take five times the memory.

import { deserialize, serialize } from 'node:v8'
import type { ChangeKind, Range } from '../../diff/types.ts'

/** A file's change from before the deploy to after it; `number` counts from 1 in the order of the diff. */
export type AnalysedFile = {
  number: number
  oldPath: string | null
  newPath: string | null
  kind: ChangeKind
  binary: boolean
  added: number
  removed: number
  language: string | null
  packed: Buffer
  /** The byte ranges of the stored diff that concern it. */
  ranges: readonly Range[]
}

/** Created lazily for each iteration, because there may be many. */
export type AnalysedFiles = Iterable<AnalysedFile> & { readonly length: number }

/** The change of one file, whether the diff contained it as one patch or as several that were composed. */
type FileChange = Omit<AnalysedFile, 'number' | 'ranges'>

export const analysed = (file: FileChange, number: number, ranges: readonly Range[]): AnalysedFile => ({
  number,
  oldPath: file.oldPath,
  newPath: file.newPath,
  kind: file.kind,
  binary: file.binary,
  added: file.added,
  removed: file.removed,
  language: file.language,
  packed: file.packed,
  ranges,
})

/** Files that are packed at once, few enough that the garbage collector frees the objects while young. */
const BATCH = 50

/** Packs the files batch by batch; the result unpacks them again for each iteration. */
export function packedFiles(files: Iterable<AnalysedFile>): AnalysedFiles {
  const batches: Buffer[] = []
  let pending: AnalysedFile[] = []
  let length = 0
  const pack = () => {
    const regions = Buffer.concat(pending.map(({ packed }) => packed))
    const rows = pending.map(({ packed, ...file }) => ({ ...file, size: packed.length }))
    batches.push(serialize([rows, regions]))
    pending = []
  }
  for (const file of files) {
    length++
    pending.push(file)
    if (pending.length === BATCH) pack()
  }
  if (pending.length > 0) pack()
  return { length, [Symbol.iterator]: () => unpacked(batches) }
}

type Row = Omit<AnalysedFile, 'packed'> & { size: number }

function* unpacked(batches: readonly Buffer[]): Generator<AnalysedFile> {
  for (const bytes of batches) {
    const [rows, regions]: [Row[], Uint8Array] = deserialize(bytes)
    let at = 0
    for (const { size, ...file } of rows) {
      yield { ...file, packed: Buffer.from(regions.buffer, regions.byteOffset + at, size) }
      at += size
    }
  }
}
