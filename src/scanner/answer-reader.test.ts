// Answers are read however their bytes come in, and what that takes grows with their length alone.

import { afterEach, expect, test, vi } from 'vitest'
import { openReader } from './answer-reader.ts'

afterEach(() => vi.restoreAllMocks())

/** The answer after its bytes came in pieces of that length. */
function readInPieces(answer: string, length: number) {
  const reader = openReader('GET', 1_000_000)
  const bytes = Buffer.from(answer, 'latin1')
  let isWhole = false
  for (let at = 0; at < bytes.length; at += length) isWhole = reader.read(bytes.subarray(at, at + length))
  return { isWhole, head: reader.head(), body: reader.body().toString('latin1') }
}

const long = 'a1b2'.repeat(3_000)
const inChunks = `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nx-folded: one\r\n two\r\n\r\n5;note\r\nhello\r\n${long.length.toString(16)}\r\n${long}\r\n1\r\n!\r\n0\r\nx-end: 1\r\n\r\n`

test.each([1, 2, 3, 7, 64, 1_000, 5_000, 1_000_000])('an answer reads the same in pieces of %i bytes', (length) => {
  const { isWhole, head, body } = readInPieces(inChunks, length)

  expect(isWhole).toBe(true)
  expect(head).toEqual({
    status: 200,
    headers: [
      ['transfer-encoding', 'chunked'],
      ['x-folded', 'one two'],
    ],
  })
  expect(body).toBe(`hello${long}!`)
})

/** Bytes that were copied or looked through meanwhile. */
function workOf(act: () => void): number {
  let bytes = 0
  const { copy, indexOf } = Buffer.prototype
  const { concat } = Buffer
  vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...given) {
    const copied = copy.apply(this, given)
    bytes += copied
    return copied
  })
  vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from, encoding) {
    const at = indexOf.call(this, value, from, encoding)
    bytes += (at < 0 ? this.length : at) - Number(from ?? 0)
    return at
  })
  vi.spyOn(Buffer, 'concat').mockImplementation((parts, length) => {
    for (const part of parts) bytes += part.length
    return concat(parts, length)
  })
  act()
  vi.restoreAllMocks()
  return bytes
}

test.each([
  ['headers', `HTTP/1.1 200 OK\r\n${'x-some: header\r\n'.repeat(3_900)}\r\n`],
  ['a header', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(60_000)}\r\n\r\n`],
  ['a trailer', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ${'y'.repeat(60_000)}\r\n\r\n`],
])('%s that come byte by byte are each looked at a few times', (_, answer) => {
  const work = workOf(() => readInPieces(answer, 1))

  expect(work).toBeGreaterThan(answer.length)
  expect(work).toBeLessThan(10 * answer.length)
})
