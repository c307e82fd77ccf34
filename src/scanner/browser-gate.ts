// The only way out for a scan's browser: a SOCKS 5 proxy that connects to the origins in scope, at addresses that may be called.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Allowed, refusalOfLiteral } from '../core/outbound-address.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { readPlace } from './http.ts'

type Gate = {
  /** the proxy's address, such as `socks5://127.0.0.1:49152` */
  address: string
  close: () => void
}

type Place = { host: string; port: number }

/** Milliseconds within which a host must accept a connection. */
const PATIENCE = 10_000

/** RFC 1928, section 3. */
const NO_AUTHENTICATION = Buffer.from([5, 0])

/** Replies of RFC 1928, section 6. */
const SUCCEEDED = 0
const NOT_ALLOWED = 2
const UNREACHABLE = 4

/**
 * Listens on this machine. A browser that sends everything through it resolves no name itself, so no name leads to another address than the one
 * that was judged, and a page's scripts reach no other place, whatever protocol they speak.
 */
export async function openGate(origins: readonly string[], allowed: Allowed): Promise<Gate> {
  const places = new Set(origins.flatMap((origin) => readPlace(origin) ?? []).map(nameOf))
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  }

  const connectTo = (place: Place, client: Socket) => {
    const target = connect({ ...place, lookup: guardedLookup(allowed), timeout: PATIENCE })
    keep(target)
    const refuse = () => client.end(reply(UNREACHABLE))
    target.once('timeout', () => target.destroy())
    target.once('close', refuse)
    target.once('connect', () => {
      target.setTimeout(0)
      // a connection that ends normally still has its last bytes in transit
      target.off('close', refuse).once('close', (isBroken) => isBroken && client.destroy())
      client.write(reply(SUCCEEDED))
      client.pipe(target).pipe(client)
    })
    client.once('close', () => target.destroy())
  }

  const server = createServer((client) => {
    keep(client)
    readRequest(client).then(
      (place) => {
        if (place === null) client.destroy()
        else if (places.has(nameOf(place)) && !isRefused(place, allowed)) connectTo(place, client)
        else client.end(reply(NOT_ALLOWED))
      },
      () => client.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Names are checked after they are resolved. */
const isRefused = ({ host }: Place, allowed: Allowed): boolean => refusalOfLiteral({ hostname: host }, allowed) !== null

const nameOf = ({ host, port }: Place): string => `${host.toLowerCase()}:${port}`

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** The host and port that the client asks for; null if it asks for something else. Rejects if the client disconnects first. */
async function readRequest(client: Socket): Promise<Place | null> {
  const chunks = client.iterator({ destroyOnReturn: false })
  let held = Buffer.alloc(0)
  const take = async (length: number): Promise<Buffer> => {
    while (held.length < length) {
      const { value, done } = await chunks.next()
      if (done) throw new Error('The request is cut off')
      held = Buffer.concat([held, value])
    }
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }

  const [version, methods = 0] = await take(2)
  if (version !== 5) return null
  await take(methods)
  client.write(NO_AUTHENTICATION)
  const [, command, , kind] = await take(4)
  const host = await readHost(kind, take)
  if (command !== 1 || host === null) return null
  const port = (await take(2)).readUInt16BE()
  await chunks.return?.()
  if (held.length > 0) client.unshift(held)
  return { host, port }
}

async function readHost(kind: number | undefined, take: (length: number) => Promise<Buffer>): Promise<string | null> {
  if (kind === 1) return (await take(4)).join('.')
  if (kind === 3) return withoutBrackets((await take((await take(1))[0] ?? 0)).toString('latin1'))
  if (kind !== 4) return null
  const groups = (await take(16)).toString('hex').match(/.{4}/g) ?? []
  return withoutBrackets(new URL(`http://[${groups.join(':')}]`).hostname)
}

const reply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
