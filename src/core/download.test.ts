// How downloads are answered: names, types, ranges.

import { describe, expect, test } from 'vitest'
import { attachmentDisposition, inertType, planDownload, readRange } from './download.ts'

const file = { filename: 'a.txt', contentType: 'text/plain', size: 10, sha256: 'ab'.repeat(32) }
const etag = `"${file.sha256}"`

describe('a disposition', () => {
  test.each([
    ['plain name.txt', `attachment; filename="plain name.txt"; filename*=UTF-8''plain%20name.txt`],
    ['a"b\\c.txt', `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b%5Cc.txt`],
    [
      'naïve – 報告.pdf',
      `attachment; filename="na_ve _ __.pdf"; filename*=UTF-8''na%C3%AFve%20%E2%80%93%20%E5%A0%B1%E5%91%8A.pdf`,
    ],
    ["it's (1)*.txt", `attachment; filename="it_s _1__.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    ['a\r\nx-evil: 1', `attachment; filename="a__x-evil_ 1"; filename*=UTF-8''a%0D%0Ax-evil%3A%201`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ])('names %j', (filename, expected) => {
    expect(attachmentDisposition(filename)).toBe(expected)
  })
})

test.each([
  ['text/html', 'application/octet-stream'],
  ['image/svg+xml', 'application/octet-stream'],
  ['application/xml', 'application/octet-stream'],
  ['application/javascript', 'application/octet-stream'],
  ['text/plain', 'text/plain'],
  ['image/png', 'image/png'],
])('a file of the type %s is sent as %s', (given, sent) => {
  expect(inertType(given)).toBe(sent)
})

test.each([
  [undefined, null],
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-300', { start: 0, end: 9 }],
  ['bytes=5-300', { start: 5, end: 9 }],
  ['BYTES=9-9', { start: 9, end: 9 }],
  ['bytes=10-', 'UNSATISFIABLE'],
  ['bytes=10-12', 'UNSATISFIABLE'],
  ['bytes=-0', 'UNSATISFIABLE'],
  ['bytes=5-2', null],
  ['bytes=0-1,4-5', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['items=0-1', null],
  ['bytes=99999999999999999999-', null],
] as const)('of ten bytes, the range %j is %j', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected)
})

test('a range of an empty file is unsatisfiable', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-5', 0)]).toEqual(['UNSATISFIABLE', 'UNSATISFIABLE'])
})

test('a whole file is inert in a browser', () => {
  const plan = planDownload(file, {})

  expect(plan).toEqual({
    status: 200,
    range: { start: 0, end: 9 },
    headers: {
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="a.txt"; filename*=UTF-8''a.txt`,
      'content-length': '10',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'text/plain',
      etag,
      'x-content-type-options': 'nosniff',
    },
  })
})

test('a range says what part of the file it is', () => {
  const { status, headers, range } = planDownload(file, { range: 'bytes=2-4' })

  expect([status, range]).toEqual([206, { start: 2, end: 4 }])
  expect(headers).toMatchObject({ 'content-length': '3', 'content-range': 'bytes 2-4/10' })
})

test('a range beyond the file says how long it is, and sends nothing', () => {
  const { status, headers, range } = planDownload(file, { range: 'bytes=10-' })

  expect([status, range]).toEqual([416, null])
  expect(headers).toMatchObject({ 'content-length': '0', 'content-range': 'bytes */10' })
})

test.each([
  [etag, 206],
  [`"${'cd'.repeat(32)}"`, 200],
  [`W/${etag}`, 200],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 200],
])('with If-Range %s a range is answered with %d', (ifRange, status) => {
  expect(planDownload(file, { range: 'bytes=0-1', 'if-range': ifRange }).status).toBe(status)
})

test('an empty file is sent whole, as no bytes', () => {
  const { status, headers, range } = planDownload({ ...file, size: 0 }, {})

  expect([status, headers['content-length'], range]).toEqual([200, '0', null])
})
