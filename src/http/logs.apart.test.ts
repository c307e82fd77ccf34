// The log: one line a request, with its id, no secret, and no line that a caller made up.

import { describe, expect, test } from 'vitest'
import { startApart } from '../../test/http/apart.ts'
import { startBreakable } from '../../test/http/broken-database.ts'
import { multipart, operationsPart } from '../../test/http/parts.ts'
import { head, type Sending, send, sendRaw } from '../../test/http/send.ts'
import { administratorKey } from '../../test/testkit/client.ts'
import { startService } from '../../test/testkit/service.ts'
import { newKey } from '../modules/access/keys.ts'

const CANARY = 'canary-8a61c0'
const ESCAPES = 'line\r\nend \u001b[31mred\u001b[0m \u2028'

const json = (query: string, variables = {}) => JSON.stringify({ query, variables })

describe('no secret is logged', () => {
  const key = newKey().key
  const requests: [string, Sending][] = [
    ['a success', { body: json(`{ viewer { id } } # ${CANARY}`, { unused: CANARY }) }],
    [
      'a secret in the document',
      { body: json(`mutation { createCompany(input: { label: "", brandUrl: "${CANARY}" }) { company { id } } }`) },
    ],
    ['a document that does not parse', { body: json(`{ ${CANARY} `) }],
    ['a document that is not valid', { body: json(`{ ${CANARY.replaceAll('-', '_')} }`) }],
    [
      'variables that cannot be read',
      { body: json('query ($id: ID!) { company(id: $id) { id } }', { id: { [CANARY]: CANARY } }) },
    ],
    ['a name of an operation', { body: JSON.stringify({ query: '{ __typename }', operationName: CANARY }) }],
    ['a record that is not there', { body: json(`query { company(id: "${CANARY}") { id } }`) }],
    ['a body that is no JSON', { body: `{"query": "${CANARY}` }],
    ['a body that is too large', { body: CANARY.repeat(200_000) }],
    ['an unknown key', { body: json('{ viewer { id } }'), headers: { 'x-api-key': key } }],
    ['a malformed key', { body: json('{ viewer { id } }'), headers: { 'x-api-key': CANARY } }],
    [
      'an authorization',
      { body: json('{ viewer { id } }'), headers: { authorization: `Bearer ${CANARY}`, cookie: `session=${CANARY}` } },
    ],
    ['another type', { body: CANARY, headers: { 'content-type': 'text/plain' } }],
    ['a question mark', { path: `/graphql?key=${CANARY}`, body: json('{ viewer { id } }') }],
    ['an Idempotency-Key', { body: json('{ viewer { id } }'), headers: { 'idempotency-key': CANARY } }],
    [
      'multipart',
      {
        body: multipart([operationsPart({ a: CANARY }), { name: CANARY, content: CANARY }]),
        headers: { 'content-type': `multipart/form-data; boundary=merlon-boundary` },
      },
    ],
    [
      'GraphiQL',
      {
        path: '/graphiql',
        method: 'GET',
        headers: { authorization: `Basic ${btoa(`x:${CANARY}`)}`, 'content-type': '' },
      },
    ],
  ]

  test.each(requests)('of %s', async (_, sending) => {
    const { url, logged, app } = await startService({ LOG_LEVEL: 'debug' })

    await send({ url, ...sending })
    await app.stop(0)

    const text = logged.join('')
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(CANARY.replaceAll('-', '_'))
    expect(text).not.toContain(key.slice(17))
    expect(text).not.toContain(administratorKey().slice(17))
    expect(text).not.toContain(btoa(`x:${CANARY}`))
    expect(logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')).toHaveLength(1)
  })

  test('when the database is gone', async () => {
    const { service, cut, stop } = await startBreakable()
    service.app.parts.forgetViewers()
    await cut()

    await send({ url: service.url, body: json(`{ viewer { id } } # ${CANARY}`, { unused: CANARY }) })
    await stop()

    expect(service.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')).toHaveLength(1)
    expect(service.logged.join('')).not.toContain(CANARY)
    expect(service.logged.join('')).not.toContain(administratorKey().slice(17))
  })
})

describe('no line is forged', () => {
  test('by text in headers, addresses, bodies and names', async () => {
    const { service, stop } = await startApart()
    const { url, logged } = service

    await send({ url, path: `/%0d%0a{"level":30}/${encodeURIComponent(ESCAPES)}`, body: json('{ viewer { id } }') })
    await send({ url, body: json(`query A { viewer { id } } # ${ESCAPES}`, { a: ESCAPES }) })
    await send({ url, body: JSON.stringify({ query: '{ __typename }', operationName: ESCAPES }) })
    await send({
      url,
      body: json('{ __typename }'),
      headers: { 'user-agent': 'x\u001b[31m'.replace('\u001b', '%1b'), 'x-forwarded-for': '1.2.3.4' },
    })
    await sendRaw(url, [head('GET /\u001b[31m{"level":60} HTTP/1.1', 'Host: x'), '\r\n'])
    await stop()

    for (const line of logged) {
      expect(line.endsWith('\n')).toBe(true)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f\u2028]/)
      expect(JSON.parse(line)).toMatchObject({ level: 30, time: expect.any(String), msg: 'request' })
    }
    expect(logged).toHaveLength(5)
  })

  test('by an address that claims to come from elsewhere, unless a proxy is trusted, and then by its own word alone', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
    const [direct, behind] = [await startService({}), await startService({ MERLON_TRUST_PROXY: 'true' })]

    await send({ url: direct.url, body: json('{ __typename }'), headers })
    await send({ url: behind.url, body: json('{ __typename }'), headers })
    await Promise.all([direct.app.stop(0), behind.app.stop(0)])

    expect(JSON.parse(direct.logged[0] ?? '{}').address).toBe('127.0.0.1')
    expect(JSON.parse(behind.logged[0] ?? '{}').address).toBe('203.0.113.7')
  })
})
