// Keys of tokens that nobody has to guess in the dark: told by an answer, or put together of usual words.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hour = Math.floor(Date.now() / 1000) + 3600
const signed = (key: string, claims: object = { sub: 'user-a', exp: hour }) => {
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}
const strong = 'vq2Z8mJx0Lr5-a-key-that-is-in-no-list-71c'

const scanned = (handle: Handler, token: string, checks = ['token-key-told']) =>
  findingsOf(
    handle,
    checks,
    { 'GET /me': {}, 'GET /settings': {} },
    {
      identities: [{ name: 'a', headers: [['Authorization', `Bearer ${token}`]], cookies: [], query: [] }],
    },
  )

test('a key in a response is found where it stands; another text beside it is not taken for one', async () => {
  const telling =
    (key: string): Handler =>
    ({ path }) => [200, path === '/settings' ? { debug: { anything: key, mode: 'dev' } } : { name: 'a' }]

  const found = await scanned(telling(strong), signed(strong))
  const other = await scanned(telling(`${strong}x`), signed(strong))

  expect(found.map(({ operation, cwes }) => [operation, cwes])).toEqual([['GET /settings', [522, 200]]])
  expect(other).toEqual([])
})

test.each(['super-secret-key-123', 'safe-secret', 'SHOP_JWT_SECRET', 'testSecretKey'])(
  'the key %s is put together of usual words',
  async (key) => {
    const found = await scanned(() => [200, { name: 'a' }], signed(key))

    expect(found.map(({ cwes, detail }) => [cwes, detail.includes(`"${key}"`)])).toEqual([[[1391], true]])
  },
)

test('a token without an end is found where it is a whole answer, and where it names somebody by a number alone', async () => {
  const endless = signed(strong, { user_id: 7 })
  const service =
    (text: string): Handler =>
    () => [200, text, { 'content-type': 'text/plain' }]
  const scannedAsNobody = (handle: Handler) =>
    findingsOf(handle, ['token-key'], { 'GET /login': {} }, { identities: [] })

  const found = await scannedAsNobody(service(endless))

  expect(found.map(({ cwes }) => cwes)).toEqual([[613]])
  expect(await scannedAsNobody(service(`${endless} is an example`))).toEqual([])
  expect(await scannedAsNobody(service(signed(strong)))).toEqual([])
})
