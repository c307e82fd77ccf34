// Where the lines of a piece end: the same with WebAssembly as without, whatever the bytes and however many.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutPiece, openCompiled, openPlain, PIECE, passNewline, type Scratch } from './line-ends.ts'

const NEWLINE = 10

const placesIn = (bytes: Uint8Array): number[] =>
  [...bytes.entries()].flatMap(([at, byte]) => (byte === NEWLINE ? at : []))

function foundBy(scratch: Scratch, bytes: Uint8Array): number[] {
  scratch.bytes.set(bytes)
  return [...scratch.ends.subarray(0, scratch.find(bytes.length))]
}

const ways = [
  ['with WebAssembly', openCompiled()],
  ['without it', openPlain()],
] as const

test.each(ways)(
  '%s every newline of a piece is found, and none that a longer one before it left behind',
  (_, scratch) => {
    const byte = fc.oneof(fc.constant(NEWLINE), fc.nat(255))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(byte, { maxLength: 100 }), (first, second) => {
        for (const bytes of [first, Uint8Array.from(second)]) expect(foundBy(scratch, bytes)).toEqual(placesIn(bytes))
      }),
    )
  },
)

test.each(ways)('%s a whole piece of newlines alone, and one without any, are read to their ends', (_, scratch) => {
  const [all, none] = [NEWLINE, 0].map((byte) => foundBy(scratch, new Uint8Array(PIECE).fill(byte)))

  expect(all).toEqual(Array.from({ length: PIECE }, (_, at) => at))
  expect(none).toEqual([])
})

test('a chunk is cut into pieces from any place, each with its newlines in order', () => {
  const chunk = Buffer.from('line\n'.repeat(PIECE))
  const found: number[] = []

  for (let at = 3; at < chunk.length; ) {
    const piece = cutPiece(chunk, at)
    for (let end = passNewline(piece); end >= 0; end = passNewline(piece)) found.push(at + end)
    at += piece.size
  }

  expect(found).toEqual(placesIn(chunk))
})
