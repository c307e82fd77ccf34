// A reader of large files for tests: it tells how many bytes it has been shown.

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
