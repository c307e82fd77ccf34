// Sessions that a scan must not change or lose: what stands in a cookie, what fails to sign in, and credentials that end.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Identity } from '../../src/scanner/types.ts'
import { describe, type Handler, scanOfItems, serving } from './tiny.ts'

const allowed = readAllowed('127.0.0.0/8') ?? undefined
const fields = (body: unknown) => new URLSearchParams(String(body))

/** A service whose sessions stand in a cookie, and end for whoever fails to sign in. */
const kept = (): { handle: Handler; asked: (string | undefined)[] } => {
  const asked: (string | undefined)[] = []
  const set = (session: object) => ({ 'set-cookie': `session=${btoa(JSON.stringify(session))}; Path=/` })
  const handle: Handler = ({ method, path, headers, query, body }) => {
    const session = JSON.parse(atob(/session=([\w+/=]+)/.exec(headers.cookie ?? '')?.[1] ?? btoa('{}')))
    if (path === '/login') {
      const isRight = method === 'POST' && fields(body).get('pass') === 'right'
      if (method === 'POST') return [200, { isRight }, set(isRight ? { name: 'ann', level: 'low' } : {})]
      return [200, '<input name="user"><input type="password" name="pass"><button onclick="send()">Go</button>']
    }
    if (session.name !== 'ann') return [302, '', { location: '/login' }]
    if (path === '/settings') return [200, 'set', set({ ...session, level: query.get('level') })]
    if (path === '/search') asked.push(session.level)
    return path === '/search' ? [200, session.level === 'low' ? `<p>${query.get('q')}</p>` : 'Try harder'] : [404, '']
  }
  return { handle, asked }
}

const describedSessions = describe({
  'POST /login': {},
  'GET /settings': { query: { level: 'low' } },
  'GET /search': { query: { q: 'tea' } },
})

const scanOfKept = (url: string, identity: Partial<Identity>) =>
  scan({
    target: `${url}/`,
    schema: { name: 'openapi.json', text: describedSessions },
    profile: 'BALANCED',
    identities: [{ name: 'ann', headers: [], cookies: [], query: [], ...identity }],
    checks: ['cross-site-scripting', 'sql-injection-error'],
    crawl: false,
    browser: false,
    allowed,
  })

test('fields that stand in no form sign in, and no probe changes the session that stands in a cookie or ends it', async () => {
  const { handle, asked } = kept()

  const outcome = await serving(handle, (url) =>
    scanOfKept(url, { login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'right' } }),
  )

  expect(outcome.state).toBe('COMPLETED')
  expect(outcome.findings.map(({ check, parameter }) => [check, parameter?.name])).toContainEqual([
    'cross-site-scripting',
    'q',
  ])
  expect(new Set(asked)).toEqual(new Set(['low']))
})

test('fields that stand in no form sign nobody in with a wrong password', async () => {
  const outcome = await serving(kept().handle, (url) =>
    scanOfKept(url, { login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'wrong' } }),
  )

  expect(outcome.state).toBe('LOGIN_FAILED')
})

test.each(['the page again', 'a page of a fault'])(
  'an address that gives everybody a cookie and %s signs nobody in',
  async (answers) => {
    let count = 0
    const page = '<input name="user"><input type="password" name="pass"><button onclick="send()">Go</button>'
    const handle: Handler = ({ method, path }) => {
      if (path !== '/login') return [401, {}]
      count += 1
      const shown = answers === 'the page again' || method === 'GET' ? page : '<p>Something went wrong</p>'
      return [200, `<!-- nonce ${count} -->${shown}`, { 'set-cookie': `sid=visitor${count}; Path=/` }]
    }

    const outcome = await serving(handle, (url) =>
      scanOfItems(url, { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'wrong' }),
    )

    expect([outcome.state, outcome.reason]).toEqual([
      'LOGIN_FAILED',
      expect.stringContaining('the scan uses no browser'),
    ])
  },
)

test('it is noted when the target takes the credentials that were given no longer', async () => {
  let left = 20
  const handle: Handler = ({ headers, query }) => {
    left -= headers.authorization === 'Bearer key' ? 1 : 0
    return headers.authorization === 'Bearer key' && left > 0 ? [200, `<p>${query.get('name')}</p>`] : [401, 'no']
  }
  const identities: Identity[] = [{ name: 'ann', headers: [['Authorization', 'Bearer key']], cookies: [], query: [] }]
  const scanned = () =>
    serving(handle, (url) => scanOfItems(url, { type: 'FORM', url, username: '', password: '' }, { identities }))

  const ended = await scanned()
  left = 1_000_000
  const lasting = await scanned()

  expect(ended.notes).toEqual([expect.stringContaining('no longer accepted the credentials of ann')])
  expect(lasting.notes).toEqual([])
})
