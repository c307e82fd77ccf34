// The command of a finding, pasted into a shell: what arrives is what the scan sent, whatever it was, and nothing else runs.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { evidenceOf } from '../../src/scanner/evidence.ts'
import type { HttpRequest } from '../../src/scanner/types.ts'
import { findingsOf, type Handler, serving } from './tiny.ts'

const none = { hidden: [], plain: [] }

const sh = (command: string, cwd?: string) => promisify(execFile)('sh', ['-c', command], { cwd, timeout: 10_000 })

const commandOf = (request: HttpRequest, secrets = none as Parameters<typeof evidenceOf>[2]) =>
  evidenceOf(
    {
      request,
      answer: { status: 200, headers: [], body: Buffer.from(''), isCut: false, ms: 1 },
      text: '',
      operation: 'GET /',
      identity: null,
    },
    [],
    secrets,
  ).curl

type Arrived = { method: string; path: string; headers: string[]; body: Buffer }

/** A server that keeps what arrives. */
async function keeping(): Promise<{ url: string; arrived: Arrived[] }> {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', rawHeaders: headers } = request
    arrived.push({ method, path, headers, body: Buffer.concat(chunks) })
    response.setHeader('content-length', 20)
    response.end(method === 'HEAD' ? undefined : 'as long as it says so')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, arrived }
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const

test.each<[what: string, request: Omit<HttpRequest, 'url'>]>([
  ['a body that begins like the name of a file', { method: 'POST', headers: [JSON_TYPE], body: '@/etc/hostname' }],
  ['a body with line breaks and quotes', { method: 'PUT', headers: [JSON_TYPE], body: 'it\'s\r\n\\n "two"\n' }],
  [
    'a picture',
    { method: 'POST', headers: [JSON_TYPE], body: Buffer.from("\u0089PNG\r\n\u001a\n\\0101 100%'\u0000ÿ", 'latin1') },
  ],
  ['a body without a type', { method: 'POST', headers: [], body: '{}' }],
  ['a question for the head alone', { method: 'HEAD', headers: [], body: null }],
  ['a header without a value', { method: 'GET', headers: [['X-Empty', '']], body: null }],
  ['the name of another host', { method: 'GET', headers: [['Host', 'elsewhere.example']], body: null }],
])('%s arrives as it was sent', async (_, sent) => {
  const { url, arrived } = await keeping()

  await sh(commandOf({ ...sent, url: `${url}/a/../b?x[]=%00&y=1` }))

  const [{ headers = [], ...asked } = { headers: [] }] = arrived
  expect(asked).toEqual({ method: sent.method, path: '/a/../b?x[]=%00&y=1', body: Buffer.from(sent.body ?? '') })
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]]] : []))
  expect(pairs).toEqual(expect.arrayContaining(sent.headers.map((pair) => [...pair])))
  expect(pairs.filter(([name]) => /^content-type$/i.test(name ?? ''))).toEqual(
    sent.headers.filter(([name]) => name === 'Content-Type'),
  )
})

test('a method that a target made up runs nothing in the shell', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'merlon-curl-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { url } = await keeping()

  await sh(commandOf({ method: 'GET`>ran`|tee&>too', url, headers: [], body: null }), folder).catch(() => null)

  expect(await readdir(folder)).toEqual([])
})

test('a secret between bytes that are no text is masked', () => {
  const body = Buffer.concat([Buffer.from([0xff, 0]), Buffer.from('key=schlüssel-7;')])

  const command = commandOf(
    { method: 'POST', url: 'http://shop.example/', headers: [], body },
    {
      hidden: ['schlüssel-7'],
      plain: [],
    },
  )

  expect(command).toContain('key=sch***;')
})

test('the command of a finding about the name of the host shows it again', async () => {
  const service: Handler = ({ headers }) => [200, `<a href="http://${headers.host}/reset">reset</a>`]

  const [found] = await findingsOf(service, ['host-header-injection'], { 'GET /forgot': { isOpen: true } })
  const shown = await serving(service, async (url) => {
    const { stdout } = await sh((found?.evidence.curl ?? '').replace(/http:\/\/127\.0\.0\.1:\d+/, url))
    return stdout
  })

  const host = /Host: (\S+)/.exec(found?.evidence.request ?? '')?.[1]
  expect(host).toMatch(/\.example$/)
  expect(shown).toContain(`href="http://${host}/reset"`)
})
