// The HTTP client of all connectors, against a vendor that misbehaves in every way that vendors do.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  cutInTheMiddle,
  FOREIGN,
  pagesByLink,
  pagesByNext,
  serverError,
  silent,
  tooMany,
  webPage,
} from '../../test/testkit/vendor-answers.ts'
import { fakeVendor, get, json, post, type Step } from '../../test/testkit/vendor-fake.ts'
import { fakeSession, fakeVendors } from '../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../test/testkit/vendor-troubles.ts'
import type { Credential } from './kinds.ts'
import { walkCursor, walkLinks, walkNext, walkNumbers } from './pages.ts'
import { at } from './paths.ts'
import type { Connector } from './types.ts'

const ORIGIN = 'https://api.vendor.example.test'
const credential: Credential = { kind: 'TOKEN', token: 'canary-token' }
const things = z.object({ things: z.array(z.number()), next: z.string().nullish(), cursor: z.string().nullish() })

const connector: Connector = {
  type: 'HOST_A',
  name: 'Vendor',
  base: () => `${ORIGIN}/v1`,
  rates: {
    requests: 400,
    per: 60_000,
    concurrency: 2,
    waits: [
      { header: 'retry-after', unit: 'DATE_OR_SECONDS' },
      { header: 'x-ratelimit-reset', unit: 'EPOCH' },
    ],
    remaining: 'x-ratelimit-remaining',
    blindWait: 1_000,
    page: 'https://vendor.example.test/limits',
  },
  authorization: (given) => ({ authorization: given.kind === 'TOKEN' ? `Bearer ${given.token}` : '' }),
  readError: (body) => z.object({ message: z.string() }).safeParse(body).data?.message ?? null,
  oauth: null,
  check: async ({ client }) => void (await client.get(at`/things`, things)),
}

liveThroughTroubles({
  connector,
  credential,
  good: get('/v1/things', json({ things: [1] }), { headers: { authorization: 'Bearer canary-token' } }),
  call: connector.check,
})

const listed = { origin: ORIGIN, path: '/v1/things' }
const all = async (pages: AsyncIterable<{ things: number[] }>) => {
  const found: number[] = []
  for await (const page of pages) found.push(...page.things)
  return found
}

describe('a list in pages', () => {
  test('is walked by the Link header', async () => {
    await fakeVendor(ORIGIN, pagesByLink(listed, [{ things: [1] }, { things: [2] }, { things: [3] }]))
    const { client } = fakeSession(connector, credential)

    expect(await all(walkLinks(client, { path: at`/things` }, things))).toEqual([1, 2, 3])
  })

  test('is walked by an address in the body', async () => {
    const bodyOf = (page: unknown, next: string | null) => ({ things: page, next })
    await fakeVendor(ORIGIN, pagesByNext(listed, [[1], [2], [3]], bodyOf))
    const { client } = fakeSession(connector, credential)

    expect(await all(walkNext(client, { path: at`/things` }, things, ({ next }) => next))).toEqual([1, 2, 3])
  })

  test('is walked by a cursor, and by numbers', async () => {
    await fakeVendor(ORIGIN, [
      get('/v1/things', json({ things: [1], cursor: 'b' }), { query: { after: undefined, page: undefined } }),
      get('/v1/things', json({ things: [2] }), { query: { after: 'b' } }),
      get('/v1/things', json({ things: [3, 4] }), { query: { page: '1' } }),
      get('/v1/things', json({ things: [5] }), { query: { page: '2' } }),
    ])
    const { client } = fakeSession(connector, credential)

    const byCursor = await all(walkCursor(client, { path: at`/things` }, things, ({ value }) => value.cursor, 'after'))
    const isLast = (page: { things: number[] }) => page.things.length < 2
    const byNumber = await all(
      walkNumbers(client, { path: at`/things` }, things, isLast, { parameter: 'page', from: 1 }),
    )

    expect([byCursor, byNumber]).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
  })

  test.each([
    FOREIGN,
    '//elsewhere.example.test/v1/things',
    'https://api.vendor.example.test:8443/',
    'http://api.vendor.example.test/v1/things',
    'https://user@api.vendor.example.test/v1/things',
  ])('does not go on at %s', async (next) => {
    await fakeVendor(ORIGIN, [get('/v1/things', json({ things: [1], next }))])
    const { client } = fakeSession(connector, credential)

    const walked = all(walkNext(client, { path: at`/things` }, things, (page) => page.next))

    await expect(walked).rejects.toMatchObject({ kind: 'LED_ELSEWHERE' })
  })

  test('that goes round in circles ends', async () => {
    await fakeVendor(ORIGIN, [get('/v1/things', json({ things: [1], next: '/v1/things?page=1' }), { times: 2 })])
    const { client } = fakeSession(connector, credential)

    const walked = all(walkNext(client, { path: at`/things` }, things, ({ next }) => next))

    await expect(walked).rejects.toMatchObject({ kind: 'BROKEN_ANSWER' })
  })
})

