// Shared by the tests of events: a service with a worker, and a subscriber over a WebSocket.

import { setTimeout as delay } from 'node:timers/promises'
import { type CloseEvent, WebSocket } from 'ws'
import { encodeCursor } from '../../src/core/db/page.ts'
import { startService } from './service.ts'

/** Settings that allow a service's webhooks to reach this machine. */
export const toThisMachine = { MERLON_OUTBOUND_ALLOW: 'http://127.0.0.1' }

/** Jobs that do not change the rows that other tests compare before and after. */
const jobs = ['deliver-webhook', 'send-notifications', 'look-after-deliveries', 'judge-deploy', 'judge-deploys']

/** A test's own service that relays events and delivers them. */
export async function startWorkingService(environment: Record<string, string> = {}) {
  const service = await startService({ ...toThisMachine, ...environment })
  await service.app.startWorker(jobs)
  return service
}

/** Waits up to a minute until `found` returns something other than null, undefined or false. */
export async function until<T>(found: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined>> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    const value = await found()
    if (value) return value as Exclude<T, false | null | undefined>
    await delay(20)
  }
  throw new Error('It did not come to be within a minute')
}

export type Message = { id?: string; type: string; payload?: unknown }

// biome-ignore lint/suspicious/noExplicitAny: a test reads the selection that it wrote itself
type Shown = any

type Subscriber = {
  messages: Message[]
  /** What the subscription with this id received, in order. */
  shown: (id: string) => Shown[]
  send: (message: Message) => void
  subscribe: (id: string, query: string, variables?: Record<string, unknown>) => void
  /** Why the connection was closed, once it was. */
  closed: Promise<{ code: number; reason: string }>
  end: () => void
  socket: WebSocket
}

const protocol = 'graphql-transport-ws'

/** Opens a connection to the service at `url` and, given a key, authenticates. */
export async function connect(
  url: string,
  key: string | null,
  { headers = {}, protocols = [protocol] }: { headers?: Record<string, string>; protocols?: string[] } = {},
): Promise<Subscriber> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocols, { headers })
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  socket.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }: CloseEvent) => resolve({ code, reason }))
  })
  await new Promise((resolve) => socket.once('open', resolve).once('error', resolve).once('close', resolve))
  const send = (message: Message) => socket.send(JSON.stringify(message))
  const subscriber: Subscriber = {
    messages,
    shown: (id) =>
      messages.filter((message) => message.id === id && message.type === 'next').map(({ payload }) => payload as Shown),
    send,
    subscribe: (id, query, variables = {}) => send({ id, type: 'subscribe', payload: { query, variables } }),
    closed,
    end: () => socket.terminate(),
    socket,
  }
  if (key !== null) {
    send({ type: 'connection_init', payload: { 'x-api-key': key } })
    await Promise.race([closed, until(() => messages.some(({ type }) => type === 'connection_ack'))])
  }
  return subscriber
}

/** A subscription to a field with a company's events. */
export const follow = (field: string, selection = 'cursor kind objectId data') =>
  `subscription ($companyId: ID!, $after: String) { ${field}(companyId: $companyId, after: $after) { ${selection} } }`

/**
 * The cursor before a company's first event. Subscriptions are not acknowledged; one that starts from here misses
 * nothing, however late it starts.
 */
export const BEGINNING = encodeCursor([0])
