// Finds where the lines of a piece of a diff end, sixteen bytes at a time.

/** Bytes that a piece has at most: they and the places of their newlines stay in the nearest caches of a processor. */
export const PIECE = 32 * 1024
const PIECE_AT = 64 * 1024
const NEWLINE = 10

/**
 * A piece of a diff: the first `size` of the bytes, which have newlines at the first `newlines` places of `ends`, in order. Those before
 * `next` are passed.
 */
export type Piece = { bytes: Buffer; size: number; ends: Uint16Array; newlines: number; next: number }

/** Memory for pieces; `find` fills `ends` for the first `size` bytes, and answers how many newlines they have. */
export type Scratch = Piece & { find(size: number): number }

declare const WebAssembly: {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer }; find(size: number): number } }
}

/**
 * The function `find` in the machine language of WebAssembly (webassembly.github.io/spec/core/binary), which has instructions for sixteen
 * bytes at once where JavaScript has none: a loop of its own takes five times as long, and a search for each newline twice. Its memory
 * has two pages of 64 KiB: the first takes the places, two bytes each, the second the piece.
 */
// biome-ignore format: a line is a step
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

/** Bytes that are looked at together: what follows the piece must hold no newline so far. */
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

/** The same without WebAssembly. */
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

/** A processor without such instructions, a runtime told to compile nothing, or a bound on addresses refuses the first. */
function open(): Scratch {
  try {
    return openCompiled()
  } catch {
    return openPlain()
  }
}

let scratch: Scratch | undefined

/** The piece of the chunk that starts at `from`. There is one piece at a time: the next one takes its memory. */
export function cutPiece(chunk: Buffer, from: number): Piece {
  scratch ??= open()
  scratch.size = chunk.copy(scratch.bytes, 0, from, from + PIECE)
  scratch.newlines = scratch.find(scratch.size)
  scratch.next = 0
  return scratch
}

/** Passes the next newline and answers with its place, or with -1 where the piece has none left. */
export const passNewline = (piece: Piece): number =>
  piece.next < piece.newlines ? (piece.ends[piece.next++] ?? -1) : -1
