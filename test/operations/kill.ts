// Acknowledged writes survive when the server is killed in the middle of its work, and nothing is stored in part.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { spread } from './figures.ts'
import { awaitImports, findFaults } from './integrity.ts'
import { newJournal, retryOpen, startLoad } from './load.ts'
import { newPlace, type Place, somePort, startServer } from './server.ts'
import { newHome } from './writes.ts'

/** milliseconds until jobs of a dead worker are given to another, with some margin */
const MOST_WAITED = 120_000

type KillResult = {
  faults: string[]
  acknowledged: number
  retried: number
  restarts: number[]
  imports: number
  jobs: number
}

/**
 * Kills the server `rounds` times while six clients write; after each restart it is checked, and unanswered writes are
 * retried.
 */
export async function killServer(rounds: number, underLoad = 700): Promise<KillResult> {
  const place = await newPlace()
  const port = await somePort()
  const journal = newJournal()
  const result: KillResult = { faults: [], acknowledged: 0, retried: 0, restarts: [], imports: 0, jobs: 0 }
  let server = await startServer(place, { port })
  try {
    const home = await newHome({ url: server.url, key: server.key })
    for (let round = 0; round < rounds; round += 1) {
      const load = startLoad(home, 6, journal)
      await delay(underLoad + randomInt(underLoad))
      await load.acknowledges()
      await server.end('SIGKILL')
      await load.stop()
      const began = performance.now()
      server = await startServer(place, { port })
      result.restarts.push(server.startTime)
      const client = await place.connect()
      try {
        result.faults.push(...(await findFaults(place, client, journal, place.isEmbedded ? began : null)))
        result.retried += await retryOpen(home, journal)
        result.faults.push(...(await findFaults(place, client, journal, null)))
      } finally {
        await client.end()
      }
      result.acknowledged += journal.acknowledged.length
      Object.assign(journal, newJournal())
    }
    result.faults.push(...(await endImports(place, result)))
  } finally {
    await server.end('SIGTERM')
    await place.remove()
  }
  return result
}

/** The running server takes over the dead one's imports; each must finish with all of its findings. */
async function endImports(place: Place, result: KillResult): Promise<string[]> {
  const client = await place.connect()
  try {
    const { open, all, jobs } = await awaitImports(client, MOST_WAITED)
    result.imports += all
    result.jobs += jobs
    const unended = open > 0 ? [`${open} imports have not ended`] : []
    return [...unended, ...(await findFaults(place, client, newJournal(), null))]
  } finally {
    await client.end()
  }
}

/** Rounds in one installation, before a new one is used, so that checking everything stays fast. */
const ROUNDS_OF_INSTALLATION = 25

export async function run(rounds: number): Promise<string[]> {
  const results: KillResult[] = []
  for (let left = rounds; left > 0; left -= ROUNDS_OF_INSTALLATION)
    results.push(await killServer(Math.min(left, ROUNDS_OF_INSTALLATION)))
  const faults = results.flatMap((result) => result.faults)
  const restarts = results.flatMap((result) => result.restarts)
  const sum = (of: (result: KillResult) => number) => results.reduce((total, result) => total + of(result), 0)
  console.log(
    `${rounds} kills: ${sum(({ acknowledged }) => acknowledged)} writes acknowledged, ${sum(({ retried }) => retried)} of ` +
      `them by a retry; ${sum(({ imports }) => imports)} imports, ${sum(({ jobs }) => jobs)} as jobs; ${faults.length} faults`,
  )
  console.log(`from the start of the process to serving: ${spread(restarts)}`)
  return faults
}
