// Signing in as people do: forms with tokens and a second factor, sessions that end while a scan runs, and evidence without secrets.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { totpOf } from '../../src/scanner/totp.ts'
import type { Identity, Login } from '../../src/scanner/types.ts'
import { type Handler, scanOfItems, serving } from './tiny.ts'

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const allowed = readAllowed('127.0.0.0/8') ?? undefined
const fields = (body: unknown) => new URLSearchParams(String(body))

/** Sessions end after so many uses; each form has a token that is good once. */
function shop(uses: number): { handle: Handler; signIns: () => number; searches: () => number } {
  const sessions = new Map<string, number>()
  const tokens = new Set<string>()
  let count = 0
  let searches = 0
  const token = () => {
    const value = `token-${tokens.size}-${count}`
    tokens.add(value)
    return `<input type="hidden" name="csrf" value="${value}">`
  }
  /** the present code, and the one that was it when a request set out */
  const codes = (): unknown[] => [totpOf(secret), totpOf(secret, Date.now() - 5_000)]
  const spend = (value: string | null) => value !== null && tokens.has(value)
  const handle: Handler = ({ method, path, headers, body }) => {
    const id = /sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    if (path === '/login' && method === 'GET')
      return [200, `<form method="post">${token()}<input name="user"><input type="password" name="pass"></form>`]
    if (path === '/login') {
      const given = fields(body)
      if (!spend(given.get('csrf')) || given.get('user') !== 'ann' || given.get('pass') !== 'right')
        return [200, '<form method="post"><input type="password" name="pass"></form>']
      return [200, `<form method="post" action="/code">${token()}<input name="otp"></form>`]
    }
    if (path === '/code') {
      if (!codes().includes(fields(body).get('otp'))) return [403, 'no']
      count += 1
      sessions.set(`s${count}`, uses)
      return [302, '', { location: '/', 'set-cookie': `sid=s${count}; Path=/; HttpOnly` }]
    }
    const left = sessions.get(id) ?? 0
    if (left === 0) return [302, '', { location: '/login' }]
    sessions.set(id, left - 1)
    if (path === '/search' && method === 'POST') {
      if (!spend(fields(body).get('csrf'))) return [403, 'forged']
      searches += 1
      return [200, `<p>You looked for ${fields(body).get('q')}</p>`]
    }
    return path === '/'
      ? [200, `<p>Welcome</p><form method="post" action="/search">${token()}<input name="q"></form>`]
      : [404, 'not here']
  }
  return { handle, signIns: () => count, searches: () => searches }
}

