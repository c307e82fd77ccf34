// Finds the line ends in a piece of a diff, sixteen bytes at a time.

/** The largest piece in bytes: small enough for it and the positions of its newlines to stay in the processor's L1 and L2 caches. */
export const PIECE = 32 * 1024
const PIECE_AT = 64 * 1024
const NEWLINE = 10

/**
 * A piece of a diff: the first `size` of `bytes`, with newlines at the first `newlines` positions in `ends`, in order. Those before index
 * `next` have been passed.
 */
export type Piece = { bytes: Buffer; size: number; ends: Uint16Array; newlines: number; next: number }

/** Memory for pieces; `find` fills `ends` for the first `size` bytes, and returns the number of newlines. */
export type Scratch = Piece & { find(size: number): number }

declare const WebAssembly: {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer }; find(size: number): number } }
}

/**
 * The function `find` as WebAssembly binary code (webassembly.github.io/spec/core/binary), which has 128-bit SIMD instructions; JavaScript has
 * none. A loop in JavaScript takes five times as long, and an indexOf for each newline twice as long. The memory has two pages of 64 KiB:
 * the first for the positions, two bytes each, the second for the piece.
 */
// biome-ignore format: one line per step
const CODE = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // \0asm, version 1
  1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, // types: from an i32 to an i32
  3, 2, 1, 0, // functions: one, of that type
  5, 4, 1, 1, 2, 2, // memories: one of two pages
  7, 17, 2, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 4, 0x66, 0x69, 0x6e, 0x64, 0, 0, // exports: memory and find
  10, 92, 1, 90, 1, 3, 0x7f, // code: one body; local 0 is `size`, three more are `at`, `out` and `bits`, all 0
  2, 0x40, 3, 0x40, //         block loop
  0x20, 1, 0x20, 0, 0x4f, 0x0d, 1, //     leave the block if at >= size
  0x20, 1, 0xfd, 0, 0, 0x80, 0x80, 4, //  load 16 bytes from PIECE_AT + at,
  0x41, 10, 0xfd, 0x0f, 0xfd, 0x23, //    compare each with a newline,
  0xfd, 0x64, 0x21, 3, //                 bits = a bit for each that is one
  2, 0x40, 3, 0x40, //           block loop
  0x20, 3, 0x45, 0x0d, 1, //                                       leave the block if bits = 0
  0x20, 2, 0x20, 1, 0x20, 3, 0x68, 0x6a, 0x3b, 1, 0, //            store at + the place of the lowest bit at out, in two bytes
  0x20, 2, 0x41, 2, 0x6a, 0x21, 2, //                              out += 2
  0x20, 3, 0x20, 3, 0x41, 1, 0x6b, 0x71, 0x21, 3, 0x0c, 0, //      bits &= bits - 1, which clears the lowest bit; go on
  0x0b, 0x0b, //                 end
  0x20, 1, 0x41, 16, 0x6a, 0x21, 1, 0x0c, 0, //                    at += 16; go on
  0x0b, 0x0b, //               end
  0x20, 2, 0x41, 1, 0x76, 0x0b, // out / 2
)

/** Bytes examined together, so the bytes after the piece, up to a multiple of this, must not contain newlines. */
const TOGETHER = 16

export function openCompiled(): Scratch {
  const { memory, find } = new WebAssembly.Instance(new WebAssembly.Module(CODE)).exports
  const bytes = Buffer.from(memory.buffer, PIECE_AT, PIECE + TOGETHER)
  const ends = new Uint16Array(memory.buffer, 0, PIECE)
  const findPast = (size: number): number => {
    bytes.fill(0, size, size + TOGETHER)
    return find(size)
  }
  return { bytes, size: 0, ends, newlines: 0, next: 0, find: findPast }
}

/** The fallback without WebAssembly. */
export function openPlain(): Scratch {
  const bytes = Buffer.alloc(PIECE)
  const ends = new Uint16Array(PIECE)
  const find = (size: number): number => {
    let found = 0
    for (let at = 0; at < size; at++) if (bytes[at] === NEWLINE) ends[found++] = at
    return found
  }
  return { bytes, size: 0, ends, newlines: 0, next: 0, find }
}

/** Falls back if the processor has no SIMD, if the runtime forbids code generation, or if address space is limited. */
function open(): Scratch {
  try {
    return openCompiled()
  } catch {
    return openPlain()
  }
}

let scratch: Scratch | undefined

/** The piece of the chunk that starts at `from`. Only one piece exists at a time: the next one reuses its memory. */
export function cutPiece(chunk: Buffer, from: number): Piece {
  scratch ??= open()
  scratch.size = chunk.copy(scratch.bytes, 0, from, from + PIECE)
  scratch.newlines = scratch.find(scratch.size)
  scratch.next = 0
  return scratch
}

/** Advances to the next newline and returns its position, or -1 if the piece has no more. */
export const passNewline = (piece: Piece): number =>
  piece.next < piece.newlines ? (piece.ends[piece.next++] ?? -1) : -1
