// Cancels a reading statement in the database when whoever waits for it goes away.

import { AsyncLocalStorage } from 'node:async_hooks'
import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** Who waits for statements; `left` cancels those that run for them. */
export class Caller {
  readonly running = new Set<() => void>()

  left(): void {
    for (const cancel of this.running) cancel()
  }
}

const waiting = new AsyncLocalStorage<Caller>()

/** Runs `work`, whose statements outside of transactions are cancelled when the caller leaves. For work that changes nothing. */
export const whileWaiting = <T>(caller: Caller, work: () => Promise<T>): Promise<T> => waiting.run(caller, work)

/** Who waits for what runs now, if it is known. */
export const currentCaller = (): Caller | undefined => waiting.getStore()

/** What pg knows of a connection beside what its types say. */
type Backend = { host: string; port: number; processID: number; secretKey: number }

/** The code by which PostgreSQL knows the request. */
const CANCEL_REQUEST = 80_877_102

/** Milliseconds. */
const PATIENCE = 5_000

/**
 * Asks the server to cancel what the connection runs, over a connection of its own and by the connection's secret. True once the server
 * is done with that: what the connection runs next is not cancelled. False where nobody can tell.
 */
export function cancelStatement(client: PoolClient): Promise<boolean> {
  const { host, port, processID, secretKey } = client as PoolClient & Backend
  const request = Buffer.alloc(16)
  for (const [place, value] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(value, place * 4)
  }
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('The server does not answer')))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(true))
    socket.resume()
    socket.write(request)
  })
}
