// The service survives a crash of its embedded database: callers are told to retry, and nothing acknowledged is lost.

import { randomInt } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, isDone } from './client.ts'
import { milliseconds, spread } from './figures.ts'
import { findFaults } from './integrity.ts'
import { newJournal, retryOpen, startLoad } from './load.ts'
import { newEmbeddedPlace, type Place, type Server, startServer } from './server.ts'
import { newHome } from './writes.ts'

type CrashResult = { faults: string[]; acknowledged: number; recoveries: number[]; slowest: number }

/** Kills the database `rounds` times while six clients write. */
export async function killDatabase(rounds: number): Promise<CrashResult> {
  const place = await newEmbeddedPlace()
  const result: CrashResult = { faults: [], acknowledged: 0, recoveries: [], slowest: 0 }
  const server = await startServer(place)
  try {
    const home = await newHome({ url: server.url, key: server.key })
    for (let round = 0; round < rounds; round += 1) {
      const journal = newJournal()
      const load = startLoad(home, 6, journal)
      await delay(300 + randomInt(700))
      const killed = await databasePid(place)
      process.kill(killed, 'SIGKILL')
      result.recoveries.push(await untilReady(place, server, killed))
      await delay(200)
      await load.stop()
      const client = await place.connect()
      await retryOpen(home, journal)
      result.faults.push(...(await findFaults(place, client, journal, null)))
      await client.end()
      result.acknowledged += journal.acknowledged.length
      result.slowest = Math.max(result.slowest, journal.slowest)
    }
    if (server.child.exitCode !== null) result.faults.push('The process ended with its database')
  } finally {
    const { code } = await server.end('SIGTERM')
    if (code !== 0) result.faults.push(`The process ended with ${code}`)
    await place.remove()
  }
  return result
}

/** The process id of the database, or NaN while no postmaster has written its own. */
export const databasePid = async ({ data }: Place): Promise<number> =>
  Number((await readFile(join(data, 'postgres', 'postmaster.pid'), 'utf8').catch(() => 'none')).split('\n')[0])

/**
 * Milliseconds until a database other than the killed one runs and the service reads from it. Backends of the killed
 * one still answer for a while.
 */
export async function untilReady(place: Place, { url, key }: Server, killed: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    const pid = await databasePid(place)
    if (pid !== killed && !Number.isNaN(pid)) {
      const read = await ask({ url, key }, { query: '{ companies { collection { id } } }', variables: {} })
      if (isDone(read)) return performance.now() - began
    }
    await delay(10)
  }
}

const TRIED = 'The database could not be started; another attempt follows'

/** in milliseconds, for the first attempt on however busy a machine */
const MOST_WAITED = 20_000

/** Kills the database and prevents its start for a while: callers are refused, and it is started as soon as it can be. */
export async function keepDown(pause: number): Promise<string[]> {
  const place = await newEmbeddedPlace()
  const faults: string[] = []
  const server = await startServer(place)
  const cluster = join(place.data, 'postgres')
  try {
    const killed = await databasePid(place)
    await rename(cluster, `${cluster}.away`)
    process.kill(killed, 'SIGKILL')
    await delay(pause)
    for (let waited = 0; waited < MOST_WAITED && !server.logged().includes(TRIED); waited += 50) await delay(50)
    const outcome = await ask({ url: server.url, key: server.key }, { query: '{ viewer { id } }', variables: {} })
    const failure = outcome.kind === 'answered' ? outcome.failures[0] : undefined
    if (failure?.extensions.code !== 'UNAVAILABLE') faults.push(`While it is down: ${JSON.stringify(outcome)}`)
    if ((await fetch(`${server.url}/readyz`)).status !== 503) faults.push('/readyz does not say that it is down')
    await rename(`${cluster}.away`, cluster)
    await untilReady(place, server, killed)
    if (!server.logged().includes(TRIED)) {
      faults.push(`The log does not tell of attempts: ${server.logged()}`)
    }
  } finally {
    const { code } = await server.end('SIGTERM')
    if (code !== 0) faults.push(`The process ended with ${code}`)
    await place.remove()
  }
  return faults
}

export async function run(rounds: number): Promise<string[]> {
  const { faults, acknowledged, recoveries, slowest } = await killDatabase(rounds)
  faults.push(...(await keepDown(3_000)))
  console.log(`${rounds} kills of the database: ${acknowledged} writes acknowledged, ${faults.length} faults`)
  console.log(`from the kill to ready: ${spread(recoveries)}; the slowest request took ${milliseconds(slowest)}`)
  return faults
}
