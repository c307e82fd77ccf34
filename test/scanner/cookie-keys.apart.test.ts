// Cookies signed as frameworks sign them: a key that is in use everywhere is told, and one of its own is not.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { findingsOf } from './tiny.ts'

const strong = 'vq2Z8mJx0Lr5-a key that is in no list-71c'
const hmac = (hash: string, key: string | Buffer, text: string) => createHmac(hash, key).update(text)

const ways: Record<string, (key: string) => string[]> = {
  'an id in Express': (key) => {
    const signature = hmac('sha256', key, '1795407658160').digest('base64').replace(/=+$/, '')
    return [`sid=${encodeURIComponent(`s:1795407658160.${signature}`)}; Path=/`]
  },
  'a session beside its signature': (key) => [
    'session=eyJuYW1lIjoiYW5uIn0=; Path=/',
    `session.sig=${hmac('sha1', key, 'session=eyJuYW1lIjoiYW5uIn0=').digest('base64url')}; Path=/`,
  ],
  'a session of Flask': (key) => {
    const said = 'eyJuYW1lIjoiYW5uIn0.aSKRrg'
    const signature = hmac('sha1', hmac('sha1', key, 'cookie-session').digest(), said).digest('base64url')
    return [`session=${said}.${signature}; Path=/`]
  },
}

test.each(Object.keys(ways))(
  '%s that is signed with a usual key is told, and with one of its own is not',
  async (way) => {
    const found = (key: string) =>
      findingsOf(() => [200, 'tea', { 'set-cookie': ways[way]?.(key) ?? [] }], ['cookie-key'], { 'GET /items': {} })

    expect((await found('keyboard cat')).map(({ detail }) => detail)).toEqual([
      expect.stringContaining('"keyboard cat"'),
    ])
    expect(await found(strong)).toEqual([])
  },
)

test('a serialised object in a cookie is reported once, however many responses set it', async () => {
  const set = { 'set-cookie': 'preferences=rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA==; Path=/' }

  const found = await findingsOf(() => [200, 'tea', set], ['serialised-object'], { 'GET /items': {}, 'GET /cups': {} })

  expect(found.map(({ others }) => others)).toEqual([['GET /cups']])
})
