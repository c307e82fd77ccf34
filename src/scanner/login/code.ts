// The one-time codes of a session's second factor: none is used twice, because a target may accept each only once.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../session.ts'
import { stepAt, totpOf, untilNextStep } from '../totp.ts'

/** The code of now. */
export function codeOf(session: Session, secret: string): string {
  const at = Date.now()
  session.code = { step: stepAt(at), isGoodOnce: session.code?.isGoodOnce ?? false }
  return totpOf(secret, at)
}

/**
 * Signs in; where that gave a code that had been given before and was refused, once more with the next code, and from then on
 * never with a used one. Waits half a minute at most, and no longer than until `signal`.
 */
export async function withFreshCode(
  session: Session,
  signal: AbortSignal,
  attempt: () => Promise<string | null>,
): Promise<string | null> {
  const used = session.code?.step
  if (session.code?.isGoodOnce) await untilFresh(session, signal)
  const fault = await attempt()
  if (fault === null || session.code === null || session.code.step !== used) return fault
  session.code.isGoodOnce = true
  await untilFresh(session, signal)
  return signal.aborted ? fault : attempt()
}

async function untilFresh({ code }: Session, signal: AbortSignal): Promise<void> {
  while (code?.step === stepAt(Date.now()) && !signal.aborted) {
    await sleep(untilNextStep(Date.now()) + 50, undefined, { signal }).catch(() => {})
  }
}
