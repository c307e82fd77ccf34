// Signing in: what the cookie of a session opens, what ends it, and that nobody else can use it.

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { run } from '../../test/testkit/client.ts'
import { services, serviceUrl, startService } from '../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'
import { sha256 } from '../core/crypto.ts'

const VIEWER = JSON.stringify({ query: '{ viewer { email } }' })

const ownPage = async (url?: string) => ({
  'x-api-key': '',
  'x-merlon-console': '1',
  'sec-fetch-site': 'same-origin',
  origin: url ?? (await serviceUrl()),
})

/** Signs in and answers with the cookie as a browser would send it back. */
async function signIn(key: string, url?: string, headers: Record<string, string> = {}) {
  const own = await ownPage(url)
  const answer = await send({ url, path: '/session', headers: { ...own, ...headers }, body: JSON.stringify({ key }) })
  return { answer, cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' }
}

const askWith = async (cookie: string, headers: Record<string, string> = {}, body = VIEWER) =>
  send({ body, headers: { ...(await ownPage()), cookie, ...headers } })

const tokenOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)

test('a key is exchanged for a cookie that scripts and other sites cannot use, and that opens the endpoint', async () => {
  const { owner } = await newWorld()

  const { answer, cookie } = await signIn(owner.key)
  const asked = await askWith(cookie)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('set-cookie')).toMatch(
    /^merlon=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  )
  expect(JSON.parse(answer.text).session).toMatchObject({ email: owner.email, isAdministrator: false })
  expect(answer.text).not.toContain(tokenOf(cookie))
  expect(asked.data).toEqual({ viewer: { email: owner.email } })
})

test('the session tells who is signed in, and that nobody is', async () => {
  const { owner, companyId } = await newWorld()
  const { cookie } = await signIn(owner.key)

  const get = (headers: Record<string, string>) =>
    send({ path: '/session', method: 'GET', headers: { 'x-api-key': '', 'content-type': '', ...headers } })
  const known = await get({ cookie })
  const unknown = await get({})

  expect(JSON.parse(known.text).session).toMatchObject({ email: owner.email, roles: { [companyId]: 'OWNER' } })
  expect([unknown.status, JSON.parse(unknown.text)]).toEqual([200, { session: null }])
})

test.each([
  ['another key', { key: `mrl_${'a'.repeat(12)}_${'b'.repeat(38)}` }, 401, 'UNAUTHENTICATED'],
  ['no key', {}, 400, 'BAD_REQUEST'],
  ['a number', { key: 7 }, 400, 'BAD_REQUEST'],
])('nobody signs in with %s', async (_, body, status, code) => {
  const answer = await send({ path: '/session', headers: await ownPage(), body: JSON.stringify(body) })

  expect([answer.status, codesOf(answer)]).toEqual([status, [code]])
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('a session that rotates its own key goes on with the new one from then on, and the key’s other sessions end', async () => {
  const { owner } = await newWorld()
  const [asking, other] = [await signIn(owner.key), await signIn(owner.key)]
  const { apiKeys } = await run(owner.key, '{ apiKeys { id } }')
  const [{ id }] = apiKeys
  const rotating = JSON.stringify({
    query: 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key } }',
    variables: { id },
  })
  let isDone = false

  const rotated = askWith(asking.cookie, {}, rotating).finally(() => {
    isDone = true
  })
  const meanwhile: number[] = []
  while (!isDone) {
    meanwhile.push((await askWith(asking.cookie)).status)
    await delay(20)
  }
  const { rotateApiKey } = (await rotated).data as { rotateApiKey: { key: string } }
  const after = await askWith(asking.cookie)
  const ended = await askWith(other.cookie)

  expect(new Set(meanwhile)).toEqual(new Set([200]))
  expect([after.status, codesOf(ended)]).toEqual([200, ['UNAUTHENTICATED']])
  expect((await send({ body: VIEWER, headers: { 'x-api-key': rotateApiKey.key } })).status).toBe(200)
})

test('the database holds no token, only its hash', async () => {
  const { owner } = await newWorld()

  const { cookie } = await signIn(owner.key)

  const [service] = await services()
  const rows = await service?.app.db.selectFrom('session').selectAll().execute()
  const own = rows?.filter(({ hash }) => hash.equals(sha256(tokenOf(cookie))))
  expect(own).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(tokenOf(cookie))
})

describe('over TLS', () => {
  test('the cookie is sent over TLS alone, under a name that no other host can set', async () => {
    const { owner } = await newWorld()
    const { url, app } = await startService({ MERLON_TRUST_PROXY: 'true' })
    const proxied = { 'x-forwarded-proto': 'https', origin: url.replace('http:', 'https:') }

    const { answer } = await signIn(owner.key, url, proxied)
    await app.stop(0)

    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-merlon=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    )
  })
})

