// Decides from names and tokens who is an ordinary user.

import type { Context } from '../check.ts'
import type { Identity } from '../types.ts'
import { claimsOf, tokensIn } from './tokens.ts'

const PRIVILEGED = /admin|root|super|staff|operator|manager/i

/** Whether nothing about an identity says that it is an administrator: its name, its user name, its token's claims. */
export function isOrdinary(identity: Identity, context: Context): boolean {
  if (PRIVILEGED.test(identity.name)) return false
  if (identity.login && 'username' in identity.login && PRIVILEGED.test(identity.login.username)) return false
  for (const operation of context.operations) {
    const exchange = context.seen(operation, identity)
    if (exchange === undefined) continue
    return tokensIn(exchange.request).every(
      ({ text }) => !PRIVILEGED.test(JSON.stringify(claimsOf(text)?.role ?? claimsOf(text)?.roles ?? '')),
    )
  }
  return true
}
