// The short forms of the trials beside this file that kill what serves: few rounds, the same checks.

import { expect, test } from 'vitest'
import { killWhileCarrying } from './carrying.ts'
import { keepDown, killDatabase } from './database-crash.ts'
import { fillDisk, mountSmall, unmount } from './disk-full.ts'
import { killWhileTelling } from './events.ts'
import { killWhileFirst } from './first-report.ts'
import { victims } from './interrupting.ts'
import { killServer } from './kill.ts'
import { killMigration, startMisfits } from './upgrades.ts'

test('what was acknowledged is kept when the server is killed, and nothing is there in part', async () => {
  const { faults, acknowledged } = await killServer(1, 300)

  expect(faults).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
})

test('what was committed is told once the killed server is back, in order for each object, and nothing else', async () => {
  const { faults, events } = await killWhileTelling(2, 400)

  expect(faults).toEqual([])
  expect(events).toBeGreaterThan(0)
})

test('the service lives through the end of its database, and tells callers to try again', async () => {
  const { faults, recoveries } = await killDatabase(1)

  expect(faults).toEqual([])
  expect(recoveries).toHaveLength(1)
})

test('a database that cannot be started is tried again until it can, and callers are refused meanwhile', async () => {
  expect(await keepDown(500)).toEqual([])
})

test.for(victims)(
  'a first report is in whole or not at all when the %s is killed while it is written, and goes in when it is sent again',
  async (victim) => {
    expect(await killWhileFirst(victim, 1, { findings: 4200, later: 0 })).toEqual([])
  },
)

test.for(victims)(
  'a deploy carries all findings or none when the %s is killed meanwhile, and carries them once when it is sent again',
  async (victim) => {
    expect(await killWhileCarrying(victim, 1, { findings: 2000, later: 0 })).toEqual([])
  },
)

test('a full disk refuses what needs room, and nothing else, until there is room', async ({ skip }) => {
  const directory = (await mountSmall(128)) ?? skip('Nothing can be mounted here, which takes root')

  const { faults, refusals } = await fillDisk(directory, 64 * 1024).finally(() => unmount(directory))

  expect(faults).toEqual([])
  expect(refusals.size).toBeGreaterThan(0)
})

test('a first start that is killed while it migrates is completed by the next', async () => {
  const { faults } = await killMigration(1)

  expect(faults).toEqual([])
})

test('a database that is newer than the program, or whose migrations were edited, is refused in a sentence', async () => {
  expect(await startMisfits()).toEqual([])
})
