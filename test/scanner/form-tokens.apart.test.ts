// Tokens of forms that are looked at only in part, told by what a page keeps or by where the answer leads.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { findingsOf, type Handler } from './tiny.ts'

type Takes = 'its own' | 'none' | 'any that was given out' | 'whatever comes'

/** A form that transfers something; `shows`: its page lists what was transferred. */
const transfers = (takes: Takes, shows: boolean, refusesQuietly = false): Handler => {
  const signedIn = new Set<string>()
  const tokens = new Map<string, string>()
  const kept: string[] = []
  const isTaken = (token: string | null, own: string) =>
    takes === 'whatever comes' ||
    token === own ||
    (takes === 'none' && token === null) ||
    (takes === 'any that was given out' && [...tokens.values()].includes(token ?? ''))
  return ({ method, path, headers, body }) => {
    const sid = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID()
    const set = { 'set-cookie': `sid=${sid}; HttpOnly` }
    const own = tokens.get(sid) ?? randomUUID()
    tokens.set(sid, own)
    const fields = new URLSearchParams(String(body))
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>', set]
    if (path === '/login') {
      if (fields.get('password') === 'tulip-field-4') signedIn.add(sid)
      return [302, '', { location: signedIn.has(sid) ? '/send' : '/login', ...set }]
    }
    if (path === '/done') return [200, '<p>It is on its way</p>']
    if (path !== '/send') return [302, '', { location: '/send', ...set }]
    if (!signedIn.has(sid)) return [302, '', { location: '/login' }]
    if (method === 'POST') {
      const isRefused = !isTaken(fields.get('csrf_token'), own)
      if (isRefused) return refusesQuietly ? [302, '', { location: '/send' }] : [403, '<p>no</p>']
      if (!fields.get('purpose')) return [200, '<p>What for?</p>']
      kept.push(fields.get('purpose') ?? '')
      return [302, '', { location: '/done' }]
    }
    const list = shows ? kept.map((one) => `<li>${one.replaceAll('<', '&lt;')}</li>`).join('') : ''
    return [
      200,
      `<form method="post" action="/send"><input type="hidden" name="csrf_token" value="${own}"><input name="purpose"></form><ul>${list}</ul>`,
      set,
    ]
  }
}

const who = (name: string, url: string): Identity => ({
  name,
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/login`, username: name, password: 'tulip-field-4' },
})

const found = async (handle: Handler) => {
  const findings = await findingsOf(handle, ['forged-request-guard-unchecked'], {}, (url) => ({
    schema: null,
    crawl: true,
    identities: [who('ann', url), who('bob', url)],
  }))
  return findings.map(({ detail }) => detail.split(/ the form/, 1).join(''))
}

test.each([true, false])(
  'a token that may be wrong, missing or somebody else’s is told (shown on a page: %s)',
  async (shows) => {
    expect(await found(transfers('whatever comes', shows))).toEqual(['With a wrong token'])
    expect(await found(transfers('none', shows))).toEqual(['Without its token'])
    expect(await found(transfers('any that was given out', shows))).toEqual(['With the token of bob'])
  },
)

test.each([true, false])('a token that has to be the session’s own is no flaw (shown on a page: %s)', async (shows) => {
  expect(await found(transfers('its own', shows))).toEqual([])
  expect(await found(transfers('its own', shows, true))).toEqual([])
})
