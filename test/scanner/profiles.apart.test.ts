// What a profile may send: what BALANCED leaves behind, and what is sent only on request.

import { expect, test } from 'vitest'
import type { ScanOptions } from '../../src/scanner/options.ts'
import type { Profile } from '../../src/scanner/types.ts'
import { type Asked, type Described, findingsOf, type Handler } from './tiny.ts'

const described: Described = {
  'GET /notes': {},
  'POST /notes': { body: { text: 'tea' } },
  'PUT /notes/{id}': { path: { id: '1' }, body: { text: 'tea', name: 'milk' } },
  'DELETE /notes/{id}': { path: { id: '1' } },
  'POST /logout': {},
}

const logic = ['mass-assignment', 'object-change', 'cross-site-scripting', 'nosql-injection', 'sql-injection-boolean']

/** What a scan of a service that keeps whatever it gets sent to it. */
async function asked(profile: Profile, more: Partial<ScanOptions> = {}): Promise<Asked[]> {
  const all: Asked[] = []
  const notes: object[] = []
  const service: Handler = (one) => {
    all.push(one)
    if (one.method === 'GET' || one.path !== '/notes') return [200, notes]
    if (one.body === null || typeof one.body !== 'object') return [400, {}]
    notes.push({ id: notes.length + 1, admin: false, ...one.body })
    return [201, { id: notes.length }]
  }
  await findingsOf(service, [], described, { profile, checks: undefined, budget: { time: 60_000 }, ...more })
  return all
}

const bodies = (all: readonly Asked[]) => all.map(({ body }) => JSON.stringify(body))

test('BALANCED leaves no script for others, sets no field of its own, and widens no condition of a change', async () => {
  const sent = bodies(await asked('BALANCED'))

  expect(sent.filter((body) => body.includes('<svg onload'))).toEqual([])
  expect(sent.filter((body) => /admin/.test(body))).toEqual([])
  expect(sent.filter((body) => body.includes('$ne') && body.includes('"name"'))).toEqual([])
  expect(sent.filter((body) => /' or /i.test(body))).toEqual([])
})

test('DEEP does, where the operations write', async () => {
  const sent = bodies(await asked('DEEP', { checks: logic }))

  expect(sent.some((body) => body.includes('<svg onload'))).toBe(true)
  expect(sent.some((body) => /admin/.test(body))).toBe(true)
  expect(sent.some((body) => /' or /.test(body) && !body.includes('"name"'))).toBe(true)
  expect(sent.filter((body) => /' or /.test(body) && body.includes('"name"'))).toEqual([])
})

test('BASIC only reads: what it posts asks for a schema', async () => {
  const others = (await asked('BASIC')).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method))

  expect(others.filter(({ body }) => !/__schema|__typename/.test(JSON.stringify(body)))).toEqual([])
})

test('what deletes or logs out is sent on request alone', async () => {
  const destructive = (all: readonly Asked[]) =>
    all.filter(({ method, path }) => method === 'DELETE' || path === '/logout')

  const without = await asked('BALANCED', { checks: logic })
  const requested = await asked('BALANCED', { checks: logic, allowDestructive: true })

  expect(destructive(without)).toEqual([])
  expect(new Set(destructive(requested).map(({ method }) => method))).toEqual(new Set(['DELETE', 'POST']))
})
