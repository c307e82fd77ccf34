// Changes that another site can have somebody make, and services that look as if.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

type Made = {
  /** what asks for the session's cookie alone, the request's site or its type */
  guard?: 'cookie' | 'site' | 'type'
  sameSite?: 'Strict' | 'Lax'
  /** anybody may do it, without a session */
  isOpen?: boolean
}

type Kept = { notes: string[]; likes: number; seen: string[] }
type Write = (kept: Kept, query: URLSearchParams, body: unknown) => void

/** A service with a session in a cookie, a page at `/board`, and what writes on it. */
const board = (writes: Record<string, Write>, links: string, made: Made = {}): Handler => {
  const { guard = 'cookie', sameSite, isOpen = false } = made
  const signedIn = new Set<string>()
  const kept: Kept = { notes: [], likes: 0, seen: [] }
  return ({ method, path, query, headers, body }) => {
    const sid = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID()
    const isIn = signedIn.has(sid)
    const set = { 'set-cookie': `sid=${sid}; HttpOnly${sameSite ? `; SameSite=${sameSite}` : ''}` }
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>', set]
    if (path === '/login') {
      if (new URLSearchParams(String(body)).get('password') === 'tulip-field-4') signedIn.add(sid)
      return [302, '', { location: signedIn.has(sid) ? '/board' : '/login', ...set }]
    }
    const write = writes[`${method} ${path}`]
    if (write) {
      const isForeign = headers['sec-fetch-site'] === 'cross-site'
      const isPlain = headers['content-type'] === 'text/plain'
      if (!isIn && !isOpen) return [401, '']
      if ((guard === 'site' && isForeign) || (guard === 'type' && isPlain)) return [403, '']
      write(kept, query, typeof body === 'string' ? null : body)
      return method === 'GET' ? [302, '', { location: '/board' }] : [200, { state: 'done' }]
    }
    if (path !== '/board') return [302, '', { location: '/board' }]
    const list = [...kept.notes, ...kept.seen].map((note) => `<li>${note.replaceAll('<', '&lt;')}</li>`).join('')
    return [
      200,
      `<p>${isIn ? 'Ann' : 'Sign in'}</p><p>${kept.likes}</p><ul>${list}</ul>${isIn || isOpen ? links : ''}`,
      set,
    ]
  }
}

const note: Write = ({ notes }, query) => void notes.push(query.get('text') ?? '')
const like: Write = (kept) => {
  kept.likes += 1
}
const told: Write = ({ notes }, _, body) => {
  const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : undefined
  if (typeof text === 'string') notes.push(text)
}
const NOTE_FORM = '<form action="/write"><input name="text"><button>Write</button></form>'
const LIKE_LINK = '<a href="/like?post=7">Good</a>'
const SCRIPT = '<script>fetch("/api/notes", { method: "POST", body: JSON.stringify({ text: "tea" }) })</script>'
const BARE = '<script>fetch("/api/like", { method: "POST" })</script>'

const found = async (handle: Handler) => {
  const findings = await findingsOf(handle, ['forged-change'], {}, (url) => ({
    schema: null,
    crawl: true,
    identities: [
      {
        name: 'ann',
        headers: [],
        cookies: [],
        query: [],
        login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'tulip-field-4' },
      },
    ],
  }))
  return findings.map(({ operation }) => operation)
}

test.each<[string, Record<string, Write>, string, string]>([
  ['a form that keeps its text by GET', { 'GET /write': note }, NOTE_FORM, 'GET /write?text'],
  ['a link that counts', { 'GET /like': like }, LIKE_LINK, 'GET /like?post'],
  ['JSON that is taken as plain text', { 'POST /api/notes': told }, SCRIPT, 'POST /api/notes'],
  ['a request without a body', { 'POST /api/like': like }, BARE, 'POST /api/like'],
])(
  '%s is found with the cookies of whoever is made to send it, and refused from another site it is not',
  async (_, writes, links, key) => {
    expect(await found(board(writes, links))).toEqual([key])
    expect(await found(board(writes, links, { guard: 'site' }))).toEqual([])
    expect(await found(board(writes, links, { sameSite: 'Strict' }))).toEqual([])
  },
)

test('cookies that go along with links alone do not go along with what a form sends', async () => {
  const lax = { sameSite: 'Lax' } as const

  expect(await found(board({ 'GET /like': like }, LIKE_LINK, lax))).toEqual(['GET /like?post'])
  expect(await found(board({ 'POST /api/like': like }, BARE, lax))).toEqual([])
})

test.each<[string, Handler]>([
  ['anybody may do without a session', board({ 'GET /write': note }, NOTE_FORM, { isOpen: true })],
  ['takes JSON by its type alone', board({ 'POST /api/notes': told }, SCRIPT, { guard: 'type' })],
  [
    'looks something up and shows what was looked for last',
    board(
      { 'GET /find': ({ seen }, query) => void seen.splice(0, 9, query.get('q') ?? '') },
      '<form action="/find"><input name="q"></form>',
    ),
  ],
  ['changes nothing', board({ 'GET /like': () => {} }, LIKE_LINK)],
])('nothing is found where the service %s', async (_, handle) => {
  expect(await found(handle)).toEqual([])
})

test('a page that changes by itself proves nothing', async () => {
  let reads = 0
  const plain = board({ 'GET /like': () => {} }, LIKE_LINK)
  const counting: Handler = async (asked) => {
    const [status, body, headers] = await plain(asked)
    reads += asked.path === '/board' ? 1 : 0
    return [status, typeof body === 'string' ? `${body}<p>${reads} readers</p>` : body, headers]
  }

  expect(await found(counting)).toEqual([])
})
