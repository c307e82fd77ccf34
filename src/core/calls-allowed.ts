// Whether the code that runs now may call other hosts: not inside the transaction of a caller's request, and not after that request has timed out.

import { AsyncLocalStorage } from 'node:async_hooks'

/** `isHeld`: a transaction lasts as long as the work does, and so would the wait for another host. */
type Allowance = { isHeld: boolean; signal: AbortSignal | null }

const allowances = new AsyncLocalStorage<Allowance>()

/** Runs `work`, whose calls to other hosts end with the signal. */
export const callingUntil = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  allowances.run({ isHeld: false, signal }, work)

/** Runs `work`, which may call no other host. */
export const callingNobody = <T>(work: () => Promise<T>): Promise<T> =>
  allowances.run({ isHeld: true, signal: null }, work)

/** Runs `work`, whose calls are finished whatever becomes of the request, because half of it would be worse than none. */
export const callingToTheEnd = <T>(work: () => Promise<T>): Promise<T> =>
  allowances.run({ isHeld: allowances.getStore()?.isHeld ?? false, signal: null }, work)

/** Asked before each call; its signal ends the call. Throws where none may be made, which is a fault of ours. */
export function allowedCall(): AbortSignal | null {
  const allowance = allowances.getStore()
  if (allowance?.isHeld) throw new Error('Another host is called from within a transaction: mark the field callsOut')
  return allowance?.signal ?? null
}