const ann = (url: string, password: string): Identity => ({
  name: 'ann',
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/login`, username: 'ann', password, totp: secret },
})

const scanAsAnn = (url: string) =>
  scan({
    target: `${url}/`,
    profile: 'BALANCED',
    identities: [ann(url, 'right')],
    checks: ['cross-site-scripting'],
    browser: false,
    allowed,
  })

test('a form with a token and a second factor is passed, and behind it a flaw is found though sessions keep ending', async () => {
  const { handle, signIns, searches } = shop(40)

  const outcome = await serving(handle, scanAsAnn)

  expect(outcome.state).toBe('COMPLETED')
  expect(outcome.findings.map(({ check, parameter }) => [check, parameter?.name])).toContainEqual([
    'cross-site-scripting',
    'q',
  ])
  expect(signIns()).toBeGreaterThan(1)
  expect(searches()).toBeGreaterThan(3)
  expect(JSON.stringify(outcome)).not.toContain('"right"')
})

test('a code that was used is not given again to a target that takes each code once', async () => {
  const { handle, signIns, searches } = shop(40)
  const taken = new Set<string>()
  const refused = new Set<string>()
  let again = 0
  const strict: Handler = (asked) => {
    const code = asked.path === '/code' ? (fields(asked.body).get('otp') ?? '') : ''
    if (code === '') return handle(asked)
    if (refused.has(code)) again += 1
    // the second time one signs in, the code is as good as used, also where half a minute has ended since
    const isUsed = taken.has(code) || (signIns() > 0 && refused.size === 0)
    taken.add(code)
    if (!isUsed) return handle(asked)
    refused.add(code)
    return [403, 'used']
  }

  const outcome = await serving(strict, scanAsAnn)

  expect(outcome.state).toBe('COMPLETED')
  expect(signIns()).toBeGreaterThan(1)
  expect(searches()).toBeGreaterThan(0)
  expect(refused.size).toBeGreaterThan(0)
  expect(again).toBe(0)
})

test('nobody becomes somebody else by a form that signs up or in while a scan runs', async () => {
  const sessions = new Map<string, string>()
  const askedBy = new Set<string>()
  const form = (action: string) =>
    `<form method="post" action="${action}"><input name="user"><input type="password" name="pass"></form>`
  const handle: Handler = ({ method, path, headers, body }) => {
    const id = /sid=(\w+)/.exec(headers.cookie ?? '')?.[1]
    const fresh = id ?? `s${sessions.size}`
    if (method === 'POST' && (path === '/login' || path === '/join')) {
      sessions.set(fresh, fields(body).get('user') ?? '')
      return [200, 'Welcome', { 'set-cookie': `sid=${fresh}; Path=/` }]
    }
    const name = sessions.get(id ?? '')
    if (path === '/login') return [200, form('/login')]
    if (path === '/join') return [200, form('/join')]
    if (name === undefined) return [302, '', { location: '/login' }]
    if (path === '/mine') askedBy.add(name)
    return [200, '<a href="/mine?q=tea">mine</a><a href="/join">sign up</a>']
  }
  const identity = (url: string, name: string): Identity => ({
    name,
    headers: [],
    cookies: [],
    query: [],
    login: { type: 'FORM', url: `${url}/login`, username: name, password: 'right' },
  })

  const outcome = await serving(handle, (url) =>
    scan({
      target: `${url}/`,
      profile: 'BALANCED',
      identities: [identity(url, 'ann'), identity(url, 'bob')],
      checks: ['sql-injection-error', 'object-access'],
      browser: false,
      allowed,
    }),
  )

  expect(outcome.operations).toEqual(expect.arrayContaining(['POST /join#pass&user', 'POST /login#pass&user']))
  expect([...askedBy].sort()).toEqual(['ann', 'bob'])
})

test('who cannot sign in ends the scan by name', async () => {
  const outcome = await serving(shop(40).handle, (url) =>
    scan({ target: `${url}/`, profile: 'BALANCED', identities: [ann(url, 'wrong')], browser: false, allowed }),
  )

  expect([outcome.state, outcome.reason, outcome.operations]).toEqual(['LOGIN_FAILED', 'ann could not sign in', []])
})

test('who is told of a wrong password in words alone is not taken for signed in', async () => {
  const form = '<form method="post"><input name="user"><input type="password" name="pass"></form>'
  const service: Handler = ({ method }) => [200, method === 'GET' ? form : 'That did not work.']

  const outcome = await serving(service, (url) =>
    scan({ target: `${url}/`, profile: 'BALANCED', identities: [ann(url, 'wrong')], browser: false, allowed }),
  )

  expect([outcome.state, outcome.reason]).toEqual(['LOGIN_FAILED', expect.stringContaining('set no cookie')])
})

test('a token in the answer of a login goes along with every request', async () => {
  const handle: Handler = ({ path, headers }) => {
    if (path === '/token') return [200, { data: { access_token: 'abcdefgh-1234' } }]
    return headers.authorization === 'Bearer abcdefgh-1234' ? [200, '<a href="/inside?x=1">inside</a>'] : [401, {}]
  }

  const outcome = await serving(handle, (url) => {
    const request = { method: 'POST', url: `${url}/token`, headers: [['Host', new URL(url).host]] as const, body: null }
    const identity: Identity = { name: 'ann', headers: [], cookies: [], query: [], login: { type: 'TOKEN', request } }
    return scan({
      target: `${url}/`,
      profile: 'BALANCED',
      identities: [identity],
      checks: ['clickjacking'],
      browser: false,
      allowed,
    })
  })

  expect(outcome.operations).toContain('GET /inside?x')
})

/** Tokens are good for some questions; the login gives one for each of its first `most` questions, and refuses from then on. */
const counter = (most: number): Handler => {
  const uses = new Map<string, number>()
  return ({ path, headers }) => {
    if (path === '/token') {
      if (uses.size >= most) return [401, {}]
      const token = `abcdefgh-${uses.size}`
      uses.set(`Bearer ${token}`, 30)
      return [200, { access_token: token }]
    }
    const left = uses.get(headers.authorization ?? '') ?? 0
    if (left === 0) return [401, {}]
    uses.set(headers.authorization ?? '', left - 1)
    return [200, { name: 'tea' }]
  }
}

const byToken = (url: string): Login => ({
  type: 'TOKEN',
  request: { method: 'POST', url: `${url}/token`, headers: [['Host', new URL(url).host]], body: null },
})

test('a login that is refused while the scan runs does not hold the scan up', async () => {
  const outcome = await serving(counter(1), (url) => scanOfItems(url, byToken(url)))

  expect(outcome.state).toBe('COMPLETED')
})

test('a form that leads past a place named like a login opens an ended session again', async () => {
  const sessions = new Map<string, number>()
  const handle: Handler = ({ method, path, headers }) => {
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="user"><input type="password" name="pass"></form>']
    if (path === '/login') {
      const id = `s${sessions.size + 1}`
      sessions.set(id, 30)
      return [302, '', { location: '/auth/done', 'set-cookie': `sid=${id}; Path=/` }]
    }
    if (path === '/auth/done') return [200, '<p>Welcome</p>']
    const id = /sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    const left = sessions.get(id) ?? 0
    if (left === 0) return [401, {}]
    sessions.set(id, left - 1)
    return [200, { name: 'tea' }]
  }

  const outcome = await serving(handle, (url) =>
    scanOfItems(url, { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'right' }),
  )

  expect(outcome.state).toBe('COMPLETED')
  expect(sessions.size).toBeGreaterThan(1)
})

test('a scan whose session is being opened again ends when it is canceled', async () => {
  const controller = new AbortController()
  const service = counter(1)
  let logins = 0
  const handle: Handler = (asked) => {
    if (asked.path !== '/token' || logins++ === 0) return service(asked)
    controller.abort()
    return new Promise<never>(() => {})
  }

  const outcome = await serving(handle, (url) => scanOfItems(url, byToken(url), { signal: controller.signal }))

  expect(outcome.state).toBe('CANCELED')
})

/** A form with two buttons, of which the second signs in. */
const twoButtons: Handler = ({ method, path, headers, body }) => {
  if (path === '/login' && method === 'GET')
    return [
      200,
      `<form method="post" action="/help"><input name="user"><input type="password" name="pass">
       <button name="do" value="help">Help</button><button id="enter" name="do" value="enter" formaction="/enter">Enter</button></form>`,
    ]
  if (path === '/enter' && fields(body).getAll('do').join() === 'enter')
    return [302, '', { location: '/', 'set-cookie': 'sid=in; Path=/' }]
  if (path === '/help') return [401, {}]
  return /sid=in/.test(headers.cookie ?? '') ? [200, { name: 'tea' }] : [401, {}]
}

test('the button that a selector names is pressed, and a missing one is reported', async () => {
  const login = (url: string, submitSelector: string): Login => ({
    type: 'FORM',
    url: `${url}/login`,
    username: 'ann',
    password: 'right',
    submitSelector,
  })

  const [pressed, missing] = await serving(twoButtons, async (url) => [
    await scanOfItems(url, login(url, 'button#enter')),
    await scanOfItems(url, login(url, '#send')),
  ])

  expect([pressed?.state, pressed?.skipped]).toEqual(['COMPLETED', []])
  expect([missing?.state, missing?.reason]).toEqual(['LOGIN_FAILED', expect.stringContaining('#send')])
})

test('a second factor whose key is not known is reported', async () => {
  const outcome = await serving(shop(40).handle, (url) =>
    scanOfItems(url, { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'right' }),
  )

  expect([outcome.state, outcome.reason]).toEqual([
    'LOGIN_FAILED',
    expect.stringContaining('a second factor is required'),
  ])
})

test('a page that asks for the code of a voucher asks for no second factor', async () => {
  const service: Handler = ({ method, path, headers }) => {
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="user"><input type="password" name="pass"></form>']
    if (path === '/login') return [302, '', { location: '/', 'set-cookie': 'sid=in; Path=/' }]
    if (!/sid=in/.test(headers.cookie ?? '')) return [401, {}]
    return [200, '<form action="/buy"><input name="voucher_code"></form>']
  }

  const outcome = await serving(service, (url) =>
    scanOfItems(url, { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'right' }),
  )

  expect(outcome.state).toBe('COMPLETED')
})

test('a token is renewed before it ends, with its refresh token', async () => {
  const granted: string[] = []
  let refused = 0
  const handle: Handler = ({ path, headers, body }) => {
    if (path === '/token') {
      granted.push(fields(body).get('grant_type') ?? '')
      return [200, { access_token: `abcdefgh-${granted.length}`, expires_in: 6, refresh_token: 'again-1234' }]
    }
    const isGood = headers.authorization === `Bearer abcdefgh-${granted.length}`
    if (headers.authorization && !isGood) refused += 1
    return isGood ? [200, { name: 'tea' }] : [401, {}]
  }
  const grant = 'grant_type=password&username=ann&password=right&client_id=app'

  const outcome = await serving(handle, (url) => {
    const headers = [
      ['Host', new URL(url).host],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Content-Length', String(grant.length)],
    ] as const
    const request = { method: 'POST', url: `${url}/token`, headers, body: grant }
    return scanOfItems(url, { type: 'TOKEN', request }, { budget: { rate: 4 } })
  })

  expect(outcome.state).toBe('COMPLETED')
  expect(granted.slice(0, 2)).toEqual(['password', 'refresh_token'])
  expect(refused).toBe(0)
})

test('the code of a second factor is that of RFC 6238', () => {
  expect(totpOf(secret, 59_000)).toBe('287082')
  expect(totpOf(secret, 1_111_111_109_000)).toBe('081804')
})
