// Has the memory of what lives for a moment given back before the runtime collects everything for its sake.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bytes of chunks after which they are given back. More of them come so close to the bound of a heap that was collected whole once that all
 * of it is marked again and again meanwhile; for fewer there are more collections.
 */
const MOST = 4 * 1024 * 1024

let received = 0
let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * Says that nobody needs so many bytes any longer, which were received in a chunk or made on the way. A chunk is memory outside the heap, of which the runtime
 * knows but that it gives back only with a collection; where nothing else fills the space of young objects, it waits for 64 MiB and then
 * collects the whole heap. One of young objects takes a hundredth of that.
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
