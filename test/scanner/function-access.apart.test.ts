// Pages for administrators that ordinary users get: told from pages that say no.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

test.each([
  ['a table', '<table><tr><td>ann@shop.example</td></tr><tr><td>bob@shop.example</td></tr></table>'],
  ['a list of accounts', '<ul><li>ann@shop.example</li><li>bob@shop.example</li></ul>'],
  ['a form', '<form><input name="mail"><input name="role"><button>Invite</button></form>'],
  ['nothing else', '<form><input name="q"></form><a href="/">Back</a>'],
])('a page for administrators only that shows %s', async (shown, html) => {
  const office: Handler = ({ user }) =>
    user === null ? [302, '', { location: '/login' }] : [200, `<h1>Users (administrators only)</h1>${html}`]

  const found = await findingsOf(office, ['function-access'], { 'GET /admin': {} })

  expect(places(found)).toEqual(shown === 'nothing else' ? [] : ['GET /admin'])
})

test.each([
  ["You don't have permission to access this route. You are not an admin.", []],
  ['You are an admin.', ['GET /admin']],
])('an answer of one sentence: %s', async (sentence, expected) => {
  const office: Handler = ({ user }) => (user === null ? [401, 'Invalid cookie'] : [200, sentence])

  expect(places(await findingsOf(office, ['function-access'], { 'GET /admin': {} }))).toEqual(expected)
})

const administration =
  (isGuarded: boolean): Handler =>
  ({ user, path }) => {
    if (user === null) return [401, {}]
    if (path.startsWith('/admin') && isGuarded) return [403, { message: 'for administrators' }]
    return [200, [{ name: 'user-a' }, { name: 'user-b' }]]
  }

test.each([
  [false, ['GET /admin/users', 'POST /admin/notices']],
  [true, []],
])('what is for administrators and answers ordinary users is found (guarded: %s)', async (isGuarded, expected) => {
  const found = await findingsOf(administration(isGuarded), ['function-access'], {
    'GET /admin/users': {},
    'POST /admin/notices': { body: { text: 'closed' } },
    'GET /users': {},
  })

  expect(places(found)).toEqual(expected)
})

test('a page for administrators that says to others that it is none of theirs is kept from them', async () => {
  const foundIn = async (page: string) => {
    const office: Handler = ({ user }) => (user === null ? [302, '', { location: '/login' }] : [200, page])
    return places(await findingsOf(office, ['function-access'], { 'GET /admin': {} }))
  }

  expect(await foundIn('<p>Access denied. You need another role.</p>')).toEqual([])
  expect(await foundIn('<h1>Orders of today</h1><p>71 orders, 9 returns</p>')).toEqual(['GET /admin'])
})

test('a page for administrators that names accounts to everybody is found, and one that asks to sign in is not', async () => {
  const accounts = ['ann.meyer', 'bob-kline']
  const identities = accounts.map((username, index) => ({
    name: `user-${index}`,
    headers: [],
    cookies: [['sid', `s${index}`] as const],
    query: [],
    login: { type: 'FORM', url: 'http://localhost/login', username, password: 'x' } as const,
  }))
  const list = `<table>${accounts.map((name) => `<tr><td>${name}</td></tr>`).join('')}</table>`
  const asked = async (page: string) =>
    findingsOf(
      ({ path, method }) => {
        if (path === '/login' && method === 'POST')
          return [302, '', { location: '/', 'set-cookie': 'sid=abcdefgh-12345678' }]
        if (path === '/login')
          return [200, '<form method="post"><input name="user"><input type="password" name="pass"></form>']
        return path === '/admin.jsp' ? [200, page] : [200, '<p>Home</p>']
      },
      ['function-access'],
      { 'GET /admin.jsp': {}, 'GET /home': {} },
      (url) => ({
        identities: identities.map((one) => ({ ...one, login: { ...one.login, url: `${url}/login` } })),
      }),
    )

  const told = await asked(list)
  const greeting = await asked('<p>The office is open at nine</p>')
  const form = await asked(`${list}<form><input type="password" name="pass"></form>`)

  expect(places(told)).toEqual(['GET /admin.jsp'])
  expect([...greeting, ...form]).toEqual([])
})

test('an administrator who reaches what is for administrators is no finding', async () => {
  const identities = ['root', 'admin'].map((name, index) => ({
    name,
    headers: [['Authorization', `Bearer ${'ab'[index]}-token`] as const],
    cookies: [],
    query: [],
  }))

  const found = await findingsOf(administration(false), ['function-access'], { 'GET /admin/users': {} }, { identities })

  expect(found).toEqual([])
})
