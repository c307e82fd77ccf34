// A listener that a target reaches when a payload made it call out: each hit is known by a token that cannot be guessed.

import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutOfBand } from './types.ts'

export type Listener = OutOfBand & {
  /** Waits for calls that are still on their way. */
  settle: (signal: AbortSignal) => Promise<void>
  close: () => Promise<void>
}

/** Milliseconds that the end of a scan waits for late calls. */
const LATE = 2_000
const MOST_TOKENS = 200_000

/** Listens on a port (0: any); `host` is what targets call it by. What is not HTTP is known by its token in the first bytes. */
export async function openListener({ host, port }: { host: string; port: number }): Promise<Listener> {
  const waiting = new Map<string, (hit: { method: string; path: string }) => void>()
  const contents = new Map<string, string>()
  let expected = 0
  const meet = (text: string, method: string) => {
    for (const [token] of text.matchAll(/z[0-9a-f]{24}/g)) waiting.get(token)?.({ method, path: text.slice(0, 500) })
  }
  const server = http.createServer((request, response) => {
    meet(`${request.url} ${request.headers.host ?? ''}`, request.method ?? '')
    request.resume()
    response.setHeader('content-type', 'text/plain')
    response.end(contents.get(/z[0-9a-f]{24}/.exec(request.url ?? '')?.[0] ?? '') ?? 'merlon')
  })
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    meet(error.rawPacket?.toString('latin1').slice(0, 4_000) ?? '', 'RAW')
    socket.destroy()
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 5_000
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, () => done())
  })
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  server.unref()
  return {
    expect(onHit, content) {
      const token = `z${randomBytes(12).toString('hex')}`
      expected += 1
      if (waiting.size < MOST_TOKENS) waiting.set(token, onHit)
      if (content !== undefined && contents.size < MOST_TOKENS) contents.set(token, content)
      const bare = host.includes(':') ? `[${host}]` : host
      return { url: `http://${bare}:${actual}/${token}`, host: `${bare}:${actual}`, token }
    },
    async settle(signal) {
      if (expected > 0) await sleep(LATE, undefined, { signal }).catch(() => {})
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
