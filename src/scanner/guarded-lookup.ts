// Resolves names of hosts to addresses that may be called, for connections that then go to exactly these.

import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type Allowed, refusalOf } from '../core/outbound-address.ts'

/** A name of which any address is refused is refused as a whole; what is connected to is the address that was judged. */
export const guardedLookup =
  (allowed: Allowed): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { all: true, verbatim: true }).then(
      (addresses) => {
        for (const { address } of addresses) {
          const refusal = refusalOf(address, allowed, hostname.toLowerCase())
          if (refusal !== null) {
            return callback(Object.assign(new Error(refusal), { code: 'FORBIDDEN_ADDRESS' }), '', 4)
          }
        }
        const [first] = addresses
        if (options.all) return callback(null, addresses)
        return first
          ? callback(null, first.address, first.family)
          : callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
