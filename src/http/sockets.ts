// WebSocket connections: which upgrades are accepted, how many, and when a connection is closed.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Server } from 'graphql-ws'
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { newRequestId } from './edge.ts'
import type { ServerParts } from './server-parts.ts'
import { findSocketViewer } from './session.ts'
import { type Connection, openConnection } from './socket-connection.ts'
import type { Subscriber } from './subscriptions.ts'

const MOST_CONNECTIONS = 1_000
const MOST_OF_KEY = 50
/** Connections that have not authenticated yet: from one address, and in all. */
const MOST_UNKNOWN_OF_ADDRESS = 50
const MOST_UNKNOWN = 200
const LARGEST_MESSAGE = 128 * 1024
/** Milliseconds between pings; a connection that has not answered by the next one is cut. */
const PING = 12_000
/** Milliseconds between checks that keys and sessions are still valid. */
const LOOK = 500

/** Accepts upgrades of /graphql on the HTTP server; closes every connection when the server closes. */
export function addSockets(app: FastifyInstance, subscriptions: Server<Subscriber>, parts: ServerParts): void {
  const { log } = parts
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false),
  })
  const connections = new Set<Connection>()
  let isClosing = false

  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== '/graphql') return refuse(stream, '404 Not Found')
    if (isClosing || connections.size >= MOST_CONNECTIONS) return refuse(stream, '503 Service Unavailable')
    if (isBeyondShare(connections, addressOf(request, parts))) return refuse(stream, '429 Too Many Requests')
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const connection = openConnection(socket, subscriberOf(request, socket, parts), subscriptions, log)
      connections.add(connection)
      socket.once('close', () => connections.delete(connection))
    })
  })

  const pinging = setInterval(() => {
    for (const connection of connections) {
      if (!connection.isAlive) connection.socket.terminate()
      connection.isAlive = false
      if (connection.socket.readyState === connection.socket.OPEN) connection.socket.ping()
    }
  }, PING)
  const looking = setInterval(() => void lookAround(connections), LOOK)

  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(pinging)
    clearInterval(looking)
    for (const { socket } of connections) socket.close(1001, 'Going away')
    const left = [...connections].map(({ socket }) => socket)
    setTimeout(() => left.forEach((socket) => void socket.terminate()), 1_000).unref()
  })
}

/** Whether one more unauthenticated connection from the address would be too many. */
function isBeyondShare(connections: ReadonlySet<Connection>, address: string): boolean {
  const unknown = [...connections].filter(({ subscriber }) => subscriber.viewer === null)
  const ofAddress = unknown.filter(({ subscriber }) => subscriber.address === address)
  return unknown.length >= MOST_UNKNOWN || ofAddress.length >= MOST_UNKNOWN_OF_ADDRESS
}

/** Closes connections whose key or session has ended, and the newest ones of a key that has too many. */
async function lookAround(connections: ReadonlySet<Connection>): Promise<void> {
  const ofKey = new Map<string, number>()
  for (const { subscriber, socket } of connections) {
    if (subscriber.viewer === null) continue
    const count = (ofKey.get(subscriber.viewer.keyId) ?? 0) + 1
    ofKey.set(subscriber.viewer.keyId, count)
    if (count > MOST_OF_KEY) socket.close(4429, 'Too many connections')
    const viewer = await subscriber.findViewer(subscriber.params).catch(() => subscriber.viewer)
    if (viewer === null) socket.close(4403, 'Forbidden')
  }
}

/** The viewer, by the key in the message that opens the connection or in its header, or else by a session of the console. */
async function findViewer(request: IncomingMessage, params: Readonly<Record<string, unknown>>, parts: ServerParts) {
  const key = params['x-api-key'] ?? request.headers['x-api-key']
  if (typeof key === 'string') return parts.viewers.find(parts.db, key)
  return findSocketViewer(request, parts)
}

const subscriberOf = (request: IncomingMessage, socket: WebSocket, parts: ServerParts): Subscriber => ({
  address: addressOf(request, parts),
  requestId: newRequestId(),
  findViewer: (params) => findViewer(request, params, parts),
  close: (code, reason) => socket.close(code, reason),
  viewer: null,
  params: {},
})

/** One proxy is trusted, as for requests: the last entry is its own. */
function addressOf(request: IncomingMessage, { config }: ServerParts): string {
  const forwarded = config.trustProxy
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : ''
  return forwarded || (request.socket.remoteAddress ?? '')
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
