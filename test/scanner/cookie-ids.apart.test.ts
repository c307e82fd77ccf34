// Cookies with a short number: as the account by itself, beside a session, and as a mark of a visit.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { findingsOf, type Handler } from './tiny.ts'

/** What the page needs to open, of the number in the cookie and of the session. */
type Door = (number: string, hasSession: boolean) => boolean

const desk = (opens: Door, written = (number: string) => number): Handler => {
  const sid = randomUUID()
  return ({ method, path, headers, body }) => {
    const given = headers.cookie ?? ''
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>']
    if (path === '/login') {
      if (!String(body).includes('annika')) return [302, '', { location: '/login' }]
      return [302, '', { location: '/desk', 'set-cookie': [`number=${written('31')}`, `sid=${sid}`] }]
    }
    const number = /number=([^;]*)/.exec(given)?.[1] ?? ''
    if (!opens(number, given.includes(sid))) return [302, '', { location: '/login' }]
    return [200, '<h1>Desk 31</h1><p>The papers of this account are below: a bill, two letters and a map.</p>']
  }
}

const annika = (url: string): Identity => ({
  name: 'annika',
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/login`, username: 'annika', password: 'a-password-of-hers' },
})

const foundAt = (handle: Handler) =>
  findingsOf(handle, ['cookie-number'], { 'GET /desk': {} }, (url) => ({ identities: [annika(url)] }))

test('a number that opens the account by itself is found, also in base64', async () => {
  const written = (number: string) => Buffer.from(number).toString('base64')

  const plain = await foundAt(desk((number) => number === '31'))
  const encoded = await foundAt(desk((number) => number === written('31'), written))

  expect(plain.map(({ operation }) => operation)).toEqual(['GET /desk'])
  expect(encoded.map(({ operation }) => operation)).toEqual(['GET /desk'])
})

test('nothing is found where the session is needed too, where any number will do, and where nothing is', async () => {
  expect(await foundAt(desk((_, hasSession) => hasSession))).toEqual([])
  expect(await foundAt(desk((number, hasSession) => hasSession && number === '31'))).toEqual([])
  expect(await foundAt(desk((number) => number !== ''))).toEqual([])
  expect(await foundAt(desk(() => true))).toEqual([])
})

test('a number that is sent to a part of the site alone is tried there, however many other pages there are', async () => {
  const elsewhere = Array.from({ length: 8 }, (_, index) => `/files/${'abcdefgh'.charAt(index)}`)
  const sid = randomUUID()
  const handle: Handler = ({ method, path, headers, body }) => {
    const given = headers.cookie ?? ''
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>']
    if (path === '/login' && !String(body).includes('annika')) return [302, '', { location: '/login' }]
    if (path === '/login')
      return [302, '', { location: '/desk', 'set-cookie': ['number=31; Path=/desk', `sid=${sid}`] }]
    const isOpen = given.includes(sid) || (path === '/desk' && /(^|; )number=31(;|$)/.test(given))
    return isOpen
      ? [200, `<h1>Desk 31</h1><p>The papers of ${path}: a bill, two letters and a map.</p>`]
      : [302, '', { location: '/login' }]
  }
  const operations = Object.fromEntries([...elsewhere, '/desk'].map((path) => [`GET ${path}`, {}]))

  const found = await findingsOf(handle, ['cookie-number'], operations, (url) => ({ identities: [annika(url)] }))

  expect(found.map(({ operation }) => operation)).toEqual(['GET /desk'])
})
