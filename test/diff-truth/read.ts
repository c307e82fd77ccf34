// The files of a diff with their regions as hunks, which tests compare.

import { unpackHunks } from '../../src/diff/line-map.ts'
import { readPacked } from '../../src/diff/parse.ts'
import type { DiffOptions, DiffResult, PatchFile } from '../../src/diff/types.ts'

export async function* readDiff(
  bytes: AsyncIterable<Uint8Array>,
  options?: DiffOptions,
): AsyncGenerator<PatchFile, DiffResult> {
  const reading = readPacked(bytes, options)
  let step = await reading.next()
  for (; !step.done; step = await reading.next()) {
    const { packed, ...file } = step.value
    yield { ...file, hunks: unpackHunks(packed) }
  }
  return step.value
}
