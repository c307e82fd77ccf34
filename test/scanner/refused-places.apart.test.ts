// What is refused, and opens to whoever says more of himself or spells the address otherwise; and what stays closed.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Answered, type Asked, findingsOf, type Handler, scanned, serving } from './tiny.ts'

const LEDGER = '<h1>The ledger</h1><p>Teapots: 17 sold</p><p>Kettles: 4 sold</p>'
const REFUSED: Answered = [403, '<p>This is not for you</p>']

const cookieOf = ({ headers }: Asked): string => /(?:^|; )seat=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? ''

/** A start page that gives a cookie, and a ledger for those whose cookie is good for it. */
const office =
  (given: string, mayRead: (cookie: string) => boolean): Handler =>
  (asked) => {
    if (asked.path === '/') return [200, '<a href="/ledger">Ledger</a>', { 'set-cookie': `seat=${given}; Path=/` }]
    if (asked.path !== '/ledger') return [404, '']
    return mayRead(cookieOf(asked)) ? [200, LEDGER] : REFUSED
  }

const toldAt = (handle: Handler, check: string) =>
  serving(handle, async (url) => (await scanned(url, { checks: [check] })).findings)

const base64 = (text: string) => Buffer.from(text).toString('base64')
const hashed = (text: string) => base64(`${text}.${createHash('sha256').update(text).digest('hex')}`)
const json = (role: string) => JSON.stringify({ name: 'ann', role })

test.each<[string, string, (cookie: string) => boolean]>([
  ['a member of JSON in Base64', base64(json('user')), (cookie) => cookie === base64(json('admin'))],
  [
    'one with a hash without a key',
    hashed('{"name":"ann","level":0}'),
    (cookie) => cookie === hashed('{"name":"ann","level":1}'),
  ],
  ['a pair', 'name=ann&amp;is_admin=false'.replace('&amp;', '&'), (cookie) => /is_admin=true/.test(cookie)],
  ['a role between other words', 'ann:user:7', (cookie) => cookie === 'ann:admin:7'],
])('a cookie says what somebody may do: %s', async (_, given, mayRead) => {
  const [found, ...others] = await toldAt(office(given, mayRead), 'cookie-role')

  expect([found?.operation, found?.cwes[0], others]).toEqual(['GET /ledger', 565, []])
})

test.each<[string, string, (cookie: string) => boolean]>([
  ['a role that is signed', base64(`${json('user')}.a-signature-of-it`), () => false],
  ['a word that anything may replace', 'role=user', (cookie) => cookie !== 'role=user'],
  ['a choice of the reader', 'view=list', (cookie) => cookie === 'view=admin'],
])('a cookie grants nothing: %s', async (_, given, mayRead) => {
  expect(await toldAt(office(given, mayRead), 'cookie-role')).toEqual([])
})

/** A ledger that opens to some requests. */
const ledger =
  (mayRead: (asked: Asked) => boolean): Handler =>
  (asked) => {
    if (mayRead(asked)) return [200, LEDGER]
    return asked.path === '/ledger' ? REFUSED : [404, '<p>There is nothing here</p>']
  }

const askedOf = (handle: Handler, check: string) => findingsOf(handle, [check], { 'GET /ledger': {} })

test.each<[string, (asked: Asked) => boolean]>([
  ['comes from the server', ({ path, headers }) => path === '/ledger' && headers['x-forwarded-for'] === '127.0.0.1'],
  ['is for another address', ({ path, headers }) => path === '/' && headers['x-original-url'] === '/ledger'],
  ['is of an administrator, in a header', ({ path, headers }) => path === '/ledger' && headers['x-role'] === 'admin'],
  ['is of an administrator, in the address', ({ path, query }) => path === '/ledger' && query.get('admin') === 'true'],
  [
    'comes from a page for administrators',
    ({ path, headers }) => path === '/ledger' && /\/admin$/.test(headers.referer ?? ''),
  ],
])('a page opens to whoever says that the request %s', async (_, mayRead) => {
  const found = await askedOf(ledger(mayRead), 'claimed-access')

  expect(found.map(({ operation, severity }) => [operation, severity])).toEqual([['GET /ledger', 'HIGH']])
})

test.each<[string, (asked: Asked) => boolean]>([
  ['whatever the header says', ({ path, headers }) => path === '/ledger' && headers['x-forwarded-for'] !== undefined],
  ['to nobody', () => false],
  ['for its own address alone, and everybody gets the start page', ({ path }) => path === '/'],
])('a page that opens %s grants nothing to a claim', async (_, mayRead) => {
  expect(await askedOf(ledger(mayRead), 'claimed-access')).toEqual([])
})

test.each<[string, (path: string) => boolean]>([
  ['with a slash at its end', (path) => path === '/ledger/'],
  ['in upper case', (path) => path === '/LEDGER'],
  ['with an encoded letter', (path) => path === '/%6cedger'],
])('a page is refused, and open %s', async (_, isOpen) => {
  const found = await askedOf(
    ledger(({ path }) => isOpen(path)),
    'path-variant',
  )

  expect(found.map(({ operation, cwes }) => [operation, cwes[0]])).toEqual([['GET /ledger', 289]])
})

test('two pages whose addresses differ by a slash alone, of which one is refused, are no two spellings', async () => {
  const service: Handler = ({ path }) =>
    /^\/+admin\/$/.test(path) ? REFUSED : /^\/+(admin|%61dmin)$/.test(path) ? [200, LEDGER] : [404, {}]

  expect(await findingsOf(service, ['path-variant'], { 'GET /admin': {} })).toEqual([])
})

test('a page that asks to sign in is not open', async () => {
  const signIn = '<form method="post"><input name="who"><input type="password" name="pass"></form>'
  const service: Handler = ({ path }) =>
    path === '/ledger' ? REFUSED : path === '/ledger/' ? [200, signIn] : [404, {}]

  expect(await askedOf(service, 'path-variant')).toEqual([])
})

test('what only people who are signed in get is not open to visitors under another spelling', async () => {
  const open = ({ user, path }: Asked, isCareless: boolean) => user !== null || (isCareless && path === '/ledger/')
  const service =
    (isCareless: boolean): Handler =>
    (asked) =>
      /^\/ledger\/?$/.test(asked.path) ? (open(asked, isCareless) ? [200, LEDGER] : [401, {}]) : [404, {}]

  expect(await askedOf(service(false), 'path-variant')).toEqual([])
  expect(await askedOf(service(true), 'path-variant')).toHaveLength(1)
})

test('a server that answers every address with one page opens none by another spelling', async () => {
  const single: Handler = ({ path }) => (path === '/ledger' ? REFUSED : [200, '<h1>Shop</h1><p>Loading</p>'])

  expect(await askedOf(single, 'path-variant')).toEqual([])
  expect(await askedOf(single, 'claimed-access')).toEqual([])
})
