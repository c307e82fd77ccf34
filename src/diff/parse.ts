// Reads git and unified diffs as a stream of files.

import { openDiffReader } from './reader.ts'
import type { DiffOptions, DiffResult, Packed, PatchFile } from './types.ts'

/**
 * Reads a diff of any size, form and encoding, and yields its files as they end, their regions as bytes; never throws for
 * content. Text around the diff is passed over. Several commits yield a file each time one of them changes it. The source
 * is left unread after the line at which a TRUNCATED reading stops. Rules follow git-apply(1) and git-diff(1).
 */
export async function* readPacked(
  bytes: AsyncIterable<Uint8Array>,
  options?: DiffOptions,
): AsyncGenerator<Packed<PatchFile>, DiffResult> {
  const reader = openDiffReader(options)
  for await (const chunk of bytes) {
    reader.push(chunk)
    yield* reader.take()
    if (reader.stopped()) break
  }
  reader.end()
  yield* reader.take()
  return reader.result()
}
