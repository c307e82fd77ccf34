// A killed migration is completed by the next start, and a database that does not match the program is refused.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { newPlace, type Place, runCommand, startCommand, startServer } from './server.ts'

type UpgradeResult = { faults: string[]; applied: number[] }

/** The milliseconds after the start of the process within which it creates and starts the cluster. */
const LONGEST = 2_000

/** Kills the first migration of a new installation at a random moment, `rounds` times, and starts the server after each. */
export async function killMigration(rounds: number): Promise<UpgradeResult> {
  const result: UpgradeResult = { faults: [], applied: [] }
  for (let round = 0; round < rounds; round += 1) {
    const place = await newPlace()
    try {
      const migration = startCommand(['migrate'], place.environment)
      // Half of the kills come while the cluster is created and started, the others once some files are applied.
      const moment = round % 2 === 0 ? delay(randomInt(LONGEST)) : untilSomeApplied(place, 1 + randomInt(12))
      await Promise.race([moment, migration.ended])
      migration.child.kill('SIGKILL')
      await migration.ended
      result.applied.push(await countApplied(place))
      const server = await startServer(place)
      const { code } = await server.end('SIGTERM')
      if (code !== 0) result.faults.push(`The server ended with ${code}`)
      const { code: after, out } = await runCommand(['migrate'], place.environment)
      if (after !== 0 || !out.includes('is up to date')) result.faults.push(`Not all was applied: ${out}`)
    } catch (error) {
      result.faults.push(`After a killed migration: ${error instanceof Error ? error.message : error}`)
    } finally {
      await place.remove()
    }
  }
  return result
}

async function untilSomeApplied(place: Place, wanted: number): Promise<void> {
  const client = await untilConnected(place)
  const applied = async () =>
    (await client.query<{ count: number }>(COUNT).catch(() => ({ rows: [] }))).rows[0]?.count ?? 0
  while ((await applied()) < wanted) await delay(1)
  await client.end()
}

async function untilConnected(place: Place): Promise<Client> {
  for (;;) {
    const client = await place.connect().catch(() => null)
    if (client) return client
    await delay(2)
  }
}

const COUNT = 'select count(*)::int as count from merlon_migration'

/** The number of migrations that the database has; 0 while it cannot be queried. */
async function countApplied(place: Place): Promise<number> {
  const client = await place.connect().catch(() => null)
  if (!client) return 0
  const count = client.query<{ count: number }>(COUNT)
  const { rows } = await count.catch(() => ({ rows: [] })).finally(() => client.end().catch(() => {}))
  return rows[0]?.count ?? 0
}

/** Starts on databases that do not match: one newer than the program, and one with a migration that was edited since. */
export async function startMisfits(): Promise<string[]> {
  const place = await newPlace()
  const faults: string[] = []
  try {
    await (await startServer(place)).end('SIGTERM')
    await change(place, `insert into merlon_migration (version, name, hash) values (9999, '9999_later.sql', 'x')`)
    await expectRefusal(place, 'The database is newer than this program: it has migration 9999_later.sql', faults)
    await change(place, 'delete from merlon_migration where version = 9999')
    await change(place, `update merlon_migration set hash = 'x' || hash where version = 1`)
    await expectRefusal(place, 'Migration 0001_access.sql was changed after it was applied', faults)
    await change(place, 'update merlon_migration set hash = substring(hash from 2) where version = 1')
    await (await startServer(place)).end('SIGTERM')
  } finally {
    await place.remove()
  }
  return faults
}

/** Changes the database while no server runs on it. */
async function change(place: Place, statement: string): Promise<void> {
  const [client, close] = await openAlone(place)
  await client.query(statement).finally(() => client.end())
  await close()
}

async function openAlone(place: Place) {
  if (!place.isEmbedded) return [await place.connect(), async () => {}] as const
  const { startEmbedded } = await import('../../src/core/db/embedded.ts')
  const embedded = await startEmbedded({ dataDirectory: place.data, log: () => {} })
  return [await place.connect(), () => embedded.stop()] as const
}

async function expectRefusal(place: Place, sentence: string, faults: string[]): Promise<void> {
  const { code, err } = await runCommand(['serve'], { ...place.environment, PORT: '0', LOG_LEVEL: 'warn' })
  if (code !== 1 || err.trim() !== sentence) faults.push(`Expected “${sentence}”, got ${code}: ${err}`)
}

export async function run(rounds: number): Promise<string[]> {
  const { faults, applied } = await killMigration(rounds)
  const misfits = await startMisfits()
  console.log(
    `${rounds} migrations killed, with ${applied.sort((a, b) => a - b).join(', ')} applied; ${faults.length} faults`,
  )
  console.log(`a newer database and an edited migration: ${misfits.length} faults`)
  return [...faults, ...misfits]
}
