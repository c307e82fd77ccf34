// What a sign-in answers: how its token is wanted, and whose account it names.

import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { type Described, findingsOf, type Handler, places } from './tiny.ts'

const signingIn = (target: string): Identity[] =>
  ['a', 'b'].map((name) => ({
    name: `user-${name}`,
    headers: [],
    cookies: [],
    query: [],
    login: {
      type: 'TOKEN',
      request: { method: 'POST', url: `${target}/login`, headers: [['Host', new URL(target).host]], body: name },
    },
  }))

const accounts = new Map([
  ['a', { accountNumber: '8101224477', street: 'Harbour 5' }],
  ['b', { accountNumber: '8101990055', street: 'Mill 77' }],
])
const described: Described = { 'GET /letters': { query: { account_number: '' } } }

type Ways = { prefix?: string; header?: string; isGuarded?: boolean }

/** A bank whose sign-in alone names the account. */
const bank =
  ({ prefix = 'Bearer ', header = 'authorization', isGuarded = false }: Ways): Handler =>
  ({ path, query, headers, body }) => {
    if (path === '/login')
      return [200, { token: `${body}-token-4711`, accountNumber: accounts.get(String(body))?.accountNumber }]
    const given = headers[header] ?? ''
    const user = given.startsWith(prefix) ? given.slice(prefix.length, prefix.length + 1) : ''
    const own = given.endsWith('-token-4711') ? accounts.get(user) : undefined
    if (own === undefined) return [403, { message: 'unknown' }]
    const [asked] = [...accounts.values()].filter(({ accountNumber }) => accountNumber === query.get('account_number'))
    if (asked === undefined || (isGuarded && asked !== own)) return [404, { message: 'no such account' }]
    return [200, { letters: [{ to: asked.street }] }]
  }

const found = async (ways: Ways) =>
  places(await findingsOf(bank(ways), ['object-access'], described, (target) => ({ identities: signingIn(target) })))

test('what belongs to an account that the sign-in alone names is found where others get it', async () => {
  expect(await found({})).toEqual(['GET /letters'])
})

test('what others are refused is not found', async () => {
  expect(await found({ isGuarded: true })).toEqual([])
})

test.each<Ways>([{ prefix: 'Token ' }, { prefix: 'JWT ' }, { prefix: '' }, { prefix: '', header: 'x-access-token' }])(
  'a token is sent in the way that the target takes: %o',
  async (ways) => {
    expect(await found(ways)).toEqual(['GET /letters'])
  },
)
