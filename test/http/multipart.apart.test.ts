// GraphQL multipart requests: what is accepted, every kind of malformed request, and that nothing is left behind.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administratorKey } from '../testkit/client.ts'
import { startService } from '../testkit/service.ts'
import { type Apart, startApart } from './apart.ts'
import { BOUNDARY, filePart, mapPart, multipart, openFiles, operationsPart, type Part, storedFiles } from './parts.ts'
import { codesOf, head, type Sent, send, sendRaw } from './send.ts'

const HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const KiB = 1024

let apart: Apart

beforeAll(async () => {
  apart = await startApart({
    MERLON_JSON_BYTES: String(64 * KiB),
    MERLON_ATTACHMENT_BYTES: String(64 * KiB),
    MERLON_DIFF_BYTES: String(64 * KiB),
    MERLON_REPORT_BYTES: String(64 * KiB),
    MERLON_FILES_PER_REQUEST: '3',
  })
})
afterAll(() => apart.stop())

const sendParts = (parts: readonly Part[], headers: Record<string, string> = HEADERS): Promise<Sent> =>
  send({ url: apart.service.url, body: multipart(parts), headers })

const left = () => storedFiles(join(apart.data, 'objects'))

describe('a multipart request', () => {
  test.each<[string, Part[]]>([
    ['without files', [operationsPart({ a: 1 }), mapPart({})]],
    ['with one file', [operationsPart({ file: null }), mapPart({ 0: ['variables.file'] }), filePart('0')]],
    [
      'with files in another order than the map',
      [
        operationsPart({ files: [null, null] }),
        mapPart({ a: ['variables.files.0'], b: ['variables.files.1'] }),
        filePart('b'),
        filePart('a'),
      ],
    ],
    [
      'with one file at two places',
      [
        operationsPart({ a: null, input: { companyId: 1, archive: null } }),
        mapPart({ 0: ['variables.a', 'variables.input.archive'] }),
        filePart('0'),
      ],
    ],
    ['with an empty file', [operationsPart({ file: null }), mapPart({ 0: ['variables.file'] }), filePart('0', '')]],
    [
      'with a file of the largest size',
      [operationsPart({ file: null }), mapPart({ 0: ['variables.file'] }), filePart('0', 'x'.repeat(64 * KiB))],
    ],
    [
      'with a file that has no name',
      [operationsPart({ file: null }), mapPart({ 0: ['variables.file'] }), { name: '0', filename: '', content: 'x' }],
    ],
    [
      'with a file that holds line ends and dashes',
      [
        operationsPart({ file: null }),
        mapPart({ 0: ['variables.file'] }),
        filePart('0', `\r\n--${BOUNDARY}x\r\n--\r\n`),
      ],
    ],
  ])('%s is taken, and a file that nothing refers to does not stay', async (_, parts) => {
    const answer = await sendParts(parts)

    expect([answer.status, answer.errors, answer.data]).toEqual([200, [], { __typename: 'Mutation' }])
    expect(left()).toEqual([])
  })

  test('may stand in quotes and have a preamble and an epilogue', async () => {
    const parts = multipart([operationsPart({}), mapPart({})])
    const body = new Uint8Array(Buffer.concat([Buffer.from('preamble\r\n'), parts, Buffer.from('epilogue')]))

    const answer = await send({
      url: apart.service.url,
      body,
      headers: { 'content-type': `Multipart/Form-Data; boundary="${BOUNDARY}"` },
    })

    expect(answer.data).toEqual({ __typename: 'Mutation' })
  })
})

const one = { file: null }
const toOne = { 0: ['variables.file'] }

