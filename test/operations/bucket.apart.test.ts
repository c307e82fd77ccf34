// Backups and restores of an installation with its files in a bucket, also in one that fails, hangs up or belongs to another.

import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FakeBucket, openBucket } from '../testkit/bucket.ts'
import { contentOf, withAttachments } from './attachments.ts'
import { type Environment, newPlace, type Place, runCommand, startCommand, startServer } from './server.ts'

let work: string
let bucket: FakeBucket
let other: FakeBucket
let source: Place
let keys: Awaited<ReturnType<typeof withAttachments>>
let whole: string
const places: Place[] = []
const access = { AWS_ACCESS_KEY_ID: 'known', AWS_SECRET_ACCESS_KEY: 'also known' }

const isFile = (wanted: string) => /^(GET|PUT|HEAD) files\/[0-9a-f]{40}$/.test(wanted)
const filesIn = ({ objects }: FakeBucket) =>
  Object.fromEntries(
    [...objects]
      .filter(([key]) => isFile(`GET ${key}`))
      .map(([key, { bytes }]) => [key.slice('files/'.length), String(bytes)]),
  )
const objectsIn = ({ endpoint, name }: FakeBucket): Environment => ({
  ...access,
  MERLON_OBJECTS: `s3://${name}/files`,
  MERLON_OBJECTS_ENDPOINT: endpoint,
})

/** A new place, with its files in a bucket if one is given. */
async function anotherPlace(files: FakeBucket | null): Promise<Place> {
  const place = await newPlace()
  if (files !== null) Object.assign(place.environment, objectsIn(files))
  places.push(place)
  return place
}

const backUp = (name: string) => runCommand(['backup', join(work, name)], source.environment)
const restore = (name: string, to: Place) => runCommand(['restore', join(work, name)], to.environment)
const written = (name: string) => readdir(join(work, name))

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'merlon-bucket-'))
  bucket = await openBucket('one')
  source = await anotherPlace(bucket)
  keys = await withAttachments(source)
  whole = 'whole'
  expect(await backUp(whole)).toMatchObject({ code: 0, out: expect.stringContaining('and 3 objects were written') })
})
afterAll(async () => {
  for (const place of places) await place.remove()
  await bucket.stop()
  await rm(work, { recursive: true, force: true })
})
afterEach(async () => {
  bucket.lasting = null
  await other?.stop()
})

test('a backup goes into another bucket and into a directory, and serves what it had from there', async () => {
  other = await openBucket('two')
  const [inBucket, inDirectory] = [await anotherPlace(other), await anotherPlace(null)]

  const [first, second] = [await restore(whole, inBucket), await restore(whole, inDirectory)]

  expect([first, second]).toMatchObject([{ code: 0 }, { code: 0 }])
  expect(filesIn(other)).toEqual(filesIn(bucket))
  expect([await downloadFrom(inBucket), await downloadFrom(inDirectory)]).toEqual([
    contentOf('kept.txt'),
    contentOf('kept.txt'),
  ])
})

/** Starts the restored installation with the keys of the source, and downloads its first attachment. */
async function downloadFrom(place: Place): Promise<string> {
  for (const file of ['root-key', 'admin-key']) await copyFile(join(source.data, file), join(place.data, file))
  const server = await startServer(place)
  const answer = await fetch(`${server.url}/attachments/1`, { headers: { 'x-api-key': server.key } })
  const text = await answer.text()
  await server.end('SIGTERM')
  return text
}

test('a backup lacks what is missing in its bucket or was altered there, says so, and is restored without', async () => {
  other = await openBucket('two')
  const [lost, altered] = [`files/${keys['lost.txt']}`, `files/${keys['altered.txt']}`]
  const before = new Map(bucket.objects)
  bucket.objects.delete(lost)
  bucket.objects.set(altered, { bytes: Buffer.from('Other bytes'), changedAt: new Date() })

  const backup = await backUp('some')
  const restored = await restore('some', await anotherPlace(other))

  for (const [key, object] of before) bucket.objects.set(key, object)
  expect(backup).toMatchObject({ code: 1, out: expect.stringContaining('and 1 object were written') })
  for (const key of [keys['lost.txt'], keys['altered.txt']]) {
    expect(backup.err).toContain(key)
    expect(restored.out).toContain(key)
  }
  expect(restored.code).toBe(0)
  expect(filesIn(other)).toEqual({ [keys['kept.txt']]: contentOf('kept.txt') })
})

