// Wrong clocks: one that is off, or is set while the service runs, causes no loss, no early expiry, and no flood of jobs.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { objectPath } from '../../src/core/objects/disk.ts'
import { newKey } from '../../src/modules/access/keys.ts'
import { ask, isDone } from './client.ts'
import { findFaults } from './integrity.ts'
import { newJournal, startLoad } from './load.ts'
import { type Environment, newPlace, type Place, type Server, startServer } from './server.ts'
import { newHome } from './writes.ts'

/** The successive settings of a clock in libfaketime's notation: offsets from the true time. */
const settings = [['-1h'], ['+400d'], ['+0', '+400d', '-1h', '+0']] as const

const library = () =>
  ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`).find(existsSync)

/** The path of libfaketime, which is installed if necessary and permitted; undefined if it is not available. */
function findClockLibrary(): string | undefined {
  if (library() || process.getuid?.() !== 0) return library()
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', 'faketime'], { stdio: 'ignore', timeout: 120_000 })
  } catch {
    return undefined
  }
  return library()
}

/** Runs a service whose clock has each setting for a while; the database keeps the true time. */
async function runUnderClock(preload: string, clock: readonly string[]): Promise<string[]> {
  const place = await newPlace()
  const directory = await mkdtemp(join(tmpdir(), 'merlon-clock-'))
  const file = join(directory, 'clock')
  const set = async (offset: string) => {
    await writeFile(`${file}.new`, `${offset}\n`)
    await rename(`${file}.new`, file)
  }
  const environment: Environment = {
    LD_PRELOAD: preload,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
    LOG_LEVEL: 'info',
  }
  const faults: string[] = []
  try {
    await set(clock[0] ?? '+0')
    const server = await startServer(place, { environment })
    const client = await place.connect()
    const jobs = await countJobs(client)
    const journal = newJournal()
    const load = startLoad(await newHome({ url: server.url, key: server.key }), 2, journal)
    for (const offset of clock) {
      await set(offset)
      if (offset !== '+0' && !(await isMoved(client, server))) faults.push(`The clock was not set to ${offset}`)
      faults.push(...(await keyFaults(server, client)), ...(await sweepFaults(place, client)))
      // longer than the worker's polling interval
      await delay(6_000)
    }
    await load.stop()
    const added = (await countJobs(client)) - jobs
    // each deploy or import enqueues a job itself
    const most = 20 * clock.length + journal.acknowledged.length
    if (added > most) faults.push(`${added} jobs were enqueued while the clock was set, at most ${most} are expected`)
    faults.push(...(await findFaults(place, client, load.journal, null)), ...negativeAges(server))
    await client.end()
    const { code } = await server.end('SIGTERM')
    if (code !== 0) faults.push(`The process ended with ${code}`)
  } finally {
    await place.remove()
    await rm(directory, { recursive: true, force: true })
  }
  return faults.map((fault) => `With ${clock.join(', then ')}: ${fault}`)
}

/** Whether the process's clock, which dates audit records, is far from the database's. */
async function isMoved(client: Client, { url, key }: Server): Promise<boolean> {
  await newHome({ url, key })
  const { rows } = await client.query<{ moved: boolean }>(
    `select abs(extract(epoch from at - now())) > 3000 as moved from audit_record order by id desc limit 1`,
  )
  return rows[0]?.moved === true
}

/** The number of jobs ever enqueued. */
async function countJobs(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')), 0) as count`,
  )
  return Number(rows[0]?.count)
}

/** A key valid for two seconds works before they are over and not afterwards, by the database's clock. */
async function keyFaults({ url }: Server, client: Client): Promise<string[]> {
  const { key, publicId, hash } = newKey()
  await client.query(
    `insert into api_key (public_id, hash, user_id, name, scopes, expires_at)
     select $1, $2, id, 'Short', '{read}', now() + interval '2 seconds' from portal_user where is_administrator limit 1`,
    [publicId, hash],
  )
  const isTaken = async () => isDone(await ask({ url, key }, { query: '{ viewer { id } }', variables: {} }))
  const before = await isTaken()
  await delay(2_100)
  return before && !(await isTaken()) ? [] : ['A key did not end when it should']
}

/** A sweep spares what was stored just now, however old the clock makes it appear. */
async function sweepFaults({ data }: Place, client: Client): Promise<string[]> {
  const objectKey = `00${randomBytes(19).toString('hex')}`
  const file = objectPath(join(data, 'objects'), objectKey)
  await writeFile(join(data, 'objects', 'incoming', objectKey), 'stored just now')
  execFileSync('mkdir', ['-p', join(file, '..')])
  await rename(join(data, 'objects', 'incoming', objectKey), file)
  for (let turn = 0; turn < 2; turn += 1) {
    await client.query(`select graphile_worker.add_job('sweep-objects')`)
    await delay(500)
  }
  return existsSync(file) ? [] : ['A file that was just stored is gone']
}

/** Negative durations in the log. */
function negativeAges(server: Server): string[] {
  const negative = server.logged().match(/"milliseconds":-[0-9.]+/g) ?? []
  return negative.map((text) => `The log says ${text}`)
}

export async function run(rounds: number): Promise<string[]> {
  const preload = findClockLibrary()
  if (preload === undefined) {
    console.log('Not tried: libfaketime is not installed, and cannot be')
    return []
  }
  const faults: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const clock of settings) faults.push(...(await runUnderClock(preload, clock)))
  }
  console.log(`clocks at ${settings.map((clock) => clock.join(' then ')).join('; ')}: ${faults.length} faults`)
  return faults
}
