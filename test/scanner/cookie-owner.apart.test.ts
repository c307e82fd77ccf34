// Cookies that say who somebody is: with a signature, as the name alone, and as a greeting beside the session.

import { createHash, createHmac, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { findingsOf, type Handler } from './tiny.ts'

/** What the cookie `who` has of a name, and the name that is in it; null: it is not taken. */
type Cookie = { write: (name: string) => string; read: (value: string) => string | null }

const base64: Cookie = {
  write: (name) => Buffer.from(JSON.stringify({ user: name })).toString('base64url'),
  read: (value) => /"user":"(\w+)"/.exec(Buffer.from(value, 'base64url').toString())?.[1] ?? null,
}
const plain: Cookie = { write: (name) => name, read: (value) => value }
const mac = (name: string) => createHmac('sha256', 'b8f1d2c0-not-a-word').update(name).digest('hex')
const signed: Cookie = {
  write: (name) => `${name}.${mac(name)}`,
  read: (value) => {
    const [name = '', sum] = value.split('.')
    return sum === mac(name) ? name : null
  },
}

/** Its hash needs no key. */
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')
const hashed: Cookie = {
  write: (name) => Buffer.from(`{"user":"${name}"}.${sumOf(`{"user":"${name}"}`)}`).toString('base64'),
  read: (value) => {
    const [said = '', sum] = Buffer.from(value.replaceAll('%3D', '='), 'base64').toString().split('.')
    return sum === sumOf(said) ? (/"user":"(\w+)"/.exec(said)?.[1] ?? null) : null
  },
}

const PEOPLE = ['annika', 'bertil']

/** `isKnown`: only names of accounts are let in; `hasSession`: another cookie says who somebody is. */
const desk = (cookie: Cookie, { isKnown = true, hasSession = false } = {}): Handler => {
  const sessions = new Map<string, string>()
  return ({ method, path, headers, body }) => {
    const given = headers.cookie ?? ''
    const told = cookie.read(/who=([^;]+)/.exec(given)?.[1] ?? '')
    const session = sessions.get(/sid=([\w-]+)/.exec(given)?.[1] ?? '')
    const who = hasSession ? session : told
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>']
    if (path === '/login') {
      const name = new URLSearchParams(String(body)).get('username') ?? ''
      if (!PEOPLE.includes(name)) return [302, '', { location: '/login' }]
      const sid = randomUUID()
      sessions.set(sid, name)
      return [302, '', { location: '/desk', 'set-cookie': [`who=${cookie.write(name)}`, `sid=${sid}`] }]
    }
    if (!who || (isKnown && !PEOPLE.includes(who))) return [302, '', { location: '/login' }]
    return [200, `<h1>Hello ${told}</h1><p>The papers of ${hasSession ? 'your desk' : 'this account'} are below.</p>`]
  }
}

const who = (name: string, url: string): Identity => ({
  name,
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/login`, username: name, password: 'tulip-field-4' },
})

const seenAt = (handle: Handler) =>
  findingsOf(handle, ['cookie-owner', 'cookie-hash'], {}, (url) => ({
    schema: null,
    crawl: true,
    identities: PEOPLE.map((name) => who(name, url)),
  }))

const found = async (handle: Handler) => (await seenAt(handle)).map(({ check }) => check)

test('a cookie with the name in it, as it is or encoded, is another account with another name', async () => {
  expect(await found(desk(base64))).toEqual(['cookie-owner'])
  expect(await found(desk(plain))).toEqual(['cookie-owner'])
  expect(await found(desk(plain, { isKnown: false }))).toEqual(['cookie-owner'])
})

test('a cookie protected by a hash without a key is reported, with a request that carries it', async () => {
  const [hash, ...others] = await seenAt(desk(hashed))

  expect([hash?.check, others]).toEqual(['cookie-hash', []])
  expect(hash?.evidence.curl).toMatch(/-H 'Cookie: \w+=/)
})

test('a cookie with a signature is nobody else’s, and one that a page greets by beside its session opens nothing', async () => {
  expect(await found(desk(signed))).toEqual([])
  expect(await found(desk(plain, { isKnown: false, hasSession: true }))).toEqual([])
})
