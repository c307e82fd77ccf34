// Hostile requests over HTTP against the running service: nothing crashes, and nothing reveals internals.

import { expect, test } from 'vitest'
import { buildSchema } from '../../src/modules/schema.ts'
import { serviceUrl } from '../testkit/service.ts'
import { newWorld } from '../testkit/world.ts'
import { attack } from './attack.ts'

const COUNT = Number(process.env.MERLON_HOSTILE_DOCUMENTS ?? 10_000)
const MiB = 1024 * 1024

test(`${COUNT} hostile requests are answered without a crash, a 5xx or a leak`, { timeout: 600_000 }, async () => {
  const [url, { owner }, schema] = [await serviceUrl(), await newWorld(), buildSchema()]
  const anotherKey = async () => (await newWorld()).owner.key
  const facts = { url, key: owner.key, anotherKey, schema, concurrency: 8 }
  await attack({ ...facts, seed: 1, count: 500 })
  const warm = process.memoryUsage().rss

  const outcome = await attack({ ...facts, seed: 20_260, count: COUNT })

  const grown = (process.memoryUsage().rss - warm) / MiB
  const { statuses, slowest, slowestName, median } = outcome
  process.stderr.write(
    `${COUNT} hostile requests: ${JSON.stringify(statuses)}, median ${median.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms ` +
      `(${slowestName}), resident memory ${grown.toFixed(0)} MiB above warm\n`,
  )
  expect(outcome.faults.slice(0, 20)).toEqual([])
  expect(Object.keys(statuses).filter((status) => !/^(200|400|401|413|415)$/.test(status))).toEqual([])
  expect(outcome.requests).toBe(COUNT)
  expect(statuses['401']).toBeLessThan(COUNT / 20)
  expect(grown).toBeLessThan(500)
})
