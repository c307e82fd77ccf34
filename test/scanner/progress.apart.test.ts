// What a scan tells of itself while it runs: every phase, and how far it is while one answer takes its time.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Progress } from '../../src/scanner/outcome.ts'
import { describe, type Handler, people, serving } from './tiny.ts'

const described = { 'GET /tea': { query: { q: 'green' } }, 'GET /cups': {} }

/** Scans what answers so; `hear` is told what the scan tells. */
const heard = (handle: Handler, hear: (progress: Progress) => void = () => {}) =>
  serving(handle, async (target) => {
    const told: Progress[] = []
    const outcome = await scan({
      target,
      schema: { name: 'openapi.json', text: describe(described) },
      profile: 'BASIC',
      identities: people,
      crawl: true,
      browser: false,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
      events: {
        onProgress: (progress) => {
          told.push(progress)
          hear(progress)
        },
      },
    })
    return { outcome, told }
  })

test('every phase is reported, with the operations from the first pass on, and nothing after the end', async () => {
  const { outcome, told } = await heard(() => [200, { cups: [] }])
  const tellings = told.length
  await sleep(1_200)

  const phases = [...new Set(told.map(({ phase }) => phase))]
  expect(outcome.state).toBe('COMPLETED')
  expect(phases).toEqual(['sign-in', 'seeds', 'first-pass', 'target-checks', 'checks', 'last-checks'])
  expect(told.find(({ phase }) => phase === 'first-pass')).toMatchObject({ operations: outcome.operations.length })
  expect(told.map(({ requests }) => requests)).toEqual(told.map(({ requests }) => requests).sort((a, b) => a - b))
  expect(told).toHaveLength(tellings)
})

test.each(['seeds', 'first-pass', 'target-checks', 'checks'] as const)(
  'it tells again and again in %s while no answer comes',
  async (phase) => {
    let now = ''
    let isHeld = false
    let times = 0
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Handler = async () => {
      if (now === phase) {
        isHeld = true
        await released
      }
      return [200, { cups: [] }]
    }

    const { outcome, told } = await heard(slow, (progress) => {
      now = progress.phase
      if (isHeld) times += 1
      if (times === 3) release()
    })

    expect(outcome.state).toBe('COMPLETED')
    expect(times).toBeGreaterThanOrEqual(3)
    expect(told.filter((one) => one.phase === phase && one.requests > 0).length).toBeGreaterThanOrEqual(3)
  },
)
