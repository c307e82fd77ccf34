// Keep-alive connections to targets, each with one request at a time.

import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { type AnswerReader, BadAnswer } from './answer-reader.ts'

export type Place = { protocol: 'http:' | 'https:'; host: string; port: number }

/** What goes over a connection, and who is told of what comes back. */
type Exchanged = {
  /** the lines and, behind them, the body: bytes as Latin 1 */
  head: string
  body: Buffer | null
  reader: AnswerReader
  /** the request is sent */
  onSent: () => void
  /** the headers of the answer are there */
  onHead: () => void
  onDone: () => void
  /** before the answer was whole */
  onError: (error: Error) => void
}

export type Connection = {
  /** whether it has carried a request before */
  isUsed: boolean
  exchange: (exchanged: Exchanged) => void
  /** Gives it back for the next request. */
  release: () => void
  destroy: () => void
}

type Connections = {
  /** One that is idle, unless `isNew`, or a new one. */
  take: (place: Place, isNew: boolean) => Connection
  close: () => void
}

/** The connection ended before there was an answer. */
class Ended extends Error {
  override name = 'Ended'
  code = 'ECONNRESET'
}

/** `most`: connections that are kept idle. `lookup` judges where names lead. Certificates are taken as they are, and shown. */
export function openConnections(
  most: number,
  lookup: LookupFunction,
  onCertificate: (place: Place, socket: TLSSocket) => void,
): Connections {
  /** by place, the one that was used last at the end */
  const idle = new Map<string, Connection[]>()
  const open = new Set<Connection>()
  let kept = 0

  const leave = (key: string, connection: Connection) => {
    const list = idle.get(key)
    const at = list?.indexOf(connection) ?? -1
    if (at < 0) return
    list?.splice(at, 1)
    kept -= 1
  }

  const socketTo = (asked: Place): Socket => {
    const { protocol, host, port } = asked
    const place = { host, port, lookup, noDelay: true }
    if (protocol === 'http:') return connect(place)
    const named = isIP(host) === 0 ? { servername: host } : {}
    // merlon:allow hosts with faulty certificates are scanned as well: a check reports what is wrong with them
    const socket = connectSecurely({ ...place, ...named, rejectUnauthorized: false })
    return socket.once('secureConnect', () => onCertificate(asked, socket))
  }

  const connected = (place: Place, key: string): Connection => {
    const socket = socketTo(place)
    let current: Exchanged | null = null
    let isGone = false

    const gone = (error: Error | null) => {
      if (isGone) return
      isGone = true
      leave(key, connection)
      open.delete(connection)
      socket.destroy()
      const told = current
      current = null
      if (told === null) return
      // what came before the cut is an answer all the same
      if (told.reader.head() !== null && !(error instanceof BadAnswer)) {
        told.reader.end()
        told.onDone()
      } else told.onError(error ?? new Ended('the connection was closed'))
    }

    const connection: Connection = {
      isUsed: false,
      exchange(exchanged) {
        current = exchanged
        if (exchanged.body === null) return void socket.write(exchanged.head, 'latin1', exchanged.onSent)
        socket.cork()
        socket.write(exchanged.head, 'latin1')
        socket.write(exchanged.body, exchanged.onSent)
        socket.uncork()
      },
      release() {
        current = null
        connection.isUsed = true
        if (isGone) return
        // an answer that came before its request was sent whole is no sign that the next one would be read
        if (kept >= most || socket.writableLength > 0) return connection.destroy()
        const list = idle.get(key) ?? []
        idle.set(key, list)
        list.push(connection)
        kept += 1
      },
      destroy() {
        current = null
        gone(null)
      },
    }
    open.add(connection)

    socket.on('data', (bytes: Buffer) => {
      const told = current
      // nobody asked
      if (told === null) return gone(null)
      const hadHead = told.reader.head() !== null
      let isWhole = false
      try {
        isWhole = told.reader.read(bytes)
      } catch (error) {
        return gone(error instanceof Error ? error : new BadAnswer(String(error)))
      }
      if (!hadHead && told.reader.head() !== null) told.onHead()
      if (!isWhole || current !== told) return
      current = null
      told.onDone()
    })
    socket.on('end', () => gone(null))
    socket.on('close', () => gone(null))
    socket.on('error', (error) => gone(error))
    return connection
  }

  return {
    take(place, isNew) {
      const key = `${place.protocol}//${place.host}:${place.port}`
      const last = isNew ? undefined : idle.get(key)?.pop()
      if (last) {
        kept -= 1
        return last
      }
      return connected(place, key)
    },
    close() {
      for (const connection of [...open]) connection.destroy()
    },
  }
}
