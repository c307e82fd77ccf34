// The object stores keep the same promises, on a disk and in a bucket; and what a bucket in trouble does to its callers.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeBucket, openBucket } from '../../../test/testkit/bucket.ts'
import { claimObjects, openObjects } from './open.ts'
import type { ObjectStore } from './store.ts'

let directory: string
let bucket: FakeBucket
const incoming = () => readdir(join(directory, 'objects', 'incoming'))
const inBucket = () => ({ name: bucket.name, prefix: 'merlon/', endpoint: bucket.endpoint, region: null })

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'known'
  process.env.AWS_SECRET_ACCESS_KEY = 'also known'
  directory = await mkdtemp(join(tmpdir(), 'merlon-objects-'))
  bucket = await openBucket('files')
})
afterAll(async () => {
  await bucket.stop()
  await rm(directory, { recursive: true })
})

const stores = {
  'on a disk': () => openObjects({ data: directory, bucket: null }),
  'in a bucket': () => openObjects({ data: directory, bucket: inBucket() }),
}

describe.each(Object.entries(stores))('a store %s', (_, open) => {
  let objects: ObjectStore
  beforeAll(async () => {
    objects = await open()
  })

  const put = (bytes: Buffer) => objects.put(Readable.from([bytes]), bytes.length)
  const bytesOf = async (...asked: Parameters<ObjectStore['read']>) =>
    Buffer.concat(await objects.read(...asked).toArray())

  test('gives back what it was given, whole or by range, until it is removed', async () => {
    const { objectKey, size } = await objects.put(Readable.from([Buffer.from('hello '), Buffer.from('world')]), 100)

    const whole = await bytesOf(objectKey)
    const part = await bytesOf(objectKey, { start: 6, end: 8 })
    await objects.remove(objectKey)
    await objects.remove(objectKey)

    expect([String(whole), String(part), size]).toEqual(['hello world', 'wor', 11])
    await expect(bytesOf(objectKey)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: false })
    expect(await objects.ageOf(objectKey)).toBe(Number.NEGATIVE_INFINITY)
  })

  test.each([0, 1, 3_000_001])('stores a file of %i bytes with its size and hash', async (length) => {
    const bytes = randomBytes(length)

    const stored = await put(bytes)

    expect(stored).toMatchObject({ size: length, sha256: createHash('sha256').update(bytes).digest() })
    expect((await bytesOf(stored.objectKey)).equals(bytes)).toBe(true)
    expect(Math.abs(await objects.ageOf(stored.objectKey))).toBeLessThan(60_000)
  })

  test.each([
    ['is too large', () => Readable.from([Buffer.alloc(101)])],
    ['breaks off', () => Readable.from(breaksOff())],
  ])('keeps nothing of what %s', async (_, bytes) => {
    const before = await Array.fromAsync(objects.list())

    await expect(objects.put(bytes(), 100)).rejects.toThrow()

    expect(await incoming()).toEqual([])
    expect(await Array.fromAsync(objects.list())).toEqual(before)
  })

  test.each(['../root-key', '', 'a', '/etc/passwd', `${'a'.repeat(39)}/`, 'A'.repeat(40)])(
    'has no object under %j',
    (objectKey) => {
      expect(() => objects.read(objectKey)).toThrow('Not the key of a stored object')
    },
  )

  test('lists every object, however many, and nothing else', async () => {
    await objects.claim('somebody')
    const before = await Array.fromAsync(objects.list())
    const keys: string[] = []
    for (let made = 0; made < 7; made++) keys.push((await put(Buffer.from([made]))).objectKey)

    const listed = await Array.fromAsync(objects.list())

    expect(listed.sort()).toEqual([...before, ...keys].sort())
  })

  test('removes nothing while it is held, whoever holds it', async () => {
    const { objectKey } = await put(Buffer.from('kept'))
    const release = await (await open()).hold()

    await objects.remove(objectKey)
    const whileHeld = await objects.ageOf(objectKey)
    await release()
    await objects.remove(objectKey)

    expect(whileHeld).toBeGreaterThan(Number.NEGATIVE_INFINITY)
    expect(await objects.ageOf(objectKey)).toBe(Number.NEGATIVE_INFINITY)
  })

  test('takes an object back under the key that it had', async () => {
    const objectKey = randomBytes(20).toString('hex')

    const stored = await objects.putBack(objectKey, Readable.from([Buffer.from('from elsewhere')]))
    await objects.putBack(objectKey, Readable.from([Buffer.from('mended')]))

    expect(stored.objectKey).toBe(objectKey)
    expect(String(await bytesOf(objectKey))).toBe('mended')
  })

  test('belongs to the installation that claimed it first, and refuses every other', async () => {
    await claimObjects(objects, await objects.claim('the first'))

    await expect(claimObjects(await open(), 'another')).rejects.toThrow(/belong to another installation/)
  })
})

async function* breaksOff(): AsyncGenerator<Buffer> {
  yield Buffer.from('some')
  throw new Error('broken off')
}

describe('a bucket in trouble', () => {
  let objects: ObjectStore
  beforeAll(async () => {
    objects = await stores['in a bucket']()
  })
  beforeEach(() => {
    bucket.troubles.length = 0
    bucket.asked.length = 0
  })

  const put = () => objects.put(Readable.from([Buffer.from('some bytes')]), 100)
  const refuses = (status: number, code: string) => ({ kind: 'REFUSES', status, code }) as const

  test.each([
    ['answers with a failure', refuses(503, 'SlowDown')],
    ['hangs up', { kind: 'HANGS_UP' } as const],
  ])('is sent a file again if it %s once', async (_, trouble) => {
    bucket.troubles.push(trouble)

    const { objectKey } = await put()

    expect(String(Buffer.concat(await objects.read(objectKey).toArray()))).toBe('some bytes')
  })

  test('keeps nothing of a file that it refuses for good, and says so without a retry', async () => {
    bucket.troubles.push(refuses(403, 'AccessDenied'))

    await expect(put()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The stored files cannot be reached in MERLON_OBJECTS, which answers AccessDenied',
      retryable: false,
    })
    expect(await incoming()).toEqual([])
    expect(bucket.asked).toHaveLength(1)
  })

  test('fails what reads an object that is cut off, instead of giving half of it', async () => {
    const { objectKey } = await put()
    bucket.troubles.push({ kind: 'CUTS' })

    await expect(objects.read(objectKey).toArray()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: true })
  })

  test('is told to the operator by its own word when the service starts', async () => {
    const elsewhere = await openObjects({ data: directory, bucket: { ...inBucket(), name: 'no-such-bucket' } })

    await expect(claimObjects(elsewhere, 'me')).rejects.toThrow(
      'The files in s3://no-such-bucket/merlon/ cannot be used: NoSuchBucket was told',
    )
  })

  test('that does not answer leaves a file unstored, retryable', async () => {
    const closed = await openBucket('files')
    await closed.stop()
    const unreachable = await openObjects({ data: directory, bucket: { ...inBucket(), endpoint: closed.endpoint } })

    await expect(unreachable.put(Readable.from([Buffer.from('x')]), 10)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryable: true,
    })
  })
})
