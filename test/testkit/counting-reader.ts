// A reader of large files for tests, which counts the bytes it is given.

import type { BlockReader } from '../../src/core/durable/threaded.ts'

export function openReader(): BlockReader {
  let bytes = 0
  return {
    push(block) {
      bytes += block.length
      return bytes
    },
    end: () => `ended after ${bytes}`,
  }
}
