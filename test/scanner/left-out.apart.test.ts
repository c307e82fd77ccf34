// What a scan leaves out on purpose, and says: a sign-in outside of what is scanned, and operations that never answer.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { ScanOptions } from '../../src/scanner/options.ts'
import type { Identity } from '../../src/scanner/types.ts'
import { type Asked, describe, type Handler, serving } from './tiny.ts'

const FORM = '<form method=post action=/login><input name=username><input type=password name=password></form>'

/** What only ann is answered, who signs in by a form beside it. */
function shopOf(asked: Asked[]): Handler {
  return (one) => {
    asked.push(one)
    const isAnn = one.headers.cookie?.includes('sid=4f2d9ab1c07e4e1db1f0') === true
    if (one.path === '/login' && one.method === 'POST')
      return one.body === 'username=ann&password=secret'
        ? [302, '', { location: '/home', 'set-cookie': 'sid=4f2d9ab1c07e4e1db1f0; HttpOnly' }]
        : [200, FORM]
    if (one.path === '/login') return [200, FORM]
    if (!isAnn) return [302, '', { location: '/login' }]
    return [200, one.path === '/home' ? '<p>Hello ann</p>' : { orders: [] }]
  }
}

const options = (target: string): ScanOptions => ({
  target,
  schema: { name: 'openapi.json', text: describe({ 'GET /api/orders': {}, 'GET /home': {} }) },
  profile: 'BASIC',
  checks: ['content-type-options-missing', 'session-fixation'],
  identities: [],
  allowed: readAllowed('127.0.0.1') ?? undefined,
  crawl: false,
  browser: false,
})

const ann = (url: string): Identity => ({
  name: 'ann',
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'secret' },
})

test('somebody signs in outside of what is scanned, where nothing else is asked', async () => {
  const asked: Asked[] = []

  const outcome = await serving(shopOf(asked), (url) =>
    scan({ ...options(url), identities: [ann(url)], scope: { include: ['/api/**'] } }),
  )

  expect(outcome.state).toBe('COMPLETED')
  expect(outcome.operations).toEqual(['GET /api/orders'])
  const orders = asked.filter(({ path }) => path === '/api/orders')
  expect(orders.some(({ headers }) => headers.cookie?.includes('sid='))).toBe(true)
  expect(asked.filter(({ method, path }) => method === 'POST' && path === '/login')).toHaveLength(1)
})

test('nobody signs in where the scan was told to stay away', async () => {
  const asked: Asked[] = []

  const outcome = await serving(shopOf(asked), (url) =>
    scan({ ...options(url), identities: [ann(url)], scope: { exclude: ['/login'] } }),
  )

  expect(outcome.state).toBe('LOGIN_FAILED')
  expect(asked.filter(({ path }) => path === '/login')).toEqual([])
})

test('an operation that never answers is named among the notes', async () => {
  const half: Handler = async ({ path }) => {
    if (path === '/api/orders') await sleep(3_000)
    return [200, { orders: [] }]
  }

  const outcome = await serving(half, (url) => scan({ ...options(url), budget: { timeout: 500 } }))

  expect(outcome.state).toBe('COMPLETED')
  expect(outcome.notes).toContain('Operations that did not respond were not tested: GET /api/orders')
})
