// Cancels a query in the database when its caller disconnects.

import { AsyncLocalStorage } from 'node:async_hooks'
import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** The caller that waits for statements; `left` cancels those that are running for it. */
export class Caller {
  readonly running = new Set<() => void>()

  left(): void {
    for (const cancel of this.running) cancel()
  }
}

const waiting = new AsyncLocalStorage<Caller>()

/** Runs `work`; its statements outside of transactions are cancelled when the caller leaves. Only for work that changes nothing. */
export const whileWaiting = <T>(caller: Caller, work: () => Promise<T>): Promise<T> => waiting.run(caller, work)

/** The caller of the work that is running now, if known. */
export const currentCaller = (): Caller | undefined => waiting.getStore()

/** Fields of a pg connection that its types leave out. */
type Backend = { host: string; port: number; processID: number; secretKey: number }

/** The code of a CancelRequest message (PostgreSQL, frontend/backend protocol, message formats). */
const CANCEL_REQUEST = 80_877_102

/** Milliseconds. */
const PATIENCE = 5_000

/**
 * Asks the server, over a second connection and with the secret of the first, to cancel what the first is running. True once the server has
 * handled the request, so that it cannot hit the connection's next statement; false if that is not known.
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
