// The body of a response as it arrives, up to a limit, in memory that grows with its bytes rather than with their pieces.

/** Pieces with fewer bytes are copied into shared buffers, and the size of these buffers. */
const SMALL = 4 * 1024
const SHARED = 16 * 1024

const NOTHING = Buffer.alloc(0)

type AnswerBody = {
  /** Keeps what fits of the piece; false if not all of it does, after which there is nothing more to take. */
  take: (piece: Buffer) => boolean
  whole: () => Buffer
}

/** `largest`: the most bytes that are kept. */
export function openBody(largest: number): AnswerBody {
  const chunks: Buffer[] = []
  let size = 0
  let shared = NOTHING
  let used = 0

  /** Small pieces share buffers, because each on its own would take far more memory than its bytes. */
  const append = (piece: Buffer) => {
    if (piece.length >= SMALL || size === 0) {
      flush()
      chunks.push(piece)
      return
    }
    if (used + piece.length > shared.length) {
      flush()
      shared = Buffer.allocUnsafe(SHARED)
    }
    used += piece.copy(shared, used)
  }
  const flush = () => {
    if (used > 0) chunks.push(shared.subarray(0, used))
    shared = shared.subarray(used)
    used = 0
  }

  return {
    take(piece) {
      const room = largest - size
      const fits = piece.length <= room
      if (room > 0) append(fits ? piece : piece.subarray(0, room))
      size += piece.length
      return fits
    },
    whole() {
      flush()
      return chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)
    },
  }
}
