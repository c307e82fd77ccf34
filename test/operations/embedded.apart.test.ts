// Short forms of the trials in this folder about the embedded database and its data directory, whatever DATABASE_URL says.

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { interruptBackup, stopBeforeAdopting } from './adopting.ts'
import { keepDown, killDatabase } from './database-crash.ts'
import { fillDisk, mountSmall, unmount } from './disk-full.ts'
import { startSecond } from './holder.ts'
import { newEmbeddedPlace, runCommand, startServer } from './server.ts'

test('the service lives through the end of its database, and tells callers to try again', async () => {
  const { faults, recoveries } = await killDatabase(1)

  expect(faults).toEqual([])
  expect(recoveries).toHaveLength(1)
})

test('a database that cannot be started is tried again until it can, and callers are refused meanwhile', async () => {
  expect(await keepDown(500)).toEqual([])
})

test.for([
  ['filled', 64 * 1024],
  ['that fills while changes are written', 27 * 1024 * 1024],
] as const)('a disk %s refuses what needs room, and nothing else, until there is room', async ([, left], { skip }) => {
  const directory = (await mountSmall(128)) ?? skip('Nothing can be mounted here, which takes root')

  const { faults, refusals } = await fillDisk(directory, left).finally(() => unmount(directory))

  expect(faults).toEqual([])
  expect(refusals.size).toBeGreaterThan(0)
})

test('a second server on the same data says who holds it and leaves, and the first goes on', async () => {
  const { faults } = await startSecond(1)

  expect(faults).toEqual([])
})

test('a start that is stopped before it has done anything ends the database that a killed service left', async () => {
  const { ended, adopted, left } = await stopBeforeAdopting()

  expect(adopted).toBeGreaterThan(0)
  expect({ ended, left }).toEqual({ ended: { code: 0, signal: null }, left: 0 })
})

test('a command that is interrupted stops the database that it started for itself', async () => {
  expect(await interruptBackup()).toEqual({ ended: { code: 130, signal: null }, left: 0 })
})

test('a rotation keeps the former root key, which backups made before it need', async () => {
  const place = await newEmbeddedPlace()
  await (await startServer(place)).end('SIGTERM')
  const before = await readFile(join(place.data, 'root-key'), 'utf8')

  const { out } = await runCommand(['root-key', 'rotate'], place.environment)

  const [, former = ''] = /former key: keep (\S+) for as long/.exec(out) ?? []
  const kept = await readFile(former, 'utf8')
  const { mode } = await stat(former)
  const after = await readFile(join(place.data, 'root-key'), 'utf8')
  await place.remove()
  expect(kept).toBe(before)
  expect(after).not.toBe(before)
  expect(mode & 0o777).toBe(0o600)
})