describe('what is read as it comes', () => {
  const read = async (answer: Step['answer']) => {
    await fakeVendor(ORIGIN, [get('/v1/thing', answer)])
    const { client } = fakeSession(connector, credential)
    const chunks = await Array.fromAsync(await client.stream(at`/thing`))
    return Buffer.concat(chunks).toString()
  }
  const html = { headers: { 'content-type': 'text/html; charset=utf-8' } }
  const pages: [string, Step['answer']][] = [
    ['by its type', webPage()],
    ['by its type alone', { ...html, text: 'diff --git a/x b/x' }],
    ['by its type, empty', { ...html, text: '' }],
    ['by its beginning', { text: '\n<!DOCTYPE html><title>Sign in</title>' }],
  ]

  test.each(pages)('is no page for people, known %s, which may be tried again', async (_, answer) => {
    await expect(read(answer)).rejects.toMatchObject({
      kind: 'BROKEN_ANSWER',
      retryable: true,
      message: 'Vendor returned an unreadable response: it is a web page, not data',
    })
  })

  test('comes whole, may be empty, and does not end where it was cut', async () => {
    expect(await read({ text: 'a < b' })).toBe('a < b')
    expect(await read({ text: '' })).toBe('')
    await expect(read(cutInTheMiddle())).rejects.toMatchObject({ kind: 'UNREACHABLE', retryable: true })
  })
})

describe('a write', () => {
  test('is not sent again after a fault of the server, which may have done it', async () => {
    const { seen } = await fakeVendor(ORIGIN, [post('/v1/things', serverError(502))])
    const { client } = fakeSession(connector, credential)

    await expect(client.post(at`/things`, { a: 1 }, null)).rejects.toMatchObject({ kind: 'SERVER_ERROR' })
    expect(seen).toHaveLength(1)
  })

  test('is sent again when the vendor asked to wait, or when that does no harm', async () => {
    await fakeVendor(ORIGIN, [
      post('/v1/things', tooMany.seconds()),
      post('/v1/things', json({ things: [1] }), { body: { a: 1 } }),
      post('/v1/search', serverError(503)),
      post('/v1/search', json({ things: [2] })),
    ])
    const { client } = fakeSession(connector, credential)

    const made = await client.post(at`/things`, { a: 1 }, things)
    const found = await client.post(at`/search`, {}, things, { repeatable: true })

    expect([made.things, found.things]).toEqual([[1], [2]])
  })
})

describe('a caller who waits', () => {
  test('learns how long the vendor wants to be left alone', async () => {
    await fakeVendor(ORIGIN, [get('/v1/things', tooMany.seconds(90))])
    const session = fakeSession(connector, credential, {}, { patience: 'CALLER' })

    await expect(connector.check(session)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 91 })
  })

  test('does not wait for a vendor that is silent', async () => {
    await fakeVendor(ORIGIN, [get('/v1/things', silent(), { times: 3 })])
    const { client } = fakeSession(connector, credential, {}, { patience: 'CALLER' })

    await expect(client.get(at`/things`, things, { timeout: 1_000 })).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
    })
  })
})

describe('a vendor that fails again and again', () => {
  test('is left alone, tried once after a while, and asked again when it answers', async () => {
    const fake = await fakeVendor(ORIGIN, [get('/v1/things', serverError(500), { times: 5 })])
    const vendors = fakeVendors()
    const session = fakeSession(connector, credential, {}, { vendors })
    const kindOf = () =>
      connector.check(session).then(
        () => 'fine',
        ({ kind }) => kind,
      )

    const first = await kindOf()
    const second = await kindOf()
    fake.add(get('/v1/things', json({ things: [] }), { times: 2 }))
    await vendors.clock.sleep(31_000)
    const later = [await kindOf(), await kindOf()]

    expect([first, second, later]).toEqual(['SERVER_ERROR', 'PAUSED', ['fine', 'fine']])
  })

  test('is asked with another credential all the same', async () => {
    await fakeVendor(ORIGIN, [
      get('/v1/things', serverError(500), { times: 5 }),
      get('/v1/things', json({ things: [] })),
    ])
    const vendors = fakeVendors()
    await connector.check(fakeSession(connector, credential, {}, { vendors })).catch(() => {})

    const other = fakeSession(connector, { kind: 'TOKEN', token: 'another' }, {}, { vendors })

    await expect(connector.check(other)).resolves.toBeUndefined()
  })
})

