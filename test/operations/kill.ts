// What was acknowledged is kept when the server process is killed in the middle of its work, and nothing is there in part.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { spread } from './figures.ts'
import { findFaults } from './integrity.ts'
import { newJournal, retryOpen, startLoad } from './load.ts'
import { newPlace, somePort, startServer } from './server.ts'
import { newHome } from './writes.ts'

export type KillResult = { faults: string[]; acknowledged: number; retried: number; restarts: number[] }

/** Kills the server so many times under writes of six clients; each restart is checked, with retries of what had no answer. */
export async function killServer(rounds: number, underLoad = 700): Promise<KillResult> {
  const place = await newPlace()
  const port = somePort()
  const journal = newJournal()
  const result: KillResult = { faults: [], acknowledged: 0, retried: 0, restarts: [] }
  let server = await startServer(place, { port })
  try {
    const home = await newHome({ url: server.url, key: server.key })
    for (let round = 0; round < rounds; round += 1) {
      const load = startLoad(home, 6, journal)
      await delay(underLoad + randomInt(underLoad))
      await server.end('SIGKILL')
      await load.stop()
      server = await startServer(place, { port })
      result.restarts.push(server.startTime)
      const client = await place.connect()
      try {
        result.faults.push(...(await findFaults(place, client, journal, place.isEmbedded)))
        result.retried += await retryOpen(home, journal)
        result.faults.push(...(await findFaults(place, client, journal, false)))
      } finally {
        await client.end()
      }
      result.acknowledged += journal.acknowledged.length
      Object.assign(journal, newJournal())
    }
  } finally {
    await server.end('SIGTERM')
    await place.remove()
  }
  return result
}

export async function run(rounds: number): Promise<string[]> {
  const { faults, acknowledged, retried, restarts } = await killServer(rounds)
  console.log(
    `${rounds} kills: ${acknowledged} writes acknowledged, ${retried} of them by a retry; ${faults.length} faults`,
  )
  console.log(`from the start of the process to serving: ${spread(restarts)}`)
  return faults
}
