// A service whose database connection can be cut and restored.

import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { home } from '../testkit/home.ts'
import { type Service, startService } from '../testkit/service.ts'

type Breakable = {
  service: Service
  cut(): Promise<void>
  mend(): Promise<void>
  /** The next time this statement is sent, the database receives it, but its answer is lost with the connection. */
  loseAnswerTo(statement: string): void
  stop(): Promise<void>
}

/** Starts a service that reaches the worker's database through a socket that the test controls. */
export async function startBreakable(environment: Record<string, string> = {}): Promise<Breakable> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-cut-'))
  const path = join(directory, '.s.PGSQL.5432')
  const open = new Set<Socket>()
  let server: Server
  let lost: string | null = null

  const mend = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = connectToDatabase()
        for (const socket of [near, far]) {
          open.add(socket)
          socket.on('error', () => {})
          socket.on('close', () => {
            open.delete(socket)
            near.destroy()
            far.destroy()
          })
        }
        near.on('data', (sent: Buffer) => {
          // the message has one byte for its type and four for its length in front, and a zero at the end
          if (sent.toString('latin1', 5) !== `${lost}\0`) return
          lost = null
          far.unpipe(near)
          far.once('data', () => far.destroy()).resume()
        })
        near.pipe(far).pipe(near)
      }).listen(path, () => resolve())
    })
  const cut = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of open) socket.destroy()
    await closed
  }

  await mend()
  const connection = { ...connectionFacts(), host: directory, port: 5432 }
  const service = await startService(environment, { connection })
  const stop = async () => {
    await service.app.stop(0)
    await cut().catch(() => {})
    await rm(directory, { recursive: true, force: true })
  }
  const loseAnswerTo = (statement: string) => {
    lost = statement
  }
  return { service, cut, mend, loseAnswerTo, stop }
}

function connectionFacts() {
  const { connectionString, ...rest } = home().connection
  if (connectionString === undefined) return rest
  const { username, password, pathname, hostname, port } = new URL(connectionString)
  return {
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    host: hostname,
    port: Number(port || 5432),
  }
}

function connectToDatabase(): Socket {
  const { host = 'localhost', port = 5432 } = connectionFacts()
  return host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
}
