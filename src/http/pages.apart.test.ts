// What is served beside the endpoint: health, figures, GraphiQL.

import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { administratorKey, run } from '../../test/testkit/client.ts'
import { countStatements, serviceUrl, startService } from '../../test/testkit/service.ts'
import { newWorld } from '../../test/testkit/world.ts'
import { examples } from './explorer-start.ts'

const get = (path: string, headers: Record<string, string> = {}, url?: string) =>
  send({ url, path, method: 'GET', headers: { 'x-api-key': '', 'content-type': '', ...headers } })

const basic = (password: string) => ({ authorization: `Basic ${btoa(`anybody:${password}`)}` })

describe('health', () => {
  test.each([
    ['/healthz', 'ok'],
    ['/readyz', 'ready'],
  ])('%s answers without a key', async (path, status) => {
    const answer = await get(path)

    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { status }])
  })

  test('is looked up for all who ask at once and soon after, so that nobody can keep the database at it', async () => {
    const url = await serviceUrl()

    const statements = await countStatements(async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => get('/readyz', {}, url)))
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    })

    expect(statements).toBeLessThan(10)
  })

  test('HEAD asks the same without a body', async () => {
    const answer = await send({ path: '/healthz', method: 'HEAD', headers: { 'x-api-key': '', 'content-type': '' } })

    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('figures', () => {
  test('count requests by root field, status and code, and nothing that a caller made up', async () => {
    const url = await serviceUrl()
    await send({ url, body: '{"query":"query Mine_quetzal { alias: company(id: 999999999) { id } }"}' })
    await send({ url, body: '{"query":"{ nothing_quetzal }"}' })
    await get('/nothing_quetzal', {}, url)

    const { status, headers, text } = await get('/metrics', {}, url)

    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text).toMatch(/merlon_requests_total\{operation="company",status="200",code="NOT_FOUND"\} \d+/)
    expect(text).toMatch(/merlon_database_connections\{state="open"\} \d+/)
    expect(text).toContain('merlon_request_seconds_bucket')
    expect(text).not.toContain('quetzal')
  })

  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'are not told through a proxy of this machine, which says so in %s',
    async (name) => {
      const answer = await get('/metrics', { [name]: '127.0.0.1' })

      expect([answer.status, codesOf(answer)]).toEqual([403, ['FORBIDDEN']])
      expect(answer.text).not.toContain('merlon_requests_total')
    },
  )

  test('are refused to another machine', async ({ skip }) => {
    const outward = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)
    if (!outward) return skip('This machine has no address but its own')
    const { url, app } = await startService({ HOST: '0.0.0.0' })
    onTestFinished(() => app.stop(0))

    const answer = await get('/metrics', {}, `http://${outward.address}:${new URL(url).port}`)

    expect([answer.status, codesOf(answer)]).toEqual([403, ['FORBIDDEN']])
  })

  test('are given to whoever has the operator’s token, and to nobody else', async () => {
    const token = 'figures-for-prometheus'
    const { url, app } = await startService({ MERLON_METRICS_TOKEN: token })
    onTestFinished(() => app.stop(0))
    const { owner } = await newWorld()

    const told = await get('/metrics', { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' }, url)
    const refused = [
      await get('/metrics', {}, url),
      await get('/metrics', { authorization: `Bearer ${token}x` }, url),
      await get('/metrics', { authorization: basic(token).authorization }, url),
      await get('/metrics', { 'x-api-key': owner.key }, url),
    ]

    expect(told.status).toBe(200)
    expect(told.text).toContain('merlon_requests_total')
    for (const answer of refused) {
      expect([answer.status, codesOf(answer)]).toEqual([401, ['UNAUTHENTICATED']])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('GraphiQL', () => {
  test.each(examples.map(({ query, isOfCompany }) => [query.split(/[ (]/)[1], query, isOfCompany] as const))(
    'begins with the example %s, which runs as it stands',
    async (_, query, isOfCompany) => {
      const { companyId, owner } = await newWorld()

      const data = await run(owner.key, query, isOfCompany ? { companyId } : {})

      expect(Object.values(data)).not.toContain(null)
    },
  )

  const assets = [
    ...['start.js', 'look.js', 'mending.js', 'graphiql.js', 'react.js', 'react-dom.js'],
    ...['graphiql.css', 'tokens.css', 'words.woff2', 'code.woff2'],
  ]

  test('is closed to everybody but administrators', async () => {
    const { owner } = await newWorld()

    const answers = [
      await get('/graphiql'),
      await get('/graphiql', basic(owner.key)),
      await get('/graphiql', basic('x')),
      await get('/graphiql/graphiql.js'),
    ]

    for (const answer of answers) {
      expect([answer.status, codesOf(answer)]).toEqual([401, ['UNAUTHENTICATED']])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
  })

  test('opens to an administrator’s key as the password', async () => {
    const answers = await Promise.all(
      ['/graphiql', ...assets.map((name) => `/graphiql/${name}`)].map((path) => get(path, basic(administratorKey()))),
    )

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('opens to who is signed in to the console, and asks with that session', async () => {
    const { owner } = await newWorld()
    const url = await serviceUrl()
    const signedIn = await fetch(`${url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-merlon-console': '1', origin: url },
      body: JSON.stringify({ key: owner.key }),
    })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''

    const page = await get('/graphiql', { cookie })
    const start = await get('/graphiql/start.js', { cookie })
    const stranger = await get('/graphiql', { cookie: `${cookie.split('=')[0]}=AAAA` })

    expect([page.status, stranger.status]).toEqual([200, 401])
    expect(start.text).toContain("'x-merlon-console': '1'")
  })

  test('is open in development, has scripts of its own alone, and names no address elsewhere', async () => {
    const { url, app } = await startService({ MERLON_DEVELOPMENT: 'true' })

    const page = await get('/graphiql', {}, url)
    const files = await Promise.all(assets.map((name) => get(`/graphiql/${name}`, {}, url)))
    await app.stop(0)

    expect(new Set([page.status, ...files.map(({ status }) => status)])).toEqual(new Set([200]))
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.text).not.toMatch(/https?:|\/\/\w|<script>|onload|onerror/)
    expect(files[0]?.text).not.toMatch(/https?:/)
  })
})
