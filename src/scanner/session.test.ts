// Which cookies of answers a session takes, and which it keeps aside.

import { expect, test } from 'vitest'
import { openSession } from './session.ts'
import type { Exchange, HttpRequest } from './types.ts'

const asked = (method: string): HttpRequest => ({ method, url: 'http://shop.test/items', headers: [], body: null })

/** An answer that sets these cookies. */
const answered = (cookies: string[], { method = 'GET', status = 200, values = ['probe'] } = {}): Exchange => ({
  request: asked(method),
  answer: {
    status,
    headers: cookies.map((cookie) => ['set-cookie', cookie] as const),
    body: Buffer.alloc(0),
    isCut: false,
    ms: 1,
  } as Exchange['answer'],
  text: '',
  operation: 'GET /items',
  identity: 'ann',
  values,
})

const open = () => openSession({ name: 'ann', headers: [], query: [], cookies: [['sid', 'first']] })
const sentBy = (session: ReturnType<typeof open>) =>
  session.dress(asked('GET')).headers.find(([name]) => name === 'Cookie')?.[1]

test('what a page renews is kept aside from a probe, and taken when it is asked for', () => {
  const session = open()

  session.learn(answered(['sid=second']))
  const before = sentBy(session)

  expect([before, session.takeRenewed(), sentBy(session)]).toEqual(['sid=first', true, 'sid=second'])
})

test.each([
  ['an answer to what changes something', answered(['sid=of-another'], { method: 'POST' }), {}],
  ['an answer that turns away', answered(['sid=of-nobody'], { status: 401 }), {}],
  ['an answer to a cookie of the probe’s own', answered(['sid=of-another']), { isOwn: true }],
])('%s renews nothing', (_, exchange, how) => {
  const session = open()

  session.learn(exchange, how)

  expect([session.takeRenewed(), sentBy(session)]).toEqual([false, 'sid=first'])
})

test('a cookie that an answer takes away while every answer renews it is taken up again', () => {
  const session = open()
  session.learn(answered(['sid=second']))
  session.takeRenewed()
  session.followRenewals()

  session.learn(answered(['sid=; Max-Age=0'], { status: 401 }))
  const gone = sentBy(session)

  expect([gone, session.takeRenewed(), sentBy(session)]).toEqual([undefined, true, 'sid=second'])
})

test('tokens that scripts stored are secrets, and what else they stored is none', () => {
  const session = open()
  const user = JSON.stringify({ name: 'Ann of the tea shop 12', token: { access: 'at-abcdef-0123456789' } })

  session.stored = {
    local: {
      refresh: 'rt-1234567890abcdef',
      user,
      theme: 'dark',
      page: 'settings-of-people',
      since: '2026-01-15T10:00:00Z',
    },
    session: { key: '"sk-1234567890abcdef"' },
  }

  expect(session.secrets()).toEqual(['first', 'rt-1234567890abcdef', 'at-abcdef-0123456789', 'sk-1234567890abcdef'])
})
