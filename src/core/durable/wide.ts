// The path for large files: through a lane, hashed and read in a thread, and written past the page cache.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { hasCode } from '../error-code.ts'
import { LANE_BLOCK, type Lane, takeLane } from './lanes.ts'
import { openThreaded, type Threaded } from './threaded.ts'
import { part, type Reader, type Way, writeWhole } from './way.ts'

/** The path for a file of which nothing has been sent yet; null if too many files are using it. */
export async function openWide(file: string, handle: FileHandle, reader: Reader | null): Promise<Way | null> {
  const lane = takeLane()
  if (lane === null) return null
  const threaded = openOrRelease(lane, reader)
  const direct = await openDirect(file)
  let isDirect = direct !== null

  const write = async (bytes: Buffer, position: number) => {
    // a partial block goes through the page cache, because its size need not be a multiple of the disk's block size
    if (direct === null || !isDirect || bytes.length < LANE_BLOCK) return writeWhole(handle, bytes, position)
    try {
      await writeWhole(direct, bytes, position)
    } catch (error) {
      if (!isRefusal(error)) throw error
      isDirect = false
      await writeWhole(handle, bytes, position)
    }
  }

  return {
    blocks: lane.blocks,
    async send(block, length, position) {
      const bytes = part(lane.blocks, block, length)
      const both = [threaded.push(lane.at + block * LANE_BLOCK, length), write(bytes, position)]
      // waits for both even if one has failed, because the block must not be reused before
      for (const done of await Promise.allSettled(both)) if (done.status === 'rejected') throw done.reason
    },
    digest: () => threaded.end(),
    async close() {
      threaded.close()
      lane.release()
      await direct?.close()
    },
  }
}

function openOrRelease(lane: Lane, reader: Reader | null): Threaded {
  try {
    return openThreaded(reader?.inThread() ?? null)
  } catch (error) {
    lane.release()
    throw error
  }
}

/** Opens the same file for direct I/O; null if the system or the file system does not support it. */
async function openDirect(file: string): Promise<FileHandle | null> {
  if (!constants.O_DIRECT) return null
  return open(file, constants.O_WRONLY | constants.O_DIRECT).catch(() => null)
}

/** A file system that opens a file for direct I/O may still refuse blocks of this size or alignment. */
const isRefusal = (error: unknown): boolean => hasCode(error, 'EINVAL')