const wrong: [string, Part[]][] = [
  ['no parts at all', []],
  ['no operations', [mapPart({})]],
  ['no map', [operationsPart({})]],
  ['the map before the operations', [mapPart(toOne), operationsPart(one), filePart('0')]],
  ['a file before the map', [operationsPart(one), filePart('0'), mapPart(toOne)]],
  ['a file before everything', [filePart('0'), operationsPart(one), mapPart(toOne)]],
  ['operations that are no JSON', [{ name: 'operations', content: '{' }, mapPart({})]],
  ['empty operations', [{ name: 'operations', content: '' }, mapPart({})]],
  ['operations that are a list', [{ name: 'operations', content: '[{"query":"{ __typename }"}]' }, mapPart({})]],
  ['operations that are null', [{ name: 'operations', content: 'null' }, mapPart({})]],
  ['operations that are a text', [{ name: 'operations', content: '"{ __typename }"' }, mapPart({})]],
  ['operations without a query', [{ name: 'operations', content: '{}' }, mapPart({})]],
  ['variables that are a list', [operationsPart([null]), mapPart({ 0: ['variables.0'] }), filePart('0')]],
  ['operations that came twice', [operationsPart(one), operationsPart(one), mapPart(toOne)]],
  ['operations that are a file', [{ ...operationsPart({}), filename: 'o.json' }, mapPart({})]],
  ['a map that is no JSON', [operationsPart(one), { name: 'map', content: '{0:' }]],
  ['a map that is a list', [operationsPart(one), mapPart([['variables.file']])]],
  ['a map that is null', [operationsPart(one), mapPart(null)]],
  ['a map that came twice', [operationsPart(one), mapPart(toOne), mapPart(toOne)]],
  ['an entry that is a text', [operationsPart(one), mapPart({ 0: 'variables.file' }), filePart('0')]],
  ['an entry without paths', [operationsPart(one), mapPart({ 0: [] }), filePart('0')]],
  ['a path that is a number', [operationsPart(one), mapPart({ 0: [1] }), filePart('0')]],
  ['a path that is a list', [operationsPart(one), mapPart({ 0: [['variables', 'file']] }), filePart('0')]],
  ['an empty path', [operationsPart(one), mapPart({ 0: [''] }), filePart('0')]],
  ['a path outside the variables', [operationsPart(one), mapPart({ 0: ['query'] }), filePart('0')]],
  ['a path to the variables themselves', [operationsPart(null), mapPart({ 0: ['variables'] }), filePart('0')]],
  ['a path to what is not there', [operationsPart(one), mapPart({ 0: ['variables.other'] }), filePart('0')]],
  ['a path to what is not null', [operationsPart({ file: 1 }), mapPart(toOne), filePart('0')]],
  [
    'a path through what is not null',
    [operationsPart({ file: 'x' }), mapPart({ 0: ['variables.file.a'] }), filePart('0')],
  ],
  ['a path through null', [operationsPart(one), mapPart({ 0: ['variables.file.a'] }), filePart('0')]],
  ['a path beyond a list', [operationsPart({ files: [null] }), mapPart({ 0: ['variables.files.1'] }), filePart('0')]],
  [
    'a path to a negative index',
    [operationsPart({ files: [null] }), mapPart({ 0: ['variables.files.-1'] }), filePart('0')],
  ],
  [
    'a path to the length of a list',
    [operationsPart({ files: [null] }), mapPart({ 0: ['variables.files.length'] }), filePart('0')],
  ],
  ['a path to a prototype', [operationsPart(one), mapPart({ 0: ['variables.__proto__'] }), filePart('0')]],
  ['a path into a prototype', [operationsPart(one), mapPart({ 0: ['variables.__proto__.polluted'] }), filePart('0')]],
  [
    'a path into a constructor',
    [operationsPart(one), mapPart({ 0: ['variables.constructor.prototype.polluted'] }), filePart('0')],
  ],
  [
    'a path named twice',
    [operationsPart(one), mapPart({ 0: ['variables.file'], 1: ['variables.file'] }), filePart('0'), filePart('1')],
  ],
  [
    'a path named twice by one file',
    [operationsPart(one), mapPart({ 0: ['variables.file', 'variables.file'] }), filePart('0')],
  ],
  [
    'too many paths',
    [
      operationsPart({ f: Array.from({ length: 101 }, () => null) }),
      mapPart({ 0: Array.from({ length: 101 }, (_, n) => `variables.f.${n}`) }),
      filePart('0'),
    ],
  ],
  ['a file that the map does not name', [operationsPart(one), mapPart(toOne), filePart('0'), filePart('1')]],
  ['a file that did not come', [operationsPart(one), mapPart(toOne)]],
  ['a file that came twice', [operationsPart(one), mapPart(toOne), filePart('0'), filePart('0')]],
  ['a file that came as a field', [operationsPart(one), mapPart(toOne), { name: '0', content: 'x' }]],
  [
    'too many files in the map',
    [
      operationsPart({ f: [null, null, null, null] }),
      mapPart({ 0: ['variables.f.0'], 1: ['variables.f.1'], 2: ['variables.f.2'], 3: ['variables.f.3'] }),
    ],
  ],
  ['too many files', [operationsPart(one), mapPart(toOne), ...['0', '1', '2', '3', '4'].map((name) => filePart(name))]],
  ['another field', [operationsPart({}), mapPart({}), { name: 'extra', content: 'x' }]],
  [
    'a hundred fields',
    [operationsPart({}), mapPart({}), ...Array.from({ length: 100 }, (_, n) => ({ name: `f${n}`, content: 'x' }))],
  ],
  ['a part without a name', [operationsPart({}), { content: 'x' }, mapPart({})]],
  ['a file without a name of its part', [operationsPart(one), mapPart(toOne), { filename: 'a', content: 'x' }]],
  ['parts without a disposition', [{ content: 'x', headers: ['Content-Type: text/plain'] }]],
  ['a file named by a number of __proto__', [operationsPart(one), mapPart(toOne), filePart('__proto__')]],
]

