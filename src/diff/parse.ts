// Reads git and unified diffs as a stream of files.

import { openDiffReader } from './reader.ts'
import type { DiffOptions, DiffResult, Packed, PatchFile } from './types.ts'

/**
 * Reads a diff of any size, form and encoding, and yields its files as they are completed, with their regions as bytes. Never throws because
 * of content, and skips text around the diff. With several commits, a file is yielded once for each commit that changes it. The source is not
 * read further once a reading is TRUNCATED. The rules follow git-apply(1) and git-diff(1).
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
