// Forms of one's own account: the password that they would set stays as it is, and they are no sign-ins.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, serving } from './tiny.ts'

const fieldsOf = (body: unknown) => new URLSearchParams(String(body))

/** A service whose page of the account has these fields, and what was sent to it. */
function accounts(fields: string) {
  const sent: URLSearchParams[] = []
  const handle: Handler = ({ method, path, headers, body }) => {
    const isIn = headers.cookie === 'session=ann-0123456789abcdef'
    if (path === '/login' && method === 'POST') {
      const isRight = fieldsOf(body).get('email') === 'ann@shop.test' && fieldsOf(body).get('password') === 'right'
      return [302, '', { location: '/', ...(isRight ? { 'set-cookie': 'session=ann-0123456789abcdef; Path=/' } : {}) }]
    }
    if (path === '/login')
      return [200, '<form method="post"><input name="email"><input type="password" name="password"></form>']
    if (!isIn) return [302, '', { location: '/login' }]
    if (path === '/account' && method === 'POST') {
      sent.push(fieldsOf(body))
      return [302, '', { location: '/account' }]
    }
    if (path === '/account') return [200, `<form method="post" action="/account">${fields}<button>Save</button></form>`]
    return path === '/' ? [200, '<a href="/account">your account</a>'] : [404, '']
  }
  return { sent, handle }
}

const scanned = ({ handle }: { handle: Handler }) =>
  serving(handle, (url) =>
    scan({
      target: `${url}/`,
      profile: 'DEEP',
      identities: [
        {
          name: 'ann',
          headers: [],
          cookies: [],
          query: [],
          login: { type: 'FORM', url: `${url}/login`, username: 'ann@shop.test', password: 'right' },
        },
      ],
      checks: ['unlimited-guessing', 'sql-injection-error', 'cross-site-scripting'],
      browser: false,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

const MAIL = '<input type="email" name="email" value="ann@shop.test">'

test('a form that only one’s own account fills in and that takes another password is not sent', async () => {
  const service = accounts(`${MAIL}<input type="password" name="password">`)

  const { skipped } = await scanned(service)

  expect(skipped.map(({ operation }) => operation)).toEqual(['POST /account#email&password'])
  expect(service.sent).toEqual([])
})

test('a form of one’s own account is not sent with a part of its fields either', async () => {
  const list = '<select name="group"><option value=""></option><option value="2">Tea</option></select>'
  const service = accounts(`${MAIL}<input type="password" name="password"><input name="city">${list}`)

  await scanned(service)

  expect(service.sent).toEqual([])
})

test('a password that the page filled in is sent as it stands, with what repeats it, and is nothing to guess', async () => {
  const service = accounts(
    `${MAIL}<input type="password" name="password" value="kept-71"><input type="hidden" name="password_control" value="kept-71">`,
  )

  const { findings } = await scanned(service)

  expect(service.sent.map((fields) => fields.get('email')).length).toBeGreaterThan(5)
  expect(
    new Set(service.sent.flatMap((fields) => [...fields.getAll('password'), ...fields.getAll('password_control')])),
  ).toEqual(new Set(['kept-71']))
  expect(findings.map(({ operation }) => operation)).toEqual(['POST /login#email&password'])
})

test('a form that makes an account for somebody else is sent', async () => {
  const service = accounts('<input type="email" name="email"><input type="password" name="password">')

  const { skipped } = await scanned(service)

  expect(skipped).toEqual([])
  expect(service.sent.length).toBeGreaterThan(5)
})

test('a sign-in whose password shows what is typed, and is filled in, makes nobody somebody else', async () => {
  const kept = (cookie: string | undefined, name: string) => new RegExp(`${name}=(\\w+)`).exec(cookie ?? '')?.[1] ?? ''
  const people = ['ann', 'bob']
  const asked: { path: string; who: string; session: string }[] = []
  const handle: Handler = ({ method, path, headers, body }) => {
    const who = kept(headers.cookie, 'name')
    asked.push({ path, who, session: kept(headers.cookie, 'session') })
    if (path === '/login/enter' && method === 'POST') {
      const name = fieldsOf(body).get('username') ?? ''
      const isRight = people.includes(name) && fieldsOf(body).get('password') === `${name}s`
      const cookies = [`session=${name}0123456789abcdef`, `name=${name}`, `password=${name}s`]
      return [302, '', { location: '/', ...(isRight ? { 'set-cookie': cookies } : {}) }]
    }
    if (path === '/enter')
      return [
        200,
        `<form method=post action=/login/enter><input type=text name=username value="${who}"><input type=text name=password value="${kept(headers.cookie, 'password')}"><input type=submit name=go value=Enter></form>`,
      ]
    return path === '/' ? [200, `<h1>Hello ${who}</h1><a href="/enter">enter</a>`] : [404, '']
  }

  await serving(handle, (url) =>
    scan({
      target: `${url}/`,
      profile: 'DEEP',
      identities: people.map((name) => ({
        name,
        headers: [],
        cookies: [],
        query: [],
        login: { type: 'FORM', url: `${url}/enter`, username: name, password: `${name}s` },
      })),
      checks: ['object-access'],
      browser: false,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

  const sent = asked.filter(({ path }) => path === '/login/enter')
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.filter(({ session }) => session !== '')).toEqual([])
  expect(asked.filter(({ who, session }) => !session.startsWith(who))).toEqual([])
})
