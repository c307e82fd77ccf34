// Objects that no row refers to are removed once they have been unused for long enough, and no others.

import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inside } from '../../test/testkit/inside.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { objectPath, openDisk } from './objects/disk.ts'
import { removeUnused, sweepObjects } from './sweeping.ts'

const HOUR = 3_600_000

async function newStore() {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-sweeping-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const objects = await openDisk(directory)
  const { db } = await inside()
  const { companyId } = await newWorld()
  const put = async () => {
    const { objectKey } = await objects.put(Readable.from([Buffer.from('bytes')]), 100)
    return objectKey
  }
  const refer = (objectKey: string) =>
    db
      .insertInto('stored_object')
      .values({
        company_id: companyId,
        object_key: objectKey,
        filename: 'a',
        content_type: 'text/plain',
        size: '5',
        sha256: Buffer.alloc(32),
      })
      .execute()
  /** As the clock has it that is set forward. */
  const age = async (objectKey: string) => {
    const before = new Date(Date.now() - HOUR)
    await utimes(objectPath(directory, objectKey), before, before)
  }
  return { db, objects, put, refer, age, kept: async () => (await Array.fromAsync(objects.list())).sort() }
}

test('of the objects that are named, those that no row refers to are removed, however many are asked for', async () => {
  const { db, objects, put, refer, kept } = await newStore()
  const [used, unused, notNamed] = [await put(), await put(), await put()]
  await refer(used)
  const gone = Array.from({ length: 1500 }, (_, at) => at.toString(16).padStart(40, '0'))

  const removed = await removeUnused(db, objects, [unused, ...gone, used])

  expect(removed).toBe(1501)
  expect(await kept()).toEqual([used, notNamed].sort())
})

test('an object that looks old is removed only once it was seen unused for as long, and stays when it comes to be used', async () => {
  const { db, objects, put, refer, age, kept } = await newStore()
  const [used, unused, later] = [await put(), await put(), await put()]
  await refer(used)
  for (const objectKey of [used, unused, later]) await age(objectKey)

  const atFirst = await sweepObjects(db, objects, 50)
  await refer(later)
  await vi.waitFor(async () => expect(await sweepObjects(db, objects, 50)).toBe(1), { timeout: 60_000 })

  expect(atFirst).toBe(0)
  expect(await kept()).toEqual([used, later].sort())
})

test('an object that is young by the clock is left, however long it was seen unused', async () => {
  const { db, objects, put, kept } = await newStore()
  const young = await put()

  await sweepObjects(db, objects, HOUR)
  const removed = await sweepObjects(db, objects, HOUR)

  expect([removed, await kept()]).toEqual([0, [young]])
})
