// The way out for a scan's browser, by the bytes that it is asked with.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nothingAllowed, readAllowed } from '../core/outbound-address.ts'
import { openGate } from './browser-gate.ts'

/** A server that answers each connection with a word, and its port. */
async function greeting(): Promise<number> {
  const server = createServer((socket: Socket) => socket.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const HELLO = [5, 1, 0]
const numbered = (port: number) => [5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255]
const named = (host: string, port: number) => [5, 1, 0, 3, host.length, ...Buffer.from(host), port >> 8, port & 255]

/** All that the gate answers to these bytes, sent in pieces of that length. */
async function answered(origins: readonly string[], bytes: number[], { allowed = nothingAllowed, piece = 400 } = {}) {
  const gate = await openGate(origins, allowed)
  onTestFinished(() => gate.close())
  const client = connect({ host: '127.0.0.1', port: Number(new URL(gate.address).port) })
  const chunks: Buffer[] = []
  client.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {})
  for (let at = 0; at < bytes.length; at += piece) {
    client.write(Buffer.from(bytes.slice(at, at + piece)))
    await new Promise((done) => setImmediate(done))
  }
  await once(client, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const local = readAllowed('http://127.0.0.1, http://localhost') ?? nothingAllowed
const code = (number: number) => `\x05\x00\x05${String.fromCharCode(number)}\x00\x01\x00\x00\x00\x00\x00\x00`

test.each([400, 1])(
  'an origin in scope is reached by its number and by its name, asked in pieces of %i bytes',
  async (piece) => {
    const port = await greeting()
    const ask = (origin: string, request: number[]) =>
      answered([origin], [...HELLO, ...request], { allowed: local, piece })

    expect(await ask(`http://127.0.0.1:${port}`, numbered(port))).toBe(`${code(0)}hello`)
    expect(await ask(`http://localhost:${port}`, named('LOCALHOST', port))).toBe(`${code(0)}hello`)
  },
)

test('what is not in scope, or not to be called, is refused', async () => {
  const port = await greeting()

  expect(await answered(['http://127.0.0.1:1'], [...HELLO, ...numbered(port)], { allowed: local })).toBe(code(2))
  expect(await answered([`http://127.0.0.1:${port}`], [...HELLO, ...numbered(port)])).toBe(code(2))
  expect(await answered([`http://localhost:${port}`], [...HELLO, ...named('localhost', port)])).toBe(code(4))
})

test('what a place sends last arrives whole, though it ends the connection at once', async () => {
  const server = createServer((socket) => socket.end('x'.repeat(5_000_000)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo

  const answer = await answered([`http://127.0.0.1:${port}`], [...HELLO, ...numbered(port)], { allowed: local })

  expect(answer).toHaveLength(code(0).length + 5_000_000)
})

test.each([
  ['another protocol', [...Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
  ['another command', [...HELLO, 5, 2, 0, 1, 127, 0, 0, 1, 0, 80]],
  ['an unknown kind of address', [...HELLO, 5, 1, 0, 9, 127, 0, 0, 1, 0, 80]],
])('%s ends the connection', async (_, bytes) => {
  expect((await answered(['http://127.0.0.1:80'], bytes, { allowed: local })).length).toBeLessThanOrEqual(2)
})
