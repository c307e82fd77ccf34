// Keep-alive connections to targets, each with one request at a time.

import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { BadAnswer } from './answer-head.ts'
import type { AnswerReader } from './answer-reader.ts'

export type Place = { protocol: 'http:' | 'https:'; host: string; port: number }

/** A request over a connection, and the callbacks for its response. */
type Exchanged = {
  /** the head followed by the body; a string has its bytes as Latin 1 */
  head: string
  body: Buffer | null
  reader: AnswerReader
  /** called when the request has been sent */
  onSent: () => void
  /** called when the response's headers have arrived */
  onHead: () => void
  onDone: () => void
  /** called if the connection fails before the response is complete */
  onError: (error: Error) => void
}

export type Connection = {
  /** whether it has carried a request before */
  isUsed: boolean
  exchange: (exchanged: Exchanged) => void
  /** Returns it to the pool for the next request. */
  release: () => void
  destroy: () => void
}

type Connections = {
  /** An idle connection, or a new one; always a new one if `isNew`. */
  take: (place: Place, isNew: boolean) => Connection
  close: () => void
}

/** The connection ended before a response began. */
class Ended extends Error {
  override name = 'Ended'
  code = 'ECONNRESET'
}

/** `most`: the most idle connections kept. `lookup` decides which addresses may be called. Accepts any certificate, and reports faults. */
export function openConnections(
  most: number,
  lookup: LookupFunction,
  onCertificate: (place: Place, socket: TLSSocket) => void,
): Connections {
  /** idle connections by host, the last used one at the end */
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
      // a response cut off by the end of the connection still counts
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
        // a response that arrived before its request was completely sent does not show that the next request would be read
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
      // data without a request
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