describe('another site', () => {
  const attempts: [string, Record<string, string>][] = [
    ['a request without the console’s header', { 'x-merlon-console': '' }],
    ['a form', { 'x-merlon-console': '', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }],
    ['a form with a file', { 'x-merlon-console': '', 'content-type': 'multipart/form-data; boundary=x' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a script of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['an old browser at another site', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['a page without an origin', { 'sec-fetch-site': '', origin: 'null' }],
    ['a request that does not say where it comes from', { 'sec-fetch-site': '', origin: '' }],
    ['a link that somebody typed', { 'sec-fetch-site': 'none', origin: '' }],
    ['the same host at another port', { 'sec-fetch-site': '', origin: 'http://127.0.0.1:1' }],
  ]

  test.each(attempts)('cannot ask with the cookie: %s', async (_, headers) => {
    const { owner } = await newWorld()
    const { cookie } = await signIn(owner.key)

    const answer = await askWith(cookie, headers)

    expect([answer.status, codesOf(answer)]).toEqual([403, ['FORBIDDEN']])
  })

  test.each(attempts)('cannot sign somebody in: %s', async (_, headers) => {
    const { owner } = await newWorld()

    const { answer } = await signIn(owner.key, undefined, headers)

    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('gets a preflight that allows nothing', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-headers': 'x-merlon-console' }

    const answer = await send({ method: 'OPTIONS', path: '/session', headers: { ...headers, 'content-type': '' } })

    expect(answer.status).toBe(404)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a session ends', () => {
  test('when its user signs out', async () => {
    const { owner } = await newWorld()
    const { cookie } = await signIn(owner.key)

    const left = await send({
      path: '/session',
      method: 'DELETE',
      headers: { ...(await ownPage()), cookie, 'content-type': '' },
    })
    const after = await askWith(cookie)

    expect([left.status, left.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age=0')])
    expect([after.status, codesOf(after)]).toEqual([401, ['UNAUTHENTICATED']])
  })

  test('when its key is revoked', async () => {
    const { owner, companyId } = await newWorld()
    const person = await newPerson(companyId, 'ANALYST')
    const { cookie } = await signIn(person.key)
    const { apiKeys } = await run(person.key, '{ apiKeys { id } }')
    await askWith(cookie)

    await run(person.key, 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', {
      id: apiKeys[0].id,
    })
    const after = await askWith(cookie)

    expect(owner.id).not.toBe(person.id)
    expect([after.status, codesOf(after)]).toEqual([401, ['UNAUTHENTICATED']])
  })

  test.each([
    ['its time is over', { expires_at: new Date(Date.now() - 1000).toISOString() }],
    ['nobody used it for half a day', { last_used_at: new Date(Date.now() - 13 * 3_600_000).toISOString() }],
  ])('when %s', async (_, change) => {
    const { owner } = await newWorld()
    const { cookie } = await signIn(owner.key)
    const [service] = await services()

    const hash = sha256(tokenOf(cookie))
    await service?.app.db.updateTable('session').set(change).where('hash', '=', hash).execute()
    const after = await askWith(cookie)

    expect([after.status, codesOf(after)]).toEqual([401, ['UNAUTHENTICATED']])
  })

  test('when its user signs in again in the same browser', async () => {
    const { owner } = await newWorld()
    const first = await signIn(owner.key)

    const second = await signIn(owner.key, undefined, { cookie: first.cookie })

    expect((await askWith(first.cookie)).status).toBe(401)
    expect((await askWith(second.cookie)).status).toBe(200)
  })
})

test('a key in its header stands above the cookie', async () => {
  const world = await newWorld()
  const other = await newPerson(world.companyId, 'READER')
  const { cookie } = await signIn(world.owner.key)

  const answer = await send({ body: VIEWER, headers: { 'x-api-key': other.key, cookie } })

  expect(answer.data).toEqual({ viewer: { email: other.email } })
})

test('a key signs in thirty times a minute at most, and the key of another is not counted with it', async () => {
  const [one, another] = [await newWorld(), await newWorld()]
  const service = await startService({})

  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(one.owner.key, service.url)))
  const minutes = (performance.now() - began) / 60_000
  const other = await signIn(another.owner.key, service.url).finally(() => service.app.stop(0))

  const refused = answers.filter(({ answer }) => answer.status === 429)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(30)
  expect(answers.length - refused.length).toBeLessThanOrEqual(30 + Math.ceil(30 * minutes))
  expect(refused[0]?.answer.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(other.answer.status).toBe(200)
})

test('sign-ins of one address are counted also where the keys are none', async () => {
  const service = await startService({})

  const answers = await Promise.all(Array.from({ length: 600 }, () => signIn('mrl_none', service.url)))
  await service.app.stop(0)

  const statuses = answers.map(({ answer }) => answer.status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(300)
})

test('of more sessions than a key may have, the one that was used longest ago ends', async () => {
  const { owner } = await newWorld()
  const { cookie: first } = await signIn(owner.key)
  const cookies: string[] = []
  for (let service = 0; service < 2; service += 1) {
    const { url, app } = await startService({})
    const more = await Promise.all(Array.from({ length: 24 }, () => signIn(owner.key, url)))
    const last = await signIn(owner.key, url)
    cookies.push(...[...more, last].map(({ cookie }) => cookie))
    await app.stop(0)
  }

  const statuses = [await askWith(first), await askWith(cookies[0] ?? ''), await askWith(cookies[49] ?? '')]

  expect(statuses.map(({ status }) => status)).toEqual([401, 200, 200])
})