test('a backup outlives a bucket that is cut off once', async () => {
  let cuts = 1
  bucket.lasting = { isOf: (wanted) => isFile(wanted) && cuts-- > 0, trouble: { kind: 'CUTS' } }

  const backup = await backUp('cut')

  expect(cuts).toBeLessThan(0)
  expect(backup).toMatchObject({ code: 0, out: expect.stringContaining('and 3 objects were written') })
})

test.each([
  ['from the start', () => true],
  ['in the middle', (wanted: string) => !wanted.includes('held') && !wanted.endsWith(keys['kept.txt'])],
])('a backup whose bucket is out of reach %s ends with a sentence, and leaves nothing behind', async (when, isLost) => {
  bucket.lasting = { isOf: isLost, trouble: { kind: 'HANGS_UP' } }

  const backup = await backUp(when)

  expect(backup).toMatchObject({
    code: 1,
    err: 'The stored files cannot be reached in MERLON_OBJECTS: socket hang up\n',
  })
  expect(await written(when)).toEqual([])
})

test('a restore whose bucket goes away ends with a sentence, and succeeds once the bucket is back', async () => {
  other = await openBucket('two')
  const target = await anotherPlace(other)
  let files = 0
  const isLost = (wanted: string) => {
    if (isFile(wanted)) files += 1
    return files > 3
  }
  other.lasting = { isOf: isLost, trouble: { kind: 'HANGS_UP' } }

  const failed = await restore(whole, target)
  other.lasting = null
  const again = await restore(whole, target)

  expect(failed).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The stored files cannot be reached in [^\n]+\n$/),
  })
  expect(again.code).toBe(0)
  expect(filesIn(other)).toEqual(filesIn(bucket))
})

test('a backup is not restored among the files of another installation', async () => {
  other = await openBucket('two')
  const theirs = { bytes: Buffer.from('theirs'), changedAt: new Date() }
  other.objects.set('files/owner', theirs).set(`files/${'a'.repeat(40)}`, theirs)
  const target = await anotherPlace(other)

  const refused = await restore(whole, target)
  const after = filesIn(other)
  other.objects.delete(`files/${'a'.repeat(40)}`)
  const restored = await restore(whole, target)

  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('belong to another installation') })
  expect(after).toEqual({ ['a'.repeat(40)]: 'theirs' })
  expect(restored.code).toBe(0)
  expect(await downloadFrom(target)).toBe(contentOf('kept.txt'))
})

test('a restore into the bucket of the installation that was backed up says that both must not run', async () => {
  const restored = await restore(whole, await anotherPlace(bucket))

  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('never let both run') })
})

test.each([
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
] as const)('a backup that is told to end by $signal leaves nothing behind', async ({ signal, code }) => {
  const backup = startBackup(signal)
  await untilItWaits()

  backup.child.kill(signal)

  expect(await backup.ended).toMatchObject({
    code,
    err: expect.stringMatching(/^The backup was interrupted; nothing /),
  })
  expect(await written(signal)).toEqual([])
  expect([...bucket.objects.keys()]).not.toContain('files/held-for-backup')
})

test('what a killed backup leaves is told from a backup, by the next one and by a restore', async () => {
  const backup = startBackup('killed')
  await untilItWaits()
  backup.child.kill('SIGKILL')
  await backup.ended
  bucket.lasting = null

  const [next, restored, over] = [
    await backUp('killed'),
    await restore('killed', await anotherPlace(null)),
    await backUp(whole),
  ]

  expect(next).toMatchObject({ code: 1, err: expect.stringContaining('has an unfinished backup') })
  expect(restored).toMatchObject({ code: 1, err: expect.stringContaining('holds an unfinished backup') })
  expect(over).toMatchObject({ code: 1, err: expect.stringContaining('has a backup already') })
})

/** Starts a backup that gets no answer when it asks for the first file. */
function startBackup(name: string) {
  bucket.asked.length = 0
  bucket.lasting = { isOf: isFile, trouble: { kind: 'WAITS' } }
  return startCommand(['backup', join(work, name)], source.environment)
}

async function untilItWaits(): Promise<void> {
  while (!bucket.asked.some(isFile)) await delay(20)
}
