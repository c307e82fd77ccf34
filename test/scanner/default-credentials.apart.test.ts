// Well-known names and passwords: accounts that they open, and sign-ins that refuse all of them.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, scanned, serving } from './tiny.ts'

const member = (body: unknown, name: string): string =>
  typeof body === 'object' && body !== null && name in body ? String(Reflect.get(body, name)) : ''

/** A sign-in that takes JSON, with what it answers to a pair that it knows and to any other. */
const api =
  (isKnown: (name: string, password: string) => boolean): Handler =>
  ({ body }) =>
    isKnown(member(body, 'username'), member(body, 'password'))
      ? [200, { token: 'a-token-of-somebody' }]
      : [401, { error: 'Wrong name or password' }]

const described = { 'POST /api/login': { body: { username: 'carol', password: 'a-guess' }, isOpen: true } }
const foundAt = (handle: Handler) => findingsOf(handle, ['default-credentials'], described)

test('a name with a password that everybody knows is found, with both of them', async () => {
  const found = await foundAt(api((name, password) => name === 'admin' && password === 'admin123'))

  expect(found.map(({ operation, cwes }) => [operation, cwes[0]])).toEqual([['POST /api/login', 1392]])
  expect(found[0]?.detail).toContain('The username admin with the password admin123')
})

test('a sign-in that knows none of them, or that takes any password, has no well-known account', async () => {
  expect(await foundAt(api(() => false))).toEqual([])
  expect(await foundAt(api((name) => name === 'admin'))).toEqual([])
})

test('an account is tried with few passwords, and none is after the target refuses to be asked', async () => {
  const asked: string[] = []
  let count = 0
  await foundAt(({ body }) => {
    if (member(body, 'username') === 'admin') asked.push(member(body, 'password'))
    count += 1
    return [401, { error: 'Wrong' }]
  })
  const limited = await foundAt(() => [403, { error: 'Too many attempts' }])

  expect(asked.length).toBeLessThanOrEqual(4)
  expect([count > 0, limited]).toEqual([true, []])
})

const FORM =
  '<form method="post" action="/login"><input name="user"><input type="password" name="pass"><button>Log in</button></form>'

test('a form that leads elsewhere and sets a cookie has let somebody in, and one that leads back to itself has not', async () => {
  const shop =
    (isLetIn: boolean): Handler =>
    ({ method, path, body, headers }) => {
      if (path === '/home') return [200, headers.cookie?.includes('sid=7') ? '<h1>Home</h1>' : FORM]
      if (method === 'GET') return [200, FORM]
      const fields = new URLSearchParams(String(body))
      const isKnown = fields.get('user') === 'test' && fields.get('pass') === 'test'
      if (isKnown && isLetIn) return [302, '', { location: '/home', 'set-cookie': 'sid=7; Path=/' }]
      return [302, '', { location: isKnown ? '/login?wrong=password' : '/login', 'set-cookie': 'seen=1; Path=/' }]
    }
  const told = (isLetIn: boolean) =>
    serving(shop(isLetIn), async (url) => (await scanned(url, { checks: ['default-credentials'] })).findings)

  expect((await told(true)).map(({ detail }) => detail)).toEqual([
    expect.stringContaining('test with the password test'),
  ])
  expect(await told(false)).toEqual([])
})
