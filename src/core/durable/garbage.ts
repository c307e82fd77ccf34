// Has the memory of chunks that were received given back before the runtime collects everything for their sake.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** bytes of chunks after which they are given back */
const MOST = 8 * 1024 * 1024

let received = 0
let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * Says that so many bytes were received in a chunk that nobody needs any longer. A chunk is memory outside the heap, of which the runtime
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