describe('a multipart request is refused for', () => {
  test.each(wrong)('%s', async (_, parts) => {
    const answer = await sendParts(parts)

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
    expect(answer.errors[0]?.extensions.requestId).toBe(answer.headers.get('x-request-id'))
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {}).toBe(false)
    expect(left()).toEqual([])
  })

  test.each<[string, Part[]]>([
    ['operations that are too large', [operationsPart({ a: 'x'.repeat(65 * KiB) }), mapPart({})]],
    ['a map that is too large', [operationsPart({}), mapPart({ 0: ['x'.repeat(65 * KiB)] })]],
    ['a file that is too large', [operationsPart(one), mapPart(toOne), filePart('0', 'x'.repeat(64 * KiB + 1))]],
    ['a file that is far too large', [operationsPart(one), mapPart(toOne), filePart('0', 'x'.repeat(8 * 1024 * KiB))]],
    [
      'a second file that is too large',
      [
        operationsPart({ a: null, b: null }),
        mapPart({ 0: ['variables.a'], 1: ['variables.b'] }),
        filePart('0'),
        filePart('1', 'x'.repeat(70 * KiB)),
      ],
    ],
  ])('%s', async (_, parts) => {
    const answer = await sendParts(parts)

    expect([answer.status, codesOf(answer)]).toEqual([413, ['PAYLOAD_TOO_LARGE']])
    expect(left()).toEqual([])
  })

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a boundary that the body does not have', 'multipart/form-data; boundary=other'],
    ['a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(4000)}`],
  ])('%s', async (_, type) => {
    const answer = await sendParts([operationsPart({}), mapPart({})], { 'content-type': type })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
  })

  test.each([0, 1, 40, 100, 150, 200, 260, 330])('a body that ends after %i bytes', async (length) => {
    const whole = multipart([operationsPart(one), mapPart(toOne), filePart('0')])

    const answer = await send({ url: apart.service.url, body: whole.slice(0, length), headers: HEADERS })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
    expect(left()).toEqual([])
  })

  test('a part whose headers have no end', async () => {
    const body = new Uint8Array(Buffer.from(`--${BOUNDARY}\r\n${'X-Long: y\r\n'.repeat(20_000)}`))

    const answer = await send({ url: apart.service.url, body, headers: HEADERS })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
  })
})

describe('an upload that is cut off', () => {
  test('two hundred times leaves no file and no descriptor', async () => {
    const parts = [operationsPart(one), mapPart(toOne), filePart('0', 'x'.repeat(60 * KiB))]
    const whole = Buffer.from(multipart(parts))
    const start = head(
      'POST /graphql HTTP/1.1',
      'Host: x',
      `x-api-key: ${administratorKey()}`,
      `content-type: ${HEADERS['content-type']}`,
      `content-length: ${whole.length}`,
    )
    await sendParts(parts)
    const before = openFiles()

    for (let round = 0; round < 20; round += 1) {
      const cuts = Array.from({ length: 10 }, (_, turn) => 300 + ((round * 10 + turn) * (whole.length - 310)) / 200)
      await Promise.all(
        cuts.map((cut) =>
          sendRaw(apart.service.url, [`${start}\r\n`, whole.subarray(0, cut)], { first: 10, quiet: 10 }),
        ),
      )
    }

    await expect.poll(left).toEqual([])
    await expect.poll(() => openFiles() - before).toBeLessThan(10)
    expect((await sendParts(parts)).status).toBe(200)
  })
})

test('a quarter of a gibibyte is streamed to the store, not held', async () => {
  const large = await startService({ MERLON_REPORT_BYTES: String(512 * 1024 * KiB) })
  const piece = new Uint8Array(1024 * KiB).fill(120)
  const whole = Buffer.from(multipart([operationsPart(one), mapPart(toOne), filePart('0', '')]))
  const split = whole.indexOf('text/plain\r\n\r\n') + 'text/plain\r\n\r\n'.length
  let sent = 0
  let peak = 0
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new Uint8Array(whole.subarray(0, split))),
    pull(stream) {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers)
      if (sent < 256) stream.enqueue(piece)
      else {
        stream.enqueue(new Uint8Array(whole.subarray(split)))
        stream.close()
      }
      sent += 1
    },
  })
  const before = process.memoryUsage().arrayBuffers

  const answer = await send({ url: large.url, body, headers: HEADERS })
  await large.app.stop(0)

  expect(answer.data).toEqual({ __typename: 'Mutation' })
  expect(peak - before).toBeLessThan(128 * 1024 * KiB)
})
