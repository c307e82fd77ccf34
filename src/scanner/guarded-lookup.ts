// Resolves names of hosts to addresses that may be called, for connections that then go to exactly these.

import { isIP, type LookupFunction } from 'node:net'
import { addressesOf } from '../core/judged-addresses.ts'
import type { Allowed } from '../core/outbound-address.ts'

/** Fails as `addressesOf` does. */
export const guardedLookup =
  (allowed: Allowed): LookupFunction =>
  (hostname, { all }, callback) => {
    addressesOf(hostname, allowed).then(
      (addresses) => {
        const [first = '', ...rest] = addresses
        if (!all) return callback(null, first, isIP(first))
        callback(
          null,
          [first, ...rest].map((address) => ({ address, family: isIP(address) })),
        )
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
