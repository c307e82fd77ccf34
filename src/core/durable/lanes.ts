// The shared memory through which large files arrive: a few lanes of page-aligned blocks that threads share.

/** Bytes of a block: large enough for few disk writes, small enough that a filled block is still in the processor's caches when it is read. */
export const LANE_BLOCK = 1024 * 1024
/** blocks per lane: one is filled while the others are read and written */
const BLOCKS = 4
/** how many files can have a lane at once */
const LANES = 4
const PAGE = 64 * 1024

/** `at` is the offset of the first block in the lanes' memory; the others follow it. */
export type Lane = { at: number; blocks: readonly Buffer[]; release(): void }

declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number; shared: boolean }) => { buffer: ArrayBufferLike }
}

let reserved: SharedArrayBuffer | null | undefined
const taken = new Array<boolean>(LANES).fill(false)

/** The memory of all lanes; null if it cannot be allocated. */
export function laneMemory(): SharedArrayBuffer | null {
  if (reserved === undefined) reserved = reserve()
  return reserved
}

/**
 * WebAssembly memory, because it is page-aligned, which direct I/O requires. It takes only address space until it is written to.
 */
function reserve(): SharedArrayBuffer | null {
  const pages = (LANES * BLOCKS * LANE_BLOCK) / PAGE
  try {
    const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
    return buffer instanceof SharedArrayBuffer ? buffer : null
  } catch {
    return null
  }
}

/** Takes a lane until it is released; null if all are in use. */
export function takeLane(): Lane | null {
  const memory = laneMemory()
  const lane = taken.indexOf(false)
  if (memory === null || lane < 0) return null
  taken[lane] = true
  const at = lane * BLOCKS * LANE_BLOCK
  return {
    at,
    blocks: Array.from({ length: BLOCKS }, (_, block) => Buffer.from(memory, at + block * LANE_BLOCK, LANE_BLOCK)),
    release() {
      taken[lane] = false
    },
  }
}
