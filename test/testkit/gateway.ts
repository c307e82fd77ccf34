// A way to the test database that can be cut, be silent, and be open again.

import type { AddressInfo } from 'node:net'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import type { PoolConfig } from 'pg'
import { type Home, home } from './home.ts'

type Gateway = {
  connection: PoolConfig
  /** how many connections it has accepted */
  accepted(): number
  /** Ends all connections, and each new one at once. */
  cut(): void
  /** Accepts connections and answers nothing. */
  silence(): void
  open(): void
  close(): Promise<void>
}

export async function openGateway(): Promise<Gateway> {
  const { connection } = home()
  const sockets = new Set<Socket>()
  let state: 'OPEN' | 'CUT' | 'SILENT' = 'OPEN'
  let accepted = 0
  const keep = (socket: Socket) =>
    sockets.add(socket.on('error', () => {}).on('close', () => void sockets.delete(socket)))
  const server = createServer((socket) => {
    accepted += 1
    keep(socket)
    if (state === 'CUT') socket.destroy()
    if (state === 'SILENT') socket.resume()
    if (state !== 'OPEN') return
    const onward = connectTo(wayOf(connection))
    keep(onward)
    socket.pipe(onward).pipe(socket)
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    connection: throughPort(connection, port),
    accepted: () => accepted,
    cut() {
      state = 'CUT'
      endAll()
    },
    silence() {
      state = 'SILENT'
    },
    open() {
      state = 'OPEN'
    },
    close() {
      endAll()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

type Connection = Home['connection']

const DEFAULT_PORT = 5432

function wayOf({ connectionString, host, port }: Connection) {
  const url = connectionString === undefined ? null : new URL(connectionString)
  const [at = 'localhost', on = DEFAULT_PORT] = url
    ? [url.hostname || undefined, Number(url.port) || undefined]
    : [host, port]
  return at.startsWith('/') ? { path: `${at}/.s.PGSQL.${on}` } : { host: at, port: on }
}

function throughPort(connection: Connection, port: number): PoolConfig {
  const { connectionString } = connection
  if (connectionString === undefined) return { ...connection, host: '127.0.0.1', port }
  const url = new URL(connectionString)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { connectionString: url.href }
}
