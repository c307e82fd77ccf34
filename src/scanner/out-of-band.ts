// A listener for requests that a payload makes the target send; each is identified by an unguessable token.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallbackAddress } from '../core/callback-address.ts'
import type { OutOfBand } from './check.ts'

export type Listener = OutOfBand & {
  /** Waits for calls that are still on their way. */
  settle: (signal: AbortSignal) => Promise<void>
  close: () => Promise<void>
}

/** Milliseconds that the end of a scan waits for late calls. */
const LATE = 2_000
const MOST_TOKENS = 200_000

/** The listener of a scan; null, with a note, where it has none or it cannot be opened. */
export async function openListener(
  address: CallbackAddress | null,
  note: (sentence: string) => void,
): Promise<Listener | null> {
  const left = 'vulnerabilities that show only by a callback were not looked for'
  if (address === null) {
    note(`The scan has no listener that the target can reach: ${left}`)
    return null
  }
  try {
    return await listen(address)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : String(error)
    note(`The listener could not be opened (${why}): ${left}`)
    return null
  }
}

/**
 * Listens on the first port of its own that is free (0: any); `host` is what targets call it by. What is not HTTP is known by its token
 * in the first bytes. Rejects where no port can be had.
 */
async function listen({ host, ports }: CallbackAddress): Promise<Listener> {
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
    const packet = error.rawPacket ?? Buffer.alloc(0)
    meet(packet.toString('latin1').slice(0, 4_000), 'RAW')
    const answer = bindAnswer(packet)
    if (answer) socket.write(answer)
    else socket.destroy()
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 5_000
  const port = await listenOn(server, host, ports)
  server.unref()
  return {
    expect(onHit, content) {
      const token = `z${randomBytes(12).toString('hex')}`
      expected += 1
      if (waiting.size < MOST_TOKENS) waiting.set(token, onHit)
      if (content !== undefined && contents.size < MOST_TOKENS) contents.set(token, content)
      const bare = host.includes(':') ? `[${host}]` : host
      return { url: `http://${bare}:${port}/${token}`, host: `${bare}:${port}`, token }
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

/** What lets a client of a directory go on to the name that it looks up (RFC 4511, 4.2); null for anything but its first request. */
function bindAnswer(packet: Buffer): Buffer | null {
  const isBind = packet[0] === 0x30 && packet[2] === 0x02 && packet[3] === 0x01 && packet[5] === 0x60
  return isBind ? Buffer.from([0x30, 0x0c, 0x02, 0x01, packet[4] ?? 1, 0x61, 0x07, 0x0a, 1, 0, 0x04, 0, 0x04, 0]) : null
}

/** The port that was had. Listens to this machine alone where it is called by a loopback address. */
async function listenOn(server: Server, host: string, [first, last]: CallbackAddress['ports']): Promise<number> {
  const own = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/.test(host) ? host : undefined
  for (let port = first; ; port += 1) {
    try {
      server.listen(port, own)
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : port
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isTaken || port >= last) throw error
    }
  }
}
