// Opens outgoing connections: resolves a name, checks all its addresses, and connects only to a checked one.

import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import type { Certificate } from './certificate.ts'
import { addressesOf, type Resolve } from './judged-addresses.ts'
import type { Allowed } from './outbound-address.ts'
import { OutboundFailed, readFailure } from './outbound-errors.ts'

/** Milliseconds for an address to accept a connection. */
const CONNECT_LIMIT = 10_000
/** How many addresses of a name are tried. */
const MOST_ADDRESSES = 4

/** A connector for undici. It connects to a judged address and never resolves the name again (no DNS rebinding). */
export function guardedConnector(
  allowed: Allowed,
  resolve?: Resolve,
  certificate: Certificate | null = null,
): buildConnector.connector {
  const limits = { timeout: CONNECT_LIMIT, autoSelectFamily: false }
  // a resumed session shows no certificate
  // merlon:allow a named certificate stands in for the authority: any other is refused below
  const connect = buildConnector(certificate ? { ...limits, rejectUnauthorized: false, maxCachedSessions: 0 } : limits)
  const connectTo = (options: buildConnector.Options) =>
    new Promise<Parameters<buildConnector.Callback>[1]>((done, failed) => {
      connect(options, (error, socket) => {
        if (error) return failed(error)
        if (!isOther(socket, certificate)) return done(socket)
        socket.destroy()
        failed(new OutboundFailed('UNTRUSTED', false, 'it is another than the one that was named'))
      })
    })

  const open = async (options: buildConnector.Options) => {
    const addresses = await addressesOf(options.hostname, allowed, resolve)
    let failure: unknown
    for (const address of addresses.slice(0, MOST_ADDRESSES)) {
      try {
        return await connectTo({ ...options, hostname: address })
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  return (options, callback) => {
    open(options).then(
      (socket) => socket && callback(null, socket),
      (error: unknown) => callback(beforeSending(error), null),
    )
  }
}

/** Whether a host showed another certificate than the accepted one. */
function isOther(socket: Socket | TLSSocket, certificate: Certificate | null): boolean {
  if (certificate === null || certificate === 'any' || !(socket instanceof TLSSocket)) return false
  return socket.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase() !== certificate.sha256
}

/** Nothing was sent, because the connection was not established. */
function beforeSending(error: unknown): OutboundFailed {
  const { reason, message } = readFailure(error, false)
  if (error instanceof OutboundFailed) return error
  return new OutboundFailed(
    reason === 'CUT' ? 'UNREACHABLE' : reason,
    false,
    undefined,
    new Error(message, { cause: error }),
  )
}
