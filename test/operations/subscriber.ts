// A subscriber that reconnects from its last cursor whenever its connection ends.

import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Access, run } from './client.ts'

export type Follower = {
  start(companyId: string): Promise<void>
  /** The positions of the events that it saw, in the order of arrival. */
  sequences: number[]
  /** Waits up to a minute until it has seen the event at this position. */
  reach(sequence: number): Promise<void>
  end(): void
}

type Message = { type: string; payload?: { data?: { issueEvents: { id: string; cursor: string } } } }

const PAUSE = 50

export function follow({ url, key }: Access): Follower {
  const sequences: number[] = []
  let cursor: string | null = null
  let hasEnded = false
  let open: WebSocket | null = null

  const connect = (companyId: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, ['graphql-transport-ws'])
      open = socket
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': key } })))
      socket.on('message', (data) => {
        const message: Message = JSON.parse(String(data))
        const event = message.payload?.data?.issueEvents
        if (message.type === 'connection_ack') {
          const query =
            'subscription ($companyId: ID!, $after: String) { issueEvents(companyId: $companyId, after: $after) { id cursor } }'
          socket.send(
            JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables: { companyId, after: cursor } } }),
          )
        } else if (event) {
          sequences.push(Number(event.id.slice('evt_'.length)))
          cursor = event.cursor
        }
      })
    })

  return {
    sequences,
    async start(companyId) {
      const events = 'query ($companyId: ID!) { events(companyId: $companyId) { id } }'
      const before = await run({ url, key }, events, { companyId })
      if (before.events.length > 0) throw new Error('The follower starts before anything happens')
      cursor = Buffer.from('[0]').toString('base64url')
      const following = async () => {
        while (!hasEnded) {
          await connect(companyId)
          await delay(PAUSE)
        }
      }
      void following()
    },
    async reach(sequence) {
      for (let waited = 0; waited < 60_000 && (sequences.at(-1) ?? 0) < sequence; waited += PAUSE) await delay(PAUSE)
    },
    end() {
      hasEnded = true
      open?.terminate()
    },
  }
}
