// Files as callers send them, and the store that keeps them.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ObjectStore, openObjects } from './objects.ts'
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

describe('the object store', () => {
  let directory: string
  let objects: ObjectStore
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'merlon-objects-'))
    objects = await openObjects(directory)
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('gives back what it was given, whole or by range, until it is removed', async () => {
    const { objectKey, size } = await objects.put(Readable.from([Buffer.from('hello '), Buffer.from('world')]), 100)

    const whole = Buffer.concat(await objects.read(objectKey).toArray()).toString()
    const part = Buffer.concat(await objects.read(objectKey, { start: 6, end: 8 }).toArray()).toString()
    await objects.remove(objectKey)
    await objects.remove(objectKey)

    expect([whole, part, size]).toEqual(['hello world', 'wor', 11])
    await expect(objects.read(objectKey).toArray()).rejects.toThrow()
  })

  test.each([
    ['is too large', () => Readable.from([Buffer.alloc(101)])],
    ['breaks off', () => Readable.from(breaksOff())],
  ])('keeps nothing of what %s', async (_, bytes) => {
    await expect(objects.put(bytes(), 100)).rejects.toThrow()

    expect(await readdir(join(directory, 'incoming'))).toEqual([])
  })

  test.each(['../root-key', '', 'a', '/etc/passwd', `${'a'.repeat(39)}/`, 'A'.repeat(40)])(
    'has no object under %j',
    (objectKey) => {
      expect(() => objects.read(objectKey)).toThrow('Not the key of a stored object')
    },
  )
})

async function* breaksOff(): AsyncGenerator<Buffer> {
  yield Buffer.from('some')
  throw new Error('broken off')
}
