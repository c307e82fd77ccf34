// Short forms of the trials in this folder about operating: starts, stops, backups.

import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { SERVING } from '../../bin/serving.mjs'
import { backUpAndRestore, damages, restoreDamaged } from './backup.ts'
import { closesKeptConnections, stopUnderLoad, stopWhileStarting } from './drain.ts'
import { backUpWithoutSome } from './lacking.ts'
import { newPlace, runCommand, startServer } from './server.ts'
import { serveThrough, startWithoutAddress } from './user.ts'
import { newHome } from './writes.ts'

test('a stop answers everything in flight and exits with 0, also when it is signalled twice', async () => {
  const { faults, answered } = await stopUnderLoad(2)

  expect(faults).toEqual([])
  expect(answered).toBe(100)
})

test('a service that stops tells callers to close the connections that they keep', async () => {
  const place = await newPlace()

  const { before, after } = await closesKeptConnections(place).finally(() => place.remove())

  expect({ before, after }).toEqual({ before: 'keep-alive', after: 'close' })
})

test.each([
  { command: ['npm', 'start', '--', '--no-worker'], signal: 'SIGTERM' },
  { command: ['npm', 'start', '--', '--no-worker'], signal: 'SIGINT' },
  { command: ['node', 'bin/merlon.mjs', 'serve', '--no-worker'], signal: 'SIGTERM' },
] as const)(
  '$command serves as asked and in little memory, passes $signal on, and ends with 0 after the service',
  async (row) => {
    expect(await serveThrough(row.command, row.signal)).toEqual({
      options: SERVING,
      flag: '--no-worker',
      code: 0,
      isLeft: false,
    })
  },
)

test('a first start that is stopped on its way leaves nothing running', async () => {
  expect(await stopWhileStarting(1)).toEqual([])
})

test('the command that a start names next works as it is printed, in any folder', async () => {
  const place = await newPlace()
  const server = await startServer(place)
  const [, printed = ''] = /^Next: (.+)$/m.exec(server.said()) ?? []

  const { stdout } = await promisify(execFile)('sh', ['-c', printed.replace('<the key>', server.key)], {
    cwd: tmpdir(),
  }).finally(async () => {
    await server.end('SIGTERM')
    await place.remove()
  })

  expect(stdout).toContain('My company')
})

test('a start without its port or address says so in a sentence and leaves no database running', async () => {
  expect(await startWithoutAddress()).toEqual([])
})

test('a backup made while writes go on restores to the same rows and files', async () => {
  const { faults, objects } = await backUpAndRestore(700)

  expect(faults).toEqual([])
  expect(objects).toBeGreaterThan(0)
})

test('a backup that was cut short or altered is refused, and leaves neither rows nor files', async () => {
  const chosen = damages.filter(({ what }) => ['half a table', 'another object'].includes(what))

  const { faults, refused } = await restoreDamaged(chosen)

  expect(faults).toEqual([])
  expect(refused).toBe(2)
})

test('a backup saves all but the files that are lost or altered, names those, and restores without them', async () => {
  const { keys, backup, restore, bare, rowsAlone } = await backUpWithoutSome()

  const [kept, lost, altered] = [keys['kept.txt'], keys['lost.txt'], keys['altered.txt']]
  expect(backup.ended).toMatchObject({ code: 1, out: expect.stringContaining(' and 1 object were written') })
  expect(backup.ended.err).toMatch(/^The backup can be restored, but it lacks .*lost\.txt of company \d+/)
  expect([lost, altered, kept].map((key) => backup.ended.err.includes(key))).toEqual([true, true, false])
  expect(backup.files).toEqual([kept])
  expect(restore.ended).toMatchObject({
    code: 0,
    out: expect.stringMatching(/The backup lacked these files: .*lost\.txt/),
  })
  expect(restore.files).toEqual([kept])
  expect(bare).toMatchObject({
    ended: { code: 1, err: expect.stringMatching(/^None of the 3 stored files/) },
    files: [],
  })
  expect(rowsAlone).toMatchObject({ ended: { code: 0, out: expect.stringContaining('Left out: 3 stored files') } })
  expect(rowsAlone.files).toEqual([])
})

test('the record of changes is checked on the database, and a record that was edited is named', async () => {
  const place = await newPlace()
  const server = await startServer(place)
  const access = { url: server.url, key: server.key }
  const home = await newHome(access)
  const client = await place.connect()

  const whole = await runCommand(['audit', 'verify'], place.environment)
  const { rows } = await client.query(`update audit_record set object = 'Asset 999' where object = $1 returning id`, [
    `Asset ${home.assetId}`,
  ])
  const edited = await runCommand(['audit', 'verify'], place.environment)
  await client.end()
  await server.end('SIGTERM')
  const after = await runCommand(['audit', 'verify'], place.environment)
  await place.remove()

  expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ records are as they were written/) })
  expect(edited).toMatchObject({
    code: 1,
    err: expect.stringContaining(`changed after they were written: ${rows[0].id}\n`),
  })
  expect(after.code).toBe(1)
})
