// Reclaims short-lived buffers with cheap collections of the young generation, before they force a full garbage collection.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bytes after which a collection is triggered. With more, external memory comes so close to V8's limit that the whole heap is marked again and
 * again; with fewer, there are more collections.
 */
const MOST = 4 * 1024 * 1024

let received = 0
let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * Reports that so many bytes, received in a chunk or allocated while processing it, are no longer needed. A chunk is memory outside the heap,
 * which V8 tracks but frees only in a collection. If nothing else fills the young generation, V8 waits for 64 MiB and then collects the whole
 * heap; a collection of the young generation takes a hundredth of that time.
 */
export function noteGarbage(bytes: number): void {
  received += bytes
  if (received < MOST) return
  received = 0
  collect ??= findCollector()
  collect({ type: 'minor' })
}

function findCollector(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? (options) => void found(options) : () => {}
}
