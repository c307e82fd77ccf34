// Fetches a file from an address that the operator configured: over https, within limits of time and size.

import { OperatorError } from './errors.ts'
import { type Outbound, openOutbound } from './outbound.ts'
import { nothingAllowed, readAllowed } from './outbound-address.ts'

/** The file could not be fetched; the message says from where and why. */
class FetchFailed extends OperatorError {}

const OWN_MACHINE = ['127.0.0.1', '[::1]', 'localhost']

/** https anywhere; plain http only on this machine, for a local mirror. */
export function isFeedUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && OWN_MACHINE.includes(url.hostname))
}

/** The outbound client for the host of a configured address, wherever that is, and for public hosts that it redirects to. */
function openFor(address: string): Outbound {
  const { hostname = '' } = URL.parse(address) ?? {}
  const entry = OWN_MACHINE.includes(hostname) ? `http://${hostname}` : hostname
  return openOutbound({ allowed: readAllowed(entry) ?? nothingAllowed })
}

/** As fetchBytes, but streaming, for files that are not held whole. To be read once, to the end or until the reader leaves. */
export async function* fetchStream(
  address: string,
  { largest, timeout }: { largest: number; timeout: number },
): AsyncGenerator<Uint8Array> {
  const outbound = openFor(address)
  try {
    const { status, chunks } = await outbound.call(address, {
      largest,
      timeout,
      redirects: 'anywhere',
      isStreamed: true,
    })
    if (status !== 200 || !chunks) throw new FetchFailed(`the answer was ${status}`)
    yield* chunks
  } catch (error) {
    throw failureOf(address, error)
  } finally {
    await outbound.close()
  }
}

/** The bytes at the address, following redirects to addresses of the same kind. `largest` in bytes, `timeout` in milliseconds in total. */
export async function fetchBytes(
  address: string,
  { largest, timeout }: { largest: number; timeout: number },
): Promise<Buffer> {
  const outbound = openFor(address)
  try {
    const { status, body } = await outbound.call(address, { largest, timeout, redirects: 'anywhere' })
    if (status !== 200) throw new FetchFailed(`the answer was ${status}`)
    return body
  } catch (error) {
    throw failureOf(address, error)
  } finally {
    await outbound.close()
  }
}

const failureOf = (address: string, error: unknown): FetchFailed => {
  const why = error instanceof Error ? error.message : String(error)
  return new FetchFailed(`${address} could not be fetched: ${why}`, { cause: error })
}
