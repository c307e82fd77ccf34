// Files that are written as they arrive: whole and hashed whatever their size, read whichever way they take, and gone without a trace.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectPath, openDisk } from '../objects/disk.ts'
import type { ObjectStore } from '../objects/store.ts'
import { takeLane } from './lanes.ts'
import type { Reader } from './way.ts'

const KiB = 1024
const MiB = 1024 * KiB

let directory: string
let objects: ObjectStore
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'durable-'))
  objects = await openDisk(directory)
})
afterAll(() => rm(directory, { recursive: true }))

/** The bytes in pieces of sizes that fit no block. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 77_777) yield bytes.subarray(at, at + 77_777)
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const count = new URL('../../../test/testkit/counting-reader.ts', import.meta.url)

test.each([0, 1, 256 * KiB - 1, 256 * KiB, 256 * KiB + 1, MiB - 1, MiB, MiB + 1, 4 * MiB, 9 * MiB + 4095])(
  'a file of %i bytes is stored as it came, with its size and hash',
  async (size) => {
    const bytes = randomBytes(size)

    const stored = await objects.put(inPieces(bytes), size)

    const kept = await readFile(objectPath(directory, stored.objectKey))
    expect(kept.equals(bytes)).toBe(true)
    expect({ ...stored, sha256: stored.sha256.toString('hex') }).toMatchObject({ size, sha256: digest(bytes) })
  },
)

test('more large files at once than there are lanes are each stored as they came', async () => {
  const files = Array.from({ length: 9 }, (_, at) => randomBytes(3 * MiB + at))

  const stored = await Promise.all(files.map((bytes) => objects.put(inPieces(bytes), 10 * MiB)))

  expect(stored.map(({ sha256 }) => sha256.toString('hex'))).toEqual(files.map(digest))
  for (const [at, { objectKey }] of stored.entries()) {
    expect((await readFile(objectPath(directory, objectKey))).equals(files[at] ?? Buffer.alloc(0))).toBe(true)
  }
})

test.each(['is cut short', 'is larger than what is allowed'])(
  'a large file that %s leaves nothing, and its lane is free',
  async (why) => {
    const before = await everything()
    async function* cut(): AsyncGenerator<Buffer> {
      yield randomBytes(5 * MiB)
      if (why === 'is cut short') throw new Error('The sender has left')
      yield randomBytes(MiB)
    }

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => objects.put(cut(), 5 * MiB + 1)))

    expect(outcomes.map(({ status }) => status)).toEqual(new Array(8).fill('rejected'))
    expect(await everything()).toEqual(before)
    const lanes = Array.from({ length: 5 }, takeLane)
    for (const lane of lanes) lane?.release()
    expect(lanes.map((lane) => lane !== null)).toEqual([true, true, true, true, false])
  },
)

const everything = async () => (await readdir(directory, { recursive: true })).sort()

test('a small file is read where it arrives, and a large one from its start in a thread, until its reader wants no more', async () => {
  const told: unknown[] = []
  let pushed = 0
  const reader = (most: number): Reader => ({
    push(chunk) {
      pushed += chunk.length
    },
    inThread: () => ({
      module: count,
      told(what: unknown) {
        told.push(what)
        return told.length < most
      },
    }),
  })

  await objects.put(inPieces(randomBytes(200 * KiB)), MiB, reader(9))
  const ofSmall = { pushed, told: [...told] }
  await objects.put(inPieces(randomBytes(2 * MiB + 5)), 3 * MiB, reader(9))
  const ofLarge = told.splice(0)
  await objects.put(inPieces(randomBytes(20 * MiB)), 20 * MiB, reader(2))

  expect(ofSmall).toEqual({ pushed: 200 * KiB, told: [] })
  expect(ofLarge).toEqual([MiB, 2 * MiB, 2 * MiB + 5, 'ended after 2097157'])
  expect(told).toEqual([MiB, 2 * MiB])
})

test('a reader that fails in the thread fails the file that it read, and the next has a thread again', async () => {
  const reader = (module: URL): Reader => ({ push() {}, inThread: () => ({ module, told: () => true }) })
  const failing = new URL('./no-such-reader.ts', import.meta.url)

  const failed = objects.put(inPieces(randomBytes(2 * MiB)), 2 * MiB, reader(failing))
  await expect(failed).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const bytes = randomBytes(2 * MiB)
  const stored = await objects.put(inPieces(bytes), 2 * MiB, reader(count))

  expect(stored.sha256.toString('hex')).toBe(digest(bytes))
})
