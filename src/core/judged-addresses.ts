// Resolves the name of a host to addresses that may be called; whoever connects goes to exactly these.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Allowed, refusalOf } from './outbound-address.ts'
import { OutboundFailed } from './outbound-errors.ts'

/** The addresses of a name; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * The judged addresses of a host. A name is refused (FORBIDDEN_ADDRESS) if any of its addresses is, because the order of answers may
 * change.
 */
export async function addressesOf(
  hostname: string,
  allowed: Allowed,
  resolve: Resolve = resolveBySystem,
): Promise<readonly string[]> {
  const name = withoutBrackets(hostname).toLowerCase().replace(/\.$/, '')
  const addresses = isIP(name) ? [name] : await resolve(name)
  if (addresses.length === 0) throw new OutboundFailed('NOT_FOUND', false)
  for (const address of addresses) {
    const refusal = refusalOf(address, allowed, name)
    if (refusal !== null) throw new OutboundFailed('FORBIDDEN_ADDRESS', false, refusal)
  }
  return addresses
}

/** A host as a URL has it, where an address of version 6 stands in brackets. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')
