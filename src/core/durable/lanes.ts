// The memory through which large files arrive: a few lanes of blocks that begin at pages of the machine and that threads share.

/** Bytes of a block: a disk is asked seldom, and what was filled is still in the caches of a processor when it is read. */
export const LANE_BLOCK = 1024 * 1024
/** blocks of a lane: one is filled while the others are read and written */
const BLOCKS = 4
/** files that have a lane at once */
const LANES = 4
const PAGE = 64 * 1024

/** `at` is where the first block begins in the memory of lanes; the others follow it. */
export type Lane = { at: number; blocks: readonly Buffer[]; release(): void }

declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number; shared: boolean }) => { buffer: ArrayBufferLike }
}

let reserved: SharedArrayBuffer | null | undefined
const taken = new Array<boolean>(LANES).fill(false)

/** The memory of all lanes; null where there is none to be had. */
export function laneMemory(): SharedArrayBuffer | null {
  if (reserved === undefined) reserved = reserve()
  return reserved
}

/**
 * The memory is WebAssembly's, for that begins at a page, as it must for a disk to take it without a copy. It is addresses alone until
 * it is written to.
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

/** A lane until it is released; null where all are taken. */
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
