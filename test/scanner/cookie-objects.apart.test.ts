// Cookies that hold objects: one that runs when it is read back, and one that is read as plain data.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

/** As Python writes `{'name': 'annika'}`, protocol 4. */
const PICKLE = 'gASVFQAAAAAAAAB9lIwEbmFtZZSMBmFubmlrYZRzLg=='

const desk =
  (isRun: boolean): Handler =>
  async ({ method, path, headers, body }) => {
    const cookie = /who=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>']
    if (path === '/login') {
      const isRight = new URLSearchParams(String(body)).get('password') === 'tulip-field-4'
      return [
        302,
        '',
        { location: isRight ? '/desk' : '/login', ...(isRight ? { 'set-cookie': `who=${PICKLE}` } : {}) },
      ]
    }
    const read = Buffer.from(cookie, 'base64').toString('latin1')
    const asked = /^cos\nsystem\n\(S'curl -s (http:\/\/[\w.:/-]{1,100})/.exec(read)?.[1]
    if (isRun && asked) await fetch(asked).catch(() => null)
    return read.includes('annika') ? [200, '<h1>Hello</h1>'] : [302, '', { location: '/login' }]
  }

const found = async (handle: Handler) => {
  const findings = await findingsOf(handle, ['cookie-objects'], {}, (url) => ({
    schema: null,
    crawl: true,
    listener: { host: '127.0.0.1', ports: [0, 0] },
    identities: [
      {
        name: 'annika',
        headers: [],
        cookies: [],
        query: [],
        login: { type: 'FORM', url: `${url}/login`, username: 'annika', password: 'tulip-field-4' },
      },
    ],
  }))
  return findings.map(({ check, cwes, parameter }) => [check, cwes, parameter?.name])
}

test('an object in a cookie that runs when it is read back is found by the call that it makes', async () => {
  expect(new Set((await found(desk(true))).map(String))).toEqual(
    new Set([['unsafe-deserialisation', [502], 'who']].map(String)),
  )
})

test('an object in a cookie that is read as plain data is no flaw', async () => {
  expect(await found(desk(false))).toEqual([])
})
