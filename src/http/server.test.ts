// What the endpoint takes, refuses and says on every answer.

import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { codesOf, head, send } from '../../test/http/send.ts'
import { administratorKey } from '../../test/testkit/client.ts'
import { services, serviceUrl } from '../../test/testkit/service.ts'

const TYPENAME = JSON.stringify({ query: '{ __typename }' })
const RESPONSE = 'application/graphql-response+json'

describe('bodies', () => {
  const refused: [string, string][] = [
    ['an empty body', ''],
    ['white space', ' \n'],
    ['what is no JSON', 'query { viewer { id } }'],
    ['JSON that is cut short', '{"query":"{ __typename }"'],
    ['trailing junk', `${TYPENAME} x`],
    ['two objects', TYPENAME + TYPENAME],
    ['a string', '"{ __typename }"'],
    ['a number', '7'],
    ['null', 'null'],
    ['a batch', `[${TYPENAME}]`],
    ['an empty batch', '[]'],
    ['no query', '{}'],
    ['an empty query', '{"query":""}'],
    ['a query that is no string', '{"query":{"kind":"Document"}}'],
    ['variables that are a list', '{"query":"{ __typename }","variables":[]}'],
    ['variables that are a string', '{"query":"{ __typename }","variables":"{}"}'],
    ['an operationName that is a number', '{"query":"{ __typename }","operationName":1}'],
    ['extensions that are a list', '{"query":"{ __typename }","extensions":[]}'],
    ['a name of prototypes', '{"query":"{ __typename }","__proto__":{"a":1}}'],
    ['an operationName that names nothing', '{"query":"query A { __typename }","operationName":"B"}'],
    ['two operations and no operationName', '{"query":"query A { __typename } query B { __typename }"}'],
  ]

  test.each(refused)('%s is no GraphQL request', async (_, body) => {
    const answer = await send({ body })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
    expect(answer.errors[0]?.extensions.requestId).toBe(answer.headers.get('x-request-id'))
  })

  test.each([
    ['null members', '{"query":"{ __typename }","operationName":null,"variables":null,"extensions":null}'],
    ['unknown members', '{"query":"{ __typename }","id":"1","doc_id":7}'],
    ['a byte order mark', `\uFEFF${TYPENAME}`],
    ['an unknown variable', '{"query":"{ __typename }","variables":{"unused":1}}'],
  ])('%s are no reason to refuse', async (_, body) => {
    const answer = await send({ body })

    expect([answer.status, answer.data]).toEqual([200, { __typename: 'Query' }])
  })

  test('a JSON body above 2 MiB is refused as too large before it is read', async () => {
    const answer = await send({
      body: JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(2 ** 21) } }),
    })

    expect([answer.status, codesOf(answer)]).toEqual([413, ['PAYLOAD_TOO_LARGE']])
  })

  test('who reads nothing before a body far too large is sent sees the answer all the same', async () => {
    const body = JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(2 ** 25) } })
    const { hostname, port } = new URL(await serviceUrl())
    const request = head(
      'POST /graphql HTTP/1.1',
      'Host: x',
      `x-api-key: ${administratorKey()}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    )
    const socket = connect(Number(port), hostname)

    const closed = once(socket, 'close').catch((error) => error)
    await Promise.race([new Promise((sent) => socket.write(`${request}\r\n${body}`, sent)), closed])
    const answer = await Promise.race([once(socket, 'data'), closed])
    socket.destroy()

    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('a JSON body that comes in chunks counts all the same', async () => {
    const piece = new TextEncoder().encode('x'.repeat(65_536))
    let sent = 0
    const body = new ReadableStream({ pull: (stream) => (sent++ < 40 ? stream.enqueue(piece) : stream.close()) })

    const answer = await send({ body })

    expect(answer.status).toBe(413)
  })

  test('a small JSON body may come in chunks', async () => {
    const body = new ReadableStream({
      start(stream) {
        for (const letter of TYPENAME) stream.enqueue(new TextEncoder().encode(letter))
        stream.close()
      },
    })

    const answer = await send({ body })

    expect(answer.data).toEqual({ __typename: 'Query' })
  })
})

describe('content types', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON; charset=utf8',
    'application/json; profile=x',
  ])('%s is taken', async (type) => {
    const answer = await send({ body: TYPENAME, headers: { 'content-type': type } })

    expect(answer.data).toEqual({ __typename: 'Query' })
  })

  test.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/graphql-response+json',
    'json',
    ',',
    'multipart/mixed; boundary=x',
    'multipart/form-datax; boundary=x',
  ])('%s is not', async (type) => {
    const answer = await send({ body: TYPENAME, headers: { 'content-type': type } })

    expect([answer.status, codesOf(answer)]).toEqual([415, ['UNSUPPORTED_MEDIA_TYPE']])
  })

  test('a body without a content type is not taken', async () => {
    const answer = await send({ body: new TextEncoder().encode(TYPENAME), headers: { 'content-type': '' } })

    expect(answer.status).toBe(415)
  })

  test.each(['gzip', 'br', 'deflate', 'x-unknown', 'gzip, identity'])('a body in %s is not taken', async (encoding) => {
    const answer = await send({ body: TYPENAME, headers: { 'content-encoding': encoding } })

    expect([answer.status, codesOf(answer)]).toEqual([415, ['UNSUPPORTED_MEDIA_TYPE']])
  })

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    [RESPONSE, RESPONSE],
    [`${RESPONSE}, application/json;q=0.9`, RESPONSE],
    [`application/json, ${RESPONSE}`, 'application/json'],
    [`application/json;q=0.5, ${RESPONSE}`, RESPONSE],
    [`${RESPONSE};q=0, application/json`, 'application/json'],
    [`${RESPONSE};q=0.1, */*`, RESPONSE],
    ['text/html', 'application/json'],
    [`${RESPONSE};charset=utf-8`, RESPONSE],
  ])('accept %s is answered with %s', async (accept, type) => {
    const answer = await send({ body: TYPENAME, headers: accept === undefined ? {} : { accept } })

    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  })
})

describe('methods and addresses', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is not offered at the endpoint',
    async (method) => {
      const answer = await send({ method, path: '/graphql?query={__typename}', headers: { 'content-type': '' } })

      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      if (method !== 'HEAD') expect(codesOf(answer)).toEqual(['METHOD_NOT_ALLOWED'])
    },
  )

  test('PUT with a body of any type is the same', async () => {
    const answer = await send({ method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } })

    expect([answer.status, codesOf(answer)]).toEqual([405, ['METHOD_NOT_ALLOWED']])
  })

  test.each(['/', '/graphql/', '/graphqlx', '/../etc/passwd', '/%2e%2e/%2e%2e', '/.env', '/favicon.ico', '//graphql'])(
    'there is nothing at %s for a program, which is told where the endpoint and the console are',
    async (path) => {
      const answer = await send({ path, body: TYPENAME })

      expect([answer.status, codesOf(answer)]).toEqual([404, ['NOT_FOUND']])
      expect(answer.errors[0]?.message).toMatch(/POST \/graphql, .* console at \/$/)
    },
  )

  test('an address that cannot be decoded is a bad request', async () => {
    const answer = await send({ path: '/%zz', method: 'GET', headers: { 'content-type': '' } })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
  })

  test.each(['/seals/', '/attachments/'])(
    'there is nothing at an address that %s goes on with for long',
    async (path) => {
      const answer = await send({ path: path + 'a'.repeat(5000), method: 'GET', headers: { 'content-type': '' } })

      expect([answer.status, codesOf(answer)]).toEqual([404, ['NOT_FOUND']])
    },
  )

  test('what comes behind a question mark is not looked at', async () => {
    const answer = await send({ path: '/graphql?query=mutation', body: TYPENAME })

    expect(answer.data).toEqual({ __typename: 'Query' })
  })
})

describe('keys', () => {
  test.each(['', 'x', 'mrl_', 'Bearer x', `${'a'.repeat(8000)}`])('%s is no key', async (key) => {
    const answer = await send({ body: TYPENAME, headers: { 'x-api-key': key } })

    expect([answer.status, codesOf(answer)]).toEqual([401, ['UNAUTHENTICATED']])
  })

  test('who has no key learns nothing of bodies and types', async () => {
    const headers = { 'x-api-key': '', 'content-type': 'text/plain' }

    const answer = await send({ body: 'x'.repeat(3_000_000), headers }).catch(() => null)

    expect(answer === null || answer.status === 401).toBe(true)
  })

  test('a key in another header or in the address is no key', async () => {
    const key = administratorKey()

    const bearer = await send({ body: TYPENAME, headers: { 'x-api-key': '', authorization: `Bearer ${key}` } })
    const inAddress = await send({ path: `/graphql?x-api-key=${key}`, body: TYPENAME, headers: { 'x-api-key': '' } })
    const cookie = await send({ body: TYPENAME, headers: { 'x-api-key': '', cookie: `x-api-key=${key}` } })

    expect([bearer.status, inAddress.status, cookie.status]).toEqual([401, 401, 401])
  })
})

describe('every answer', () => {
  const kinds: [string, Parameters<typeof send>[0]][] = [
    ['a success', { body: TYPENAME }],
    ['a failed field', { body: '{"query":"{ company(id: 999999999) { id } }"}' }],
    ['an invalid document', { body: '{"query":"{ nothing }"}' }],
    ['a bad request', { body: '{' }],
    ['no key', { body: TYPENAME, headers: { 'x-api-key': '' } }],
    ['another method', { method: 'DELETE', headers: { 'content-type': '' } }],
    ['another address', { path: '/nothing', body: TYPENAME }],
    ['another type', { body: TYPENAME, headers: { 'content-type': 'text/plain' } }],
    ['health', { path: '/healthz', method: 'GET', headers: { 'content-type': '' } }],
  ]

  test.each(kinds)('of %s carries the headers that keep it inert', async (_, sending) => {
    const { headers } = await send(sending)

    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\w-]{16}$/),
    })
    expect(headers.get('server')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('has the request id in its header, its extensions, its errors and one line of the log', async () => {
    const body = '{"query":"{ company(id: 999999999) { id } }"}'

    const answer = await send({ body, headers: { 'x-request-id': 'forged' } })

    const id = answer.headers.get('x-request-id')
    const lines = (await services()).flatMap(({ logged }) => logged).filter((line) => line.includes(String(id)))
    expect(answer.extensions.requestId).toBe(id)
    expect(answer.errors[0]?.extensions.requestId).toBe(id)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        requestId: id,
        operation: 'company',
        codes: ['NOT_FOUND'],
        status: 200,
        path: '/graphql',
      }),
    ])
  })
})

describe('statuses', () => {
  const documents: [string, string, string][] = [
    ['a document that does not parse', '{', 'GRAPHQL_PARSE_FAILED'],
    ['a document that is not valid', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a document beyond the limits',
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
      'QUERY_TOO_COMPLEX',
    ],
    ['variables that cannot be read', 'query ($id: ID!) { company(id: $id) { id } }', 'BAD_USER_INPUT'],
  ]

  test.each(documents)(
    '%s is 400 for who takes the response type, and 200 for who takes JSON',
    async (_, query, code) => {
      const body = JSON.stringify({ query })

      const response = await send({ body, headers: { accept: RESPONSE } })
      const json = await send({ body })

      expect([response.status, codesOf(response)]).toEqual([400, [code]])
      expect([json.status, codesOf(json)]).toEqual([200, [code]])
      expect(response.data).toBeUndefined()
    },
  )

  test('a field that fails is 200 in both, with what else was asked', async () => {
    const body = JSON.stringify({
      query: 'mutation { updateCompany(input: { id: 999999999, label: "x" }) { company { id } } }',
    })

    const answers = [await send({ body, headers: { accept: RESPONSE } }), await send({ body })]

    for (const answer of answers) {
      expect([answer.status, answer.data]).toEqual([200, { updateCompany: null }])
      expect(answer.errors[0]).toMatchObject({ path: ['updateCompany'], extensions: { code: 'NOT_FOUND' } })
    }
  })

  test('a caller that sends Expect: 100-continue is told to continue', async () => {
    const { request } = await import('node:http')
    const headers = { 'x-api-key': administratorKey(), 'content-type': 'application/json', expect: '100-continue' }

    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = serviceUrl().then((url) => {
        const waiting = request(`${url}/graphql`, { method: 'POST', headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        waiting.on('continue', () => waiting.end(TYPENAME))
        waiting.flushHeaders()
      })
      asked.catch(reject)
    })

    expect(status).toBe(200)
  })
})
