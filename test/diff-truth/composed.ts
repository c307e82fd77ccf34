// The diff of several commits as a deploy takes it: each file once, with its regions as hunks.

import { unpackHunks } from '../../src/diff/line-map.ts'
import { analyseDiff } from '../../src/modules/deploys/analysis.ts'

export async function readComposed(bytes: AsyncIterable<Uint8Array>) {
  const { files, ...result } = await analyseDiff(bytes)
  return { files: [...files].map(({ packed, ...file }) => ({ ...file, hunks: unpackHunks(packed) })), result }
}
