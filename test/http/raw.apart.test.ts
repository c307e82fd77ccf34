// Malformed HTTP: rejected or closed, never answered with a 5xx, never left hanging, and without harm to other connections.

import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { administratorKey } from '../testkit/client.ts'
import { services, serviceUrl, startService } from '../testkit/service.ts'
import { head, send, sendRaw } from './send.ts'

const BODY = '{"query":"{ __typename }"}'
const POST = 'POST /graphql HTTP/1.1'
const JSON_TYPE = 'content-type: application/json'
const key = () => `x-api-key: ${administratorKey()}`
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

/** The chunks to send, and the allowed statuses; an empty list means that the connection is closed without an answer. */
type Case = [string, () => (string | Uint8Array)[], number[]]

const cases: Case[] = [
  ['a line that is no request', () => ['HELLO\r\n\r\n'], [400]],
  ['bytes of another protocol', () => [Buffer.from('16030100ff010000fb0303', 'hex'), '\r\n\r\n'], [400]],
  ['an unknown method', () => [head('HACK /graphql HTTP/1.1', 'Host: x'), '\r\n'], [400]],
  ['an unknown version', () => [head('POST /graphql HTTP/9.9', 'Host: x'), '\r\n'], [400]],
  ['no version', () => ['GET /graphql\r\n\r\n'], [400, 405]],
  ['no host', () => [head(POST, key(), JSON_TYPE, 'content-length: 2'), '\r\n{}'], [400]],
  ['a huge header', () => [head(POST, 'Host: x', `x-long: ${'a'.repeat(100_000)}`), '\r\n'], [431]],
  [
    'thousands of headers',
    () => [head(POST, 'Host: x', ...Array.from({ length: 5000 }, (_, n) => `h${n}: 1`)), '\r\n'],
    [431],
  ],
  ['a huge address', () => [head(`POST /${'a'.repeat(100_000)} HTTP/1.1`, 'Host: x'), '\r\n'], [431]],
  [
    'two lengths',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: 2', 'content-length: 26'), `\r\n${BODY}`],
    [400],
  ],
  [
    'a length and chunks',
    () => [
      head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: 4', 'transfer-encoding: chunked'),
      `\r\n${chunked(BODY)}`,
    ],
    [400],
  ],
  [
    'chunks named twice',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'transfer-encoding: chunked, chunked'), `\r\n${chunked(BODY)}`],
    [400],
  ],
  [
    'chunks that are not last',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'transfer-encoding: chunked, identity'), `\r\n${chunked(BODY)}`],
    [400],
  ],
  [
    'a header before a colon’s space',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'content-length : 26'), `\r\n${BODY}`],
    [400],
  ],
  ['a folded header', () => [head(POST, 'Host: x', 'x-folded: a', ' b', key()), '\r\n'], [400]],
  ['lines that end in LF', () => [`${POST}\nHost: x\n${key()}\n${JSON_TYPE}\ncontent-length: 26\n\n${BODY}`], [400]],
  ['NUL in a header', () => [head(POST, 'Host: x', 'x-nul: a\0b'), '\r\n'], [400]],
  ['NUL in the address', () => [head('POST /graphql\0 HTTP/1.1', 'Host: x'), '\r\n'], [400]],
  ['a bare CR in a header', () => [head(POST, 'Host: x', 'x-cr: a\rb'), '\r\n'], [400]],
  ['a negative length', () => [head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: -1'), '\r\n'], [400]],
  ['a length that is no number', () => [head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: ten'), '\r\n'], [400]],
  [
    'a length beyond 64 bits',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: 99999999999999999999'), '\r\n'],
    [400],
  ],
  [
    'a length of a terabyte',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: 1099511627776'), '\r\n{'],
    [413],
  ],
  [
    'a chunk that is no number',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'transfer-encoding: chunked'), '\r\nzz\r\n{}\r\n0\r\n\r\n'],
    [400],
  ],
  [
    'a chunk larger than it says',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'transfer-encoding: chunked'), '\r\n2\r\n{"query"\r\n0\r\n\r\n'],
    [400],
  ],
  [
    'a chunk with endless extensions',
    () => [
      head(POST, 'Host: x', key(), JSON_TYPE, 'transfer-encoding: chunked'),
      `\r\n2;${'a'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
    [400, 413],
  ],
  [
    'an upgrade to another protocol',
    () => [
      head(POST, 'Host: x', key(), JSON_TYPE, 'connection: upgrade', 'upgrade: h2c', 'content-length: 26'),
      `\r\n${BODY}`,
    ],
    [200],
  ],
  [
    'an expectation that there is not',
    () => [head(POST, 'Host: x', key(), JSON_TYPE, 'expect: miracle', 'content-length: 26'), `\r\n${BODY}`],
    [200, 417],
  ],
  [
    'an absolute address',
    () => [
      head('POST http://other.example/graphql HTTP/1.1', 'Host: x', key(), JSON_TYPE, 'content-length: 26'),
      `\r\n${BODY}`,
    ],
    [200, 404],
  ],
  ['CONNECT', () => [head('CONNECT other.example:443 HTTP/1.1', 'Host: other.example:443'), '\r\n'], []],
  ['TRACE', () => [head('TRACE /graphql HTTP/1.1', 'Host: x', 'x-api-key: secret'), '\r\n'], [404, 405]],
]

describe('raw requests', () => {
  test.each(cases)('%s', async (_, pieces, statuses) => {
    const answer = await sendRaw(await serviceUrl(), pieces())

    const [status] = answer.statuses
    expect(answer.statuses.filter((status) => status >= 500)).toEqual([])
    expect(answer.statuses.length).toBeLessThanOrEqual(1)
    expect(
      status === undefined ? statuses.length === 0 || answer.hasClosed : statuses.includes(status),
      answer.text,
    ).toBe(true)
  })

  test('what the parser refuses is answered in our form, with its id in the log', async () => {
    const { text } = await sendRaw(await serviceUrl(), ['HELLO\r\n\r\n'])

    const id = /x-request-id: ([\w-]+)/.exec(text)?.[1]
    const { errors } = JSON.parse(text.slice(text.indexOf('{')))
    const lines = (await services()).flatMap(({ logged }) => logged).filter((line) => line.includes(String(id)))
    expect(errors).toEqual([
      {
        message: 'The request is not HTTP that can be read',
        extensions: { code: 'BAD_REQUEST', requestId: id, retryable: false },
      },
    ])
    expect(text).toContain('x-content-type-options: nosniff')
    expect(lines).toHaveLength(1)
  })

  test('a second request hidden in the body of the first is not answered', async () => {
    const hidden = head(POST, 'Host: x', key(), JSON_TYPE, `content-length: ${BODY.length}`)
    const smuggled = `0\r\n\r\n${hidden}\r\n${BODY}`
    const outer = head(
      POST,
      'Host: x',
      key(),
      JSON_TYPE,
      `content-length: ${smuggled.length}`,
      'transfer-encoding: chunked',
    )

    const { statuses } = await sendRaw(await serviceUrl(), [`${outer}\r\n${smuggled}`])

    expect(statuses).toEqual([400])
  })

  test('requests one behind the other on a connection are answered in order', async () => {
    const one = (...more: string[]) =>
      `${head(POST, 'Host: x', key(), JSON_TYPE, ...more, `content-length: ${BODY.length}`)}\r\n${BODY}`

    // closes after the last request, so that a pause between answers is not mistaken for the end
    const { statuses } = await sendRaw(await serviceUrl(), [one() + one() + one('connection: close')], {
      first: 15_000,
      quiet: 15_000,
    })

    expect(statuses).toEqual([200, 200, 200])
  })

  test('a body that comes byte by byte is read', async () => {
    const start = `${head(POST, 'Host: x', key(), JSON_TYPE, `content-length: ${BODY.length}`)}\r\n`

    const { statuses } = await sendRaw(await serviceUrl(), [start, ...BODY])

    expect(statuses).toEqual([200])
  })

  test('a hundred callers who leave in the middle of their body leave nothing open', async () => {
    const url = await serviceUrl()
    const start = `${head(POST, 'Host: x', key(), JSON_TYPE, 'content-length: 1000')}\r\n{"query"`
    const service = (await services()).find((node) => node.url === url)
    const before = service?.logged.length ?? 0

    await Promise.all(Array.from({ length: 100 }, () => sendRaw(url, [start], { first: 20, quiet: 20 })))

    const statuses = () => (service?.logged ?? []).slice(before).flatMap((line) => JSON.parse(line).status ?? [])
    await expect.poll(() => statuses().length).toBeGreaterThanOrEqual(100)
    expect(statuses().filter((status: number) => status >= 500)).toEqual([])
  })
})

test('two hundred connections that never end their headers do not keep others waiting, and are closed', async () => {
  const { url, app } = await startService({})
  const { hostname, port } = new URL(url)
  const slow: Socket[] = []
  for (let count = 0; count < 200; count += 1) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).resume()
    socket.write(`${POST}\r\nHost: x\r\nx-slow: `)
    slow.push(socket)
  }
  const dripping = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('a')
  }, 100)
  const times: number[] = []

  for (let count = 0; count < 20; count += 1) {
    const started = performance.now()
    const answer = await send({ url, body: BODY })
    times.push(performance.now() - started)
    expect(answer.status).toBe(200)
  }
  process.stderr.write(`slowest answer beside 200 slow connections: ${Math.max(...times).toFixed(1)} ms\n`)
  // headers have a time limit of twenty seconds, which is checked every five
  await expect.poll(() => slow.filter(({ destroyed }) => !destroyed).length, { timeout: 45_000 }).toBe(0)
  clearInterval(dripping)
  await app.stop(0)
})
