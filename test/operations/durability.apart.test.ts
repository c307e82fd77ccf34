// Short forms of the trials in this folder that kill processes: few rounds, the same checks.

import { expect, test } from 'vitest'
import { killWhileTelling } from './events.ts'
import { killServer } from './kill.ts'
import { killMigration, startMisfits } from './upgrades.ts'

test('what was acknowledged is kept when the server is killed, and nothing is there in part', async () => {
  const { faults, acknowledged } = await killServer(1, 300)

  expect(faults).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
})

test('what was committed is delivered once the killed server is back, in order for each object, and nothing else', async () => {
  const { faults, events } = await killWhileTelling(2, 400)

  expect(faults).toEqual([])
  expect(events).toBeGreaterThan(0)
})

test('a first start that is killed while it migrates is completed by the next', async () => {
  const { faults } = await killMigration(1)

  expect(faults).toEqual([])
})

test('a database that is newer than the program, or whose migrations were edited, is refused in a sentence', async () => {
  expect(await startMisfits()).toEqual([])
})
