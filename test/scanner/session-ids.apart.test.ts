// What a session is known by: ids that follow from each other, ids from before the sign-in, and choices that a probe must not change.

import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const tickets: Described = { 'POST /tickets': {} }

const issuing =
  (next: () => string, name = 'deskSession'): Handler =>
  () => [200, '<p>It is yours</p>', { 'set-cookie': `${name}=${next()}` }]

const counted = () => {
  let last = 7
  return () => {
    last += 1
    return last
  }
}

test.each([
  [
    'counted up',
    () =>
      issuing(
        (
          (next) => () =>
            String(next())
        )(counted()),
      ),
  ],
  ['the time', () => issuing(() => String(Math.floor(Date.now() / 1000)))],
  [
    'hashes of a count',
    () =>
      issuing(
        (
          (next) => () =>
            createHash('md5').update(String(next())).digest('hex')
        )(counted()),
      ),
  ],
])('sessions that are %s are told', async (_, service) => {
  const found = await findingsOf(service(), ['predictable-session'], tickets, { identities: [] })

  expect(found.map(({ check, cwes }) => [check, cwes[0]])).toEqual([['predictable-session', 340]])
})

test.each([
  ['account_session', true],
  ['review_sid', true],
  ['plasticSession', true],
  ['session_count', false],
  ['sessionCount', false],
  ['sessioncounter', false],
  ['views_in_session', false],
  ['last_session', false],
  ['sessionTimeout', false],
])('a counted %s is a session: %s', async (name, isTold) => {
  const next = counted()

  const found = await findingsOf(
    issuing(() => String(next()), name),
    ['predictable-session'],
    tickets,
    { identities: [] },
  )

  expect(found.length > 0).toBe(isTold)
})

test.each([
  ['random', () => issuing(() => randomUUID().replaceAll('-', ''))],
  ['numbers without an order', () => issuing(() => String(Math.floor(Math.random() * 1e12)))],
  ['the same each time', () => issuing(() => '17')],
])('sessions that are %s are not', async (_, service) => {
  const found = await findingsOf(service(), ['predictable-session'], tickets, { identities: [] })

  expect(found).toEqual([])
})

/** A sign-in by a form; `isKept`: the session stays the one that the visitor had. */
const signIn = (isKept: boolean): Handler => {
  const known = new Set<string>()
  return ({ method, path, headers, body }) => {
    const sid = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID()
    const set = { 'set-cookie': `sid=${sid}; HttpOnly` }
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>', set]
    if (path === '/login' && String(body).includes('tulip')) {
      const next = isKept ? sid : randomUUID()
      known.add(next)
      return [302, '', { location: '/home', 'set-cookie': `sid=${next}; HttpOnly` }]
    }
    return known.has(sid) ? [200, '<p>Your home</p>'] : [302, '', { location: '/login' }]
  }
}

const person = (url: string): Identity => ({
  name: 'ann',
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'tulip-field-4' },
})

test.each([
  [true, ['session-fixation']],
  [false, []],
])('a session that a sign-in keeps (%s) is told', async (isKept, expected) => {
  const found = await findingsOf(signIn(isKept), ['session-fixation'], { 'GET /home': {} }, (url) => ({
    identities: [person(url)],
  }))

  expect(found.map(({ check }) => check)).toEqual(expected)
  expect(JSON.stringify(found)).not.toContain('tulip-field-4')
})

/** Shows everything to everybody, and the way out to whoever is signed in. */
const openSite = (isKept: boolean): Handler => {
  const known = new Set<string>()
  return ({ method, path, headers, body }) => {
    const sid = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID()
    const isSignedIn = method === 'POST' && path === '/login' && String(body).includes('tulip')
    const next = isSignedIn && !isKept ? randomUUID() : sid
    if (isSignedIn) known.add(next)
    const form =
      '<form method="post" action="/login"><input name="username"><input type="password" name="password"></form>'
    const way = known.has(next) ? '<form method="post" action="/sign-out"></form>' : form
    return [200, `<p>News</p>${way}`, { 'set-cookie': `sid=${next}` }]
  }
}

test.each([
  [true, ['session-fixation']],
  [false, []],
])('a session that a sign-in keeps (%s) is told where nobody is turned away', async (isKept, expected) => {
  const found = await findingsOf(openSite(isKept), ['session-fixation'], { 'GET /news': {} }, (url) => ({
    identities: [person(url)],
  }))

  expect(found.map(({ check }) => check)).toEqual(expected)
})

/** Shows everybody the way out, and greets whoever is signed in on the page that the sign-in leads to. */
const greetingSite = (isKept: boolean): Handler => {
  const known = new Set<string>()
  return ({ method, path, headers, body }) => {
    const sid = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID()
    const isSignedIn = method === 'POST' && path === '/login' && String(body).includes('tulip')
    const next = isSignedIn && !isKept ? randomUUID() : sid
    if (isSignedIn) known.add(next)
    const set = { 'set-cookie': `sid=${next}` }
    if (isSignedIn) return [302, '', { ...set, location: '/desk' }]
    if (path === '/login')
      return [200, '<form method=post><input name=username><input type=password name=password></form>', set]
    return [200, `<p>Welcome ${known.has(sid) ? 'ann' : ''}</p><a href="/log-out">Out</a>`, set]
  }
}

test.each([
  [true, ['session-fixation']],
  [false, []],
])('a session that a sign-in keeps (%s) is told by the name that is greeted', async (isKept, expected) => {
  const found = await findingsOf(greetingSite(isKept), ['session-fixation'], { 'GET /desk': {} }, (url) => ({
    identities: [person(url)],
  }))

  expect(found.map(({ check }) => check)).toEqual(expected)
})

test('a name within the words of a page greets nobody', async () => {
  let read = 0
  const site = greetingSite(false)
  const service: Handler = async (asked) => {
    const [status, body, headers] = await site(asked)
    const kept = /sid=([\w-]+)/.exec(asked.headers.cookie ?? '')?.[1]
    read += 1
    const words = kept === undefined ? 'news' : `annual news ${read}`
    return [
      status,
      String(body).replace('Welcome', words),
      kept ? { ...headers, 'set-cookie': `sid=${kept}` } : headers,
    ]
  }

  const found = await findingsOf(service, ['session-fixation'], { 'GET /desk': {} }, (url) => ({
    identities: [person(url)],
  }))

  expect(found).toEqual([])
})

test('a level that a probe sets for its visitor changes nothing for what is asked after it', async () => {
  const level = (cookie: string | undefined) => /level=(\w+)/.exec(cookie ?? '')?.[1] ?? 'plain'
  const service: Handler = ({ path, query, headers, body }) => {
    if (path === '/level') {
      const asked = String(Object.values(Object(body))[0])
      return [200, {}, { 'set-cookie': `level=${asked === 'plain' ? 'plain' : 'careful'}` }]
    }
    const name = query.get('name') ?? ''
    return [200, `<p>${level(headers.cookie) === 'plain' ? name : name.replaceAll('<', '&lt;')}</p>`]
  }

  const found = await findingsOf(
    service,
    ['cross-site-scripting', 'sql-injection-boolean'],
    { 'POST /level': { body: { level: 'plain' } }, 'GET /a-greeting': { query: { name: 'tea' } } },
    { identities: [] },
  )

  expect(found.map(({ check, operation }) => [check, operation])).toEqual([['cross-site-scripting', 'GET /a-greeting']])
})
