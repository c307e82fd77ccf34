// A data directory has one server: a second one says who holds it and exits, and the first continues.

import { spread } from './figures.ts'
import { newEmbeddedPlace, runCommand, somePort, startServer } from './server.ts'

type HolderResult = { faults: string[]; times: number[] }

export async function startSecond(rounds: number): Promise<HolderResult> {
  const place = await newEmbeddedPlace()
  const result: HolderResult = { faults: [], times: [] }
  const first = await startServer(place)
  try {
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now()
      const { code, err } = await runCommand(['serve'], { ...place.environment, PORT: String(await somePort()) })
      result.times.push(performance.now() - began)
      const sentence = `The data directory ${place.data} is in use by process ${first.child.pid}.`
      if (code !== 1 || !err.startsWith(sentence) || err.trim().includes('\n')) {
        result.faults.push(`The second server ended with ${code} and said: ${err}`)
      }
      const { ok } = await fetch(`${first.url}/readyz`)
      if (!ok) result.faults.push('The first server is not ready any more')
    }
  } finally {
    await first.end('SIGTERM')
    await place.remove()
  }
  return result
}

export async function run(rounds: number): Promise<string[]> {
  const { faults, times } = await startSecond(rounds)
  console.log(`${rounds} second starts: ${faults.length} faults; until they ended: ${spread(times)}`)
  return faults
}
