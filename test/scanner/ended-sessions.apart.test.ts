// Sessions after signing out: found where what somebody had signed in with still opens something, and not where it is forgotten.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { post } from '../../src/scanner/requests.ts'
import type { Identity } from '../../src/scanner/types.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const checks = ['session-after-sign-out']
const nobody = { name: 'ann', headers: [], cookies: [], query: [] }

const described: Described = {
  'GET /me': {},
  'POST /login': { body: { username: 'x', password: 'x' }, isOpen: true },
  'POST /logout': {},
}

type Way =
  | 'forgets it'
  | 'keeps it'
  | 'forgets it a moment later'
  | 'refuses'
  | 'asks once more'
  | 'keeps it for minutes'

/** An interface with tokens, of which only those that it knows open something. */
function tokens(way: Way): Handler {
  const known = new Set<string>()
  return ({ method, path, headers, body }) => {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (path === '/login') {
      if (Object(body).password !== 'tulip-garden') return [401, { error: 'no' }]
      const made = randomUUID()
      known.add(made)
      return [200, { token: made, ...(way === 'keeps it for minutes' ? { expires_in: 300 } : {}) }]
    }
    if (!known.has(token)) return [401, { error: 'sign in first' }]
    if (path === '/me') return [200, { name: 'ann', colour: 'blue' }]
    if (path !== '/logout' || method !== 'POST') return [404, {}]
    if (way === 'refuses') return [403, { error: 'not now' }]
    if (way === 'asks once more') return [200, '<form method=post><button>Really</button></form>']
    if (way === 'forgets it') known.delete(token)
    if (way === 'forgets it a moment later') setTimeout(() => known.delete(token), 1_000)
    return [200, { message: 'Bye' }]
  }
}

const byToken = (url: string): Identity => ({
  ...nobody,
  login: {
    type: 'TOKEN',
    request: post(`${url}/login`, 'application/json', JSON.stringify({ username: 'ann', password: 'tulip-garden' })),
  },
})

const found = async (way: Way, allowDestructive = true) =>
  findingsOf(tokens(way), checks, described, (url) => ({ identities: [byToken(url)], allowDestructive }))

test('a token that opens as much after signing out as before is found, and shown nowhere', async () => {
  const findings = await found('keeps it')

  expect(findings.map(({ operation, cwes }) => [operation, cwes])).toEqual([['POST /logout', [613]]])
  expect(JSON.stringify(findings)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4/)
})

test.each<Way>(['forgets it', 'forgets it a moment later', 'refuses', 'asks once more', 'keeps it for minutes'])(
  'an interface that %s has no such flaw',
  async (way) => {
    expect(await found(way)).toEqual([])
  },
)

test('nobody is signed out unless the scan may', async () => {
  expect(await found('keeps it', false)).toEqual([])
})

/** Pages with a session in a cookie, and a form with a token that signs out. */
function pages(way: 'forgets it' | 'takes the cookie back' | 'ignores the form'): Handler {
  const known = new Map<string, string>()
  return ({ method, path, headers, body }) => {
    const session = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    const fields = new URLSearchParams(String(body))
    if (path === '/login' && method === 'POST') {
      if (fields.get('password') !== 'tulip-garden') return [200, 'Wrong']
      const made = randomUUID()
      known.set(made, randomUUID())
      return [302, '', { location: '/desk', 'set-cookie': `sid=${made}; Path=/; HttpOnly` }]
    }
    if (path === '/login')
      return [200, '<form method=post><input name=username><input type=password name=password></form>']
    const token = known.get(session)
    if (token === undefined) return [302, '', { location: '/login' }]
    if (path === '/desk')
      return [
        200,
        `<h1>The desk of ann</h1><form method=post action="/log-out"><input type=hidden name=csrf_token value="${token}"><button>Sign out</button></form>`,
      ]
    if (path !== '/log-out' || method !== 'POST') return [404, 'None']
    if (fields.get('csrf_token') !== token || way === 'ignores the form') return [302, '', { location: '/desk' }]
    if (way === 'forgets it') known.delete(session)
    return [302, '', { location: '/login', 'set-cookie': 'sid=; Path=/; Max-Age=0' }]
  }
}

test.each([
  ['takes the cookie back', ['POST /log-out']],
  ['forgets it', []],
  ['ignores the form', []],
] as const)('pages whose sign-out %s: %j', async (way, expected) => {
  const findings = await findingsOf(pages(way), checks, {}, (url) => ({
    target: `${url}/`,
    schema: null,
    crawl: true,
    allowDestructive: true,
    identities: [
      { ...nobody, login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'tulip-garden' } },
    ],
  }))

  expect(findings.map(({ operation }) => operation.split('#')[0])).toEqual(expected)
})
