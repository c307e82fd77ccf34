// How the console is served: its page at every free address, its files cacheable for ever, compressed, under a strict policy.

import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { openConsole } from './console.ts'

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8'

let directory: string
let app: FastifyInstance

beforeAll(async () => {
  directory = `${await mkdtemp(join(tmpdir(), 'merlon-console-'))}/`
  app = await serve(directory)
})
afterAll(async () => {
  await app.close()
  await rm(directory, { recursive: true, force: true })
})

async function serve(from: string): Promise<FastifyInstance> {
  const server = Fastify()
  const showPage = openConsole(from)
  server.setNotFoundHandler(async (request, reply) => {
    if (!(await showPage(request, reply))) reply.code(404).send('nothing')
    return reply
  })
  return server
}

async function build(page: string): Promise<void> {
  await mkdir(join(directory, 'console'), { recursive: true })
  await writeFile(join(directory, 'console', 'index-1.js'), 'plain')
  await writeFile(join(directory, 'console', 'index-1.js.br'), 'brotli')
  await writeFile(join(directory, 'console', 'index-1.js.gz'), 'gzip')
  await writeFile(join(directory, 'index.html'), page)
}

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

test('a page says that it is being built, and asks again by itself, until it stands', async () => {
  await rm(join(directory, 'index.html'), { force: true })
  const before = await get('/', { accept: PAGE })
  await build('<p>first')
  const after = await get('/', { accept: PAGE })

  expect([before.statusCode, before.headers['retry-after']]).toEqual([503, '2'])
  expect(before.body).toContain('http-equiv="refresh"')
  expect([after.statusCode, after.body]).toEqual([200, '<p>first'])
})

test('every address that a person opens is the page; a program that asks for something else gets NOT_FOUND', async () => {
  await build('<p>page')

  const page = await get('/companies/1/findings/2?status=any', { accept: PAGE })
  const program = await get('/companies/1/findings/2')
  const other = await app.inject({ method: 'POST', url: '/companies/1', headers: { accept: PAGE } })

  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ])
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  expect([program.statusCode, other.statusCode]).toEqual([404, 404])
})

test.each([
  ['br, gzip', 'br', 'brotli'],
  ['gzip', 'gzip', 'gzip'],
  ['gzip, br;q=0', 'gzip', 'gzip'],
  ['br;q=0.5', 'br', 'brotli'],
  ['identity', undefined, 'plain'],
])('who takes %s gets the file in %s, to keep for good', async (accepted, encoding, body) => {
  await build('<p>page')

  const file = await get('/console/index-1.js', { 'accept-encoding': accepted })

  expect([file.statusCode, file.headers['content-encoding'], file.body]).toEqual([200, encoding, body])
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect([file.headers.vary, file.headers['content-type']]).toEqual([
    'accept-encoding',
    'text/javascript; charset=utf-8',
  ])
})

test.each([
  '/console/index-2.js',
  '/console/../index.html',
  '/console/%2e%2e/%2e%2e/package.json',
  '/console/',
  '/console',
  '/console/index-1.js/x',
])('there is no file at %s', async (path) => {
  await build('<p>page')

  expect((await get(path)).statusCode).toBe(404)
})

test('a build that replaces another is served from then on', async () => {
  await build('<p>first')
  await get('/', { accept: PAGE })
  await build('<p>second')
  const later = new Date(Date.now() + 1_000)
  await utimes(join(directory, 'index.html'), later, later)

  expect((await get('/', { accept: PAGE })).body).toBe('<p>second')
})

test.each([
  ['/graphql', 405],
  ['/healthz', 200],
  ['/readyz', 200],
  ['/metrics', 200],
  ['/graphiql', 401],
  ['/session', 200],
  ['/deploys/1/diff', 401],
])('the console hides nothing of what is at %s', async (path, status) => {
  const answer = await send({ path, method: 'GET', headers: { accept: PAGE, 'x-api-key': '', 'content-type': '' } })

  expect(answer.status).toBe(status)
})

test('a page and a file may use neither camera nor microphone nor place', async () => {
  const answers = [
    await send({ path: '/', method: 'GET', headers: { accept: PAGE, 'content-type': '' } }),
    await send({ path: '/graphiql', method: 'GET', headers: { 'content-type': '' } }),
  ]

  for (const { headers } of answers) {
    expect(headers.get('permissions-policy')).toBe('camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  }
})

test('NOT_FOUND for what is neither a page nor a file has the form of every error', async () => {
  const answer = await send({ path: '/console/nothing.js', method: 'GET', headers: { 'content-type': '' } })

  expect([answer.status, codesOf(answer)]).toEqual([404, ['NOT_FOUND']])
})
