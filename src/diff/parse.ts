// Reads git and unified diffs as a stream of files.

import { unpacked } from './line-map.ts'
import { openDiffReader } from './reader.ts'
import type { DiffOptions, DiffResult, Packed, PatchFile } from './types.ts'

/**
 * Reads a diff of any size, form and encoding, and yields its files as they end; never throws for content. Text around
 * the diff is passed over. Several commits yield a file each time one of them changes it. The source
 * is left unread after the line at which a TRUNCATED reading stops. Rules follow git-apply(1) and git-diff(1).
 */
export const readDiff = (
  bytes: AsyncIterable<Uint8Array>,
  options?: DiffOptions,
): AsyncGenerator<PatchFile, DiffResult> => read(bytes, options, unpacked)

/** The same with the regions of each file as bytes. */
export const readPacked = (
  bytes: AsyncIterable<Uint8Array>,
  options?: DiffOptions,
): AsyncGenerator<Packed<PatchFile>, DiffResult> => read(bytes, options, (file) => file)

async function* read<File>(
  bytes: AsyncIterable<Uint8Array>,
  options: DiffOptions | undefined,
  shape: (file: Packed<PatchFile>) => File,
): AsyncGenerator<File, DiffResult> {
  const reader = openDiffReader(options)
  for await (const chunk of bytes) {
    reader.push(chunk)
    for (const file of reader.take()) yield shape(file)
    if (reader.stopped()) break
  }
  reader.end()
  for (const file of reader.take()) yield shape(file)
  return reader.result()
}
