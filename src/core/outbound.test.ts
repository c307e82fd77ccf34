// An outgoing call keeps to its limits of time and size, and to the host that it was sent to.

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from './log.ts'
import { type OutboundRequest, openOutbound } from './outbound.ts'
import { nothingAllowed, readAllowed } from './outbound-address.ts'

const bounds = { largest: 10_000, timeout: 60_000 }
const allowed = readAllowed('http://127.0.0.1') ?? nothingAllowed
const logged: string[] = []
const outbound = openOutbound({ allowed, log: openLog('debug', { write: (line) => void logged.push(line) }) })

let server: Server
let other: Server
let home = ''
let away = ''
const seen: string[] = []

const answers: Record<string, (response: ServerResponse) => void> = {
  '/file': (response) => response.end('what is there'),
  '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('what is there')),
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
  '/strange': (response) => response.writeHead(200, { 'content-encoding': 'lzma' }).end('what is there'),
  '/announced': (response) => response.writeHead(200, { 'content-length': '1073741824' }).write('a'),
  '/endless': (response) => {
    const timer = setInterval(() => response.write('a'.repeat(4000)), 1)
    response.on('close', () => clearInterval(timer))
  },
  '/drip': (response) => {
    const timer = setInterval(() => response.write('a'), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/cut': (response) => response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy()),
  '/silent': () => {},
  '/moved': (response) => response.writeHead(302, { location: '/file' }).end(),
  '/away': (response) => response.writeHead(302, { location: `${away}/file` }).end(),
  '/inside': (response) => response.writeHead(302, { location: 'https://10.0.0.1/file' }).end(),
}

const listening = async (made: Server) => {
  await new Promise<void>((resolve) => void made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`
}

beforeAll(async () => {
  server = createServer((request, response) =>
    (answers[request.url?.split('?')[0] ?? ''] ?? answers['/silent'])?.(response),
  )
  other = createServer((request, response) => {
    seen.push(request.headers.authorization ?? 'none')
    response.end('elsewhere')
  })
  home = await listening(server)
  away = await listening(other)
})
afterAll(async () => {
  await outbound.close()
  for (const made of [server, other]) {
    made.closeAllConnections()
    made.close()
  }
})

const call = (path: string, request: Partial<OutboundRequest> = {}) =>
  outbound.call(home + path, { ...bounds, ...request }).then(({ body }) => body.toString())

const streamed = async (path: string, request: Partial<OutboundRequest> = {}): Promise<string> => {
  const { chunks } = await outbound.call(home + path, { ...bounds, ...request, isStreamed: true })
  return (await Array.fromAsync(chunks ?? [])).map(String).join('')
}

describe('an answer', () => {
  test.each(['/file', '/packed'])('is read whole: %s', async (path) => {
    expect(await call(path)).toBe('what is there')
  })

  test.each([
    ['/announced', 'TOO_LARGE'],
    ['/endless', 'TOO_LARGE'],
    ['/bomb', 'TOO_LARGE'],
    ['/strange', 'UNREADABLE'],
    ['/cut', 'CUT'],
  ])('is left when it is not what may be read: %s', async (path, reason) => {
    await expect(call(path)).rejects.toMatchObject({ reason, isSent: true })
  })

  test.each(['/file', '/packed', '/moved'])('is read as it comes: %s', async (path) => {
    expect(await streamed(path, { redirects: 'same-origin' })).toBe('what is there')
  })

  test.each([
    ['/endless', 'TOO_LARGE'],
    ['/bomb', 'TOO_LARGE'],
    ['/strange', 'UNREADABLE'],
    ['/cut', 'CUT'],
  ])('that is read as it comes is left when it is not what may be read: %s', async (path, reason) => {
    await expect(streamed(path)).rejects.toMatchObject({ reason, isSent: true })
  })

  test('that is read as it comes is left when it takes too long', async () => {
    await expect(streamed('/drip', { timeout: 200 })).rejects.toMatchObject({ reason: 'TIMEOUT' })
  })

  test.each(['/silent', '/drip'])('that does not come in time is left: %s', async (path) => {
    await expect(call(path, { timeout: 200 })).rejects.toMatchObject({ reason: 'TIMEOUT' })
  })
})

describe('a redirect', () => {
  test('is an answer as it stands unless it may be followed', async () => {
    const { status } = await outbound.call(`${home}/moved`, bounds)

    expect(status).toBe(302)
  })

  test('is followed on the same host', async () => {
    expect(await call('/moved', { redirects: 'same-origin' })).toBe('what is there')
  })

  test('is not followed to another, nor after a POST', async () => {
    await expect(call('/away', { redirects: 'same-origin' })).rejects.toMatchObject({ reason: 'SENT_ELSEWHERE' })
    const { status } = await outbound.call(`${home}/away`, { ...bounds, method: 'POST', redirects: 'anywhere' })

    expect(status).toBe(302)
  })

  test('takes no header along to another host, and leads nowhere inside', async () => {
    const followed = await call('/away', { redirects: 'anywhere', headers: { authorization: 'Bearer canary' } })
    const inside = call('/inside', { redirects: 'anywhere' })

    expect([followed, seen]).toEqual(['elsewhere', ['none']])
    await expect(inside).rejects.toMatchObject({ reason: 'FORBIDDEN_ADDRESS' })
  })
})

test('a host that does not listen has seen nothing', async () => {
  const { port } = new URL(away)
  const closed = home.replace(/\d+$/, port === '1' ? '2' : '1')

  await expect(outbound.call(closed, bounds)).rejects.toMatchObject({ reason: 'UNREACHABLE', isSent: false })
})

test('a header that would break out of its line is not sent', async () => {
  const broken = call('/file', { headers: { 'x-note': 'a\r\nhost: inside' } })

  await expect(broken).rejects.toMatchObject({ reason: 'BAD_ADDRESS', isSent: false })
})

test('the log has neither headers nor paths nor queries', async () => {
  await call('/file?token=canary-query', { headers: { authorization: 'Bearer canary-header' } })

  expect(logged.join('')).toContain('Called outside')
  expect(logged.join('')).not.toMatch(/canary|\/file/)
})
