// Which files are analysed while they arrive, and that nothing tells such an analysis from one made afterwards.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDisk } from '../../core/objects/disk.ts'
import type { ObjectStore } from '../../core/objects/store.ts'
import { UploadedFile } from '../../core/uploads.ts'
import type { Role, Scope } from '../access/permissions.ts'
import type { Viewer } from '../context.ts'
import type { Analysis } from './analysis.ts'
import { analyseUploaded, readArrivingDiff } from './arriving.ts'

const DIFF = 'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n'
const PLACE = 'variables.input.diffContent'

const viewer = (role: Role, scopes: readonly Scope[]): Viewer => ({
  userId: '1',
  email: 'a@example.test',
  name: 'A',
  keyId: '1',
  keyPublicId: 'k',
  isAdministrator: false,
  scopes,
  memberships: new Map([['1', role]]),
  heldTo: null,
})

let directory: string
let objects: ObjectStore
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'arriving-'))
  objects = await openDisk(directory)
})
afterAll(() => rm(directory, { recursive: true }))

test('a diff that was read while it arrived gives what reading the stored file gives, however often it is asked for', async () => {
  const reading = readArrivingDiff(PLACE, viewer('DEVELOPER', ['write']))
  const chunks = Readable.from([Buffer.from(DIFF.slice(0, 50)), Buffer.from(DIFF.slice(50))])
  if (!reading) throw new Error('The diff is not read')
  const stored = await objects.put(chunks, 1000, reading)
  const file = new UploadedFile({ filename: 'a.diff', contentType: 'text/plain', stored })
  reading.arrived(file)

  const first = await analyseUploaded(objects, file)
  const again = await analyseUploaded(objects, file)

  expect(first).toMatchObject({ state: 'PARSED', added: 1, removed: 1 })
  expect(told(again)).toEqual(told(first))
})

test('a large diff, which is read in a thread, gives the same too', async () => {
  const reading = readArrivingDiff(PLACE, viewer('DEVELOPER', ['write']))
  const bytes = Buffer.from(`${rename}${Array.from({ length: 9000 }, (_, at) => changeOf(at)).join('')}`)
  if (!reading) throw new Error('The diff is not read')
  const stored = await objects.put(inPieces(bytes), bytes.length, reading)
  const file = new UploadedFile({ filename: 'a.diff', contentType: 'text/plain', stored })
  reading.arrived(file)

  const arriving = await analyseUploaded(objects, file)
  const again = await analyseUploaded(objects, file)

  expect(bytes.length).toBeGreaterThan(3 * 1024 * 1024)
  expect(arriving).toMatchObject({ state: 'PARSED', added: 18_000, removed: 9000 })
  expect(told(arriving)).toEqual(told(again))
})

const told = ({ files, ...analysis }: Analysis) => ({ ...analysis, length: files.length, files: [...files] })

const rename = 'diff --git a/von.ts b/für.ts\nsimilarity index 100%\nrename from von.ts\nrename to für.ts\n'

const changeOf = (at: number) =>
  `diff --git a/src/${at}.py b/src/${at}.py\nindex 1..2 100644\n--- a/src/${at}.py\n+++ b/src/${at}.py\n@@ -${at + 1},3 +${at + 1},4 @@ def f():\n` +
  `     ${'context '.repeat(at % 30)}\n-    old ${at}\n+    new ${'ü'.repeat(at % 90)}\n+    ${'x'.repeat(200)}\n     end\n`

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

test('a diff of so many changes that they take more memory than an upload may hold is read once it is stored', async () => {
  const reading = readArrivingDiff(PLACE, viewer('DEVELOPER', ['write']))
  const regions = 900_000
  const hunk = `@@ -1,${regions} +1,${2 * regions} @@\n${' \n+\n'.repeat(regions)}`
  const chunks = Readable.from([Buffer.from(`--- a/x\n+++ b/x\n`), Buffer.from(hunk)])
  if (!reading) throw new Error('The diff is not read')
  const stored = await objects.put(chunks, 10_000_000, reading)
  const file = new UploadedFile({ filename: 'a.diff', contentType: 'text/plain', stored })
  reading.arrived(file)

  const analysis = await analyseUploaded(objects, file)

  expect(analysis).toMatchObject({ state: 'PARSED', added: regions })
})

test.each<[string, string, Role, Scope[], boolean]>([
  ['a diff of a pipeline', PLACE, 'DEVELOPER', ['write'], true],
  ['a diff with a key that may only read', PLACE, 'DEVELOPER', ['read'], false],
  ['a diff of somebody who may only read', PLACE, 'READER', ['write'], false],
  ['another file', 'variables.input.commitHistory', 'OWNER', ['write'], false],
])('%s at %s, of %s with %j: read while it arrives: %s', (_, place, role, scopes, isRead) => {
  const reading = readArrivingDiff(place, viewer(role, scopes))

  expect(reading !== null).toBe(isRead)
})
