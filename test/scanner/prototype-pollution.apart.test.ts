// Prototypes that a document changes: found by each of three signs, and set back; merging with care changes none.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { unprivileged } from '../targets/launch.ts'
import { describe } from './tiny.ts'

const description = describe({
  'GET /preferences': {},
  'PUT /preferences': { body: { colour: 'red', sizes: { page: 20 } } },
})

/** What a scan finds at a service that merges so, and what the service answers afterwards. */
async function scanned(way: string, sign: string) {
  const service = fork(new URL('merging.ts', import.meta.url), [way, sign], { ...unprivileged(), env: {} })
  try {
    const [{ url }] = await once(service, 'message')
    const outcome = await scan({
      target: url,
      schema: { name: 'openapi.json', text: description },
      profile: 'DEEP',
      identities: [],
      crawl: false,
      browser: false,
      checks: ['prototype-pollution'],
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    })
    const after = await fetch(`${url}/preferences`)
    const refused = await fetch(`${url}/preferences`, { method: 'PUT', body: '{' })
    return {
      found: outcome.findings.map(({ operation, cwes }) => [operation, cwes]),
      detail: outcome.findings[0]?.detail ?? '',
      after: [(await after.text()).includes('\n'), after.headers.get('access-control-expose-headers'), refused.status],
    }
  } finally {
    service.disconnect()
    await once(service, 'exit')
  }
}

test.each([
  ['merges everything', 'spaces', /JSON is indented by \d/],
  ['merges everything', 'status', /answered with 4\d\d/],
  ['merges everything', 'headers', /the header x-/],
  ['leaves out __proto__ alone', 'spaces', /JSON is indented by \d/],
])('a service that %s shows it by its %s, and is as before afterwards', async (way, sign, says) => {
  const { found, detail, after } = await scanned(way, sign)

  expect(found).toEqual([['PUT /preferences', [1321]]])
  expect(detail).toMatch(says)
  expect(detail).toContain('They were reset.')
  expect(after).toEqual([false, null, 400])
})

test.each(['leaves out what is dangerous', 'copies one level', 'answers with what it was sent'])(
  'a service that %s has no such flaw',
  async (way) => {
    for (const sign of ['spaces', 'status', 'headers']) expect((await scanned(way, sign)).found).toEqual([])
  },
)