describe('the limits of a vendor', () => {
  test('hold back what is more than a window allows, and how many go at once', async () => {
    let running = 0
    let most = 0
    const answer = {
      write: (response: import('node:http').ServerResponse) => {
        running += 1
        most = Math.max(most, running)
        setTimeout(() => {
          running -= 1
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"things":[]}')
        }, 1)
      },
    }
    await fakeVendor(ORIGIN, [get('/v1/things', answer, { times: 150 })])
    const vendors = fakeVendors()
    const session = fakeSession(connector, credential, {}, { vendors })
    const began = vendors.clock.now()

    await Promise.all(Array.from({ length: 150 }, () => connector.check(session)))

    // 100 at once, and the other 50 at 300 a minute
    expect(most).toBeLessThanOrEqual(2)
    expect(vendors.clock.now() - began).toBeGreaterThan(8_000)
  })

  const soon = () => String(Math.ceil(Date.now() / 1000) + 60)
  test.each([
    ['say that nothing is left', () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': soon() })],
    ['ask to wait', () => ({ 'retry-after': '7' })],
  ])('are obeyed on good answers that %s', async (_, headersOf) => {
    const last = json({ things: [] }, { headers: headersOf() })
    await fakeVendor(ORIGIN, [get('/v1/things', last), get('/v1/things', json({ things: [] }))])
    const vendors = fakeVendors()
    const session = fakeSession(connector, credential, {}, { vendors })

    await connector.check(session)
    await connector.check(session)

    expect(vendors.clock.slept.some((one) => one > 5_000)).toBe(true)
  })

  test('count anew where something is left, whenever the window ends', async () => {
    const headers = { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': soon() }
    await fakeVendor(ORIGIN, [get('/v1/things', json({ things: [] }, { headers }), { times: 2 })])
    const vendors = fakeVendors()
    const session = fakeSession(connector, credential, {}, { vendors })

    await connector.check(session)
    await connector.check(session)

    expect(vendors.clock.slept).toEqual([])
  })
})

test.each(['sunset', 'deprecation'])(
  'that a vendor takes away what is called (%s) is warned of once a day',
  async (header) => {
    const headers = { [header]: 'Sat, 01 May 2027 00:00:00 GMT', 'snyk-version-served': '2024-10-15' }
    await fakeVendor(ORIGIN, [get('/v1/things', json({ things: [] }, { headers }), { times: 3 })])
    const vendors = fakeVendors()
    const session = fakeSession(connector, credential, {}, { vendors })

    await connector.check(session)
    await connector.check(session)
    await vendors.clock.sleep(86_400_000)
    await connector.check(session)

    const warned = vendors.logged
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 40 || level === 'warn')
    const said = { vendor: 'Vendor', path: '/things', [header]: 'Sat, 01 May 2027 00:00:00 GMT', served: '2024-10-15' }
    expect(warned).toMatchObject([said, said])
  },
)

test('what a vendor says about a refusal is one line, without the credential', async () => {
  const message = 'no such\nbranch for canary-token\u202e'
  await fakeVendor(ORIGIN, [get('/v1/things', json({ message }, { status: 422 }))])

  const refused = connector.check(fakeSession(connector, credential))

  await expect(refused).rejects.toMatchObject({
    kind: 'INVALID',
    code: 'BAD_USER_INPUT',
    message: 'Vendor does not accept this: no such branch for [redacted]',
  })
})

test('an id cannot lead out of its place in a path', () => {
  expect(at`/repositories/${'a/../b?c#d'}/${7}`.text).toBe('/repositories/a%2F..%2Fb%3Fc%23d/7')
  for (const part of ['', '.', '..']) expect(() => at`/repositories/${part}`).toThrow('leads elsewhere')
})
