// Decides whether the present code may call other hosts: not inside the transaction of a request, and not after the request has timed out.

import { AsyncLocalStorage } from 'node:async_hooks'

/** `isHeld`: a transaction is open for as long as the work takes, and would stay open while waiting for another host. */
type Allowance = { isHeld: boolean; signal: AbortSignal | null }

const allowances = new AsyncLocalStorage<Allowance>()

/** Runs `work`; the signal aborts its calls to other hosts. */
export const callingUntil = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  allowances.run({ isHeld: false, signal }, work)

/** Runs `work`, which may not call other hosts. */
export const callingNobody = <T>(work: () => Promise<T>): Promise<T> =>
  allowances.run({ isHeld: true, signal: null }, work)

/** Runs `work`, whose calls are completed even if the request ends, because half of it would be worse than none. */
export const callingToTheEnd = <T>(work: () => Promise<T>): Promise<T> =>
  allowances.run({ isHeld: allowances.getStore()?.isHeld ?? false, signal: null }, work)

/** Called before each call to another host; returns the signal that aborts it. Throws if calls are not allowed, which is a bug. */
export function allowedCall(): AbortSignal | null {
  const allowance = allowances.getStore()
  if (allowance?.isHeld) throw new Error('Another host is called from within a transaction: mark the field callsOut')
  return allowance?.signal ?? null
}
