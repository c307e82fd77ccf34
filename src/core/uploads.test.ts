// Files as callers send them.

import { describe, expect, test } from 'vitest'
import { readUpload, UploadedFile } from './uploads.ts'

const named = (filename: string, contentType = 'text/plain') => new UploadedFile({ filename, contentType })

describe('a file', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\a.txt', 'a.txt'],
    ['..', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['a/', 'file'],
    ['a\u0000b\r\nc.txt', 'abc.txt'],
    ['evil\u202Egpj.exe', 'evilgpj.exe'],
    ['a\u200F\u061Cb\u2028c.txt', 'abc.txt'],
    ['  spaced.txt ', 'spaced.txt'],
    ['n'.repeat(300), 'n'.repeat(255)],
    [`${'n'.repeat(254)}😀`, `${'n'.repeat(254)}\ufffd`],
    ['日本語.txt', '日本語.txt'],
  ])('called %j is called %j here', (given, name) => {
    expect(named(given).filename).toBe(name)
  })

  test.each([
    ['text/plain', 'text/plain'],
    ['Text/HTML; charset=utf-8', 'text/html'],
    ['', 'application/octet-stream'],
    ['x', 'application/octet-stream'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    [`a/${'b'.repeat(200)}`, 'application/octet-stream'],
  ])('of type %j is of type %j here', (given, type) => {
    expect(named('a', given).contentType).toBe(type)
  })

  test('inside JSON has as many bytes as are allowed, and no more', () => {
    const base64 = (size: number) => Buffer.alloc(size).toString('base64')

    expect(readUpload({ filename: 'a', base64: base64(10) }, 10)).toMatchObject({
      size: 10,
      contentType: 'application/octet-stream',
    })
    for (const size of [11, 12, 13, 1000]) {
      expect(() => readUpload({ filename: 'a', base64: base64(size) }, 10)).toThrow(
        expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
      )
    }
  })
})
