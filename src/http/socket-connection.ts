// One WebSocket connection: passes its messages to the protocol's server, and logs one line when it ends.

import type { Server } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { Log } from '../core/log.ts'
import { openRateLimit } from './rate.ts'
import type { Subscriber } from './subscriptions.ts'

const MESSAGES_PER_MINUTE = 600
/** Messages, and characters of one, before a connection has authenticated: it needs one message for that, and may ping meanwhile. */
const MOST_BEFORE = 10
const LARGEST_BEFORE = 4_096

const PONG = JSON.stringify({ type: 'pong' })

/** `isAlive`: it has answered the last ping. */
export type Connection = { socket: WebSocket; subscriber: Subscriber; isAlive: boolean }

/** Serves the socket until it closes. */
export function openConnection(
  socket: WebSocket,
  subscriber: Subscriber,
  subscriptions: Server<Subscriber>,
  log: Log,
): Connection {
  const began = performance.now()
  const { requestId, address } = subscriber
  const connection = { socket, subscriber, isAlive: true }
  socket.on('error', (err) => log.debug({ requestId, err }, 'A WebSocket connection failed'))
  socket.on('pong', () => {
    connection.isAlive = true
  })
  const transport = {
    protocol: socket.protocol,
    send: (text: string) => send(socket, text),
    close: (code?: number, reason?: string) => socket.close(code, reason),
    // without the payload of the ping, which a client that reads nothing could pile up here
    onPing: () => send(socket, PONG),
    onMessage: (take: (text: string) => Promise<void>) => takeMessages(socket, take, subscriber, log),
  }
  const closed = subscriptions.opened(transport, subscriber)
  socket.once('close', (code, reason) => {
    closed(code, String(reason)).catch((err: unknown) =>
      log.debug({ requestId, err }, 'Subscriptions did not end well'),
    )
    const milliseconds = Math.round(performance.now() - began)
    const keyId = subscriber.viewer?.keyPublicId
    log.info({ requestId, path: '/graphql', code, milliseconds, address, keyId }, 'connection')
  })
  return connection
}

/** Resolves once the text is sent, and at once if the connection has ended. */
const send = (socket: WebSocket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    socket.send(text, (err) => (err ? reject(err) : resolve()))
  })

function takeMessages(
  socket: WebSocket,
  take: (text: string) => Promise<void>,
  subscriber: Subscriber,
  log: Log,
): void {
  const { requestId } = subscriber
  const rate = openRateLimit(MESSAGES_PER_MINUTE)
  let taken = 0
  socket.on('message', (data, isBinary) => {
    // what was sent before the other side heard of the closing still arrives
    if (socket.readyState !== socket.OPEN) return
    if (isBinary) return socket.close(1003, 'Text messages only')
    if (rate.take('') !== null) return socket.close(4429, 'Too many messages')
    const text = String(data)
    taken += 1
    if (subscriber.viewer === null && (taken > MOST_BEFORE || text.length > LARGEST_BEFORE)) {
      return socket.close(4401, 'Authenticate first')
    }
    take(text).catch((err: unknown) => {
      if (socket.readyState !== socket.OPEN) return
      log.warn({ requestId, err }, 'A message of a WebSocket connection could not be handled')
      socket.close(4400, 'The message cannot be handled')
    })
  })
}
