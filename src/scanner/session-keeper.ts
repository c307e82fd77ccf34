// Notices sessions that end during a scan, and resumes them with renewed credentials or signs in again.

import type { SendOptions } from './check.ts'
import type { Pace } from './pace.ts'
import { isTurnedAway, type Session } from './session.ts'
import type { Exchange, HttpRequest } from './types.ts'

type Keeper = {
  /** Waits until the session may be used; renews credentials from a login shortly before they expire. */
  ready: (session: Session) => Promise<void>
  /**
   * Repeats a request that was rejected because the session had ended, or was sent with a cookie that has been renewed since
   * (`isOutdated`). Null if the session is intact, so that the request would be rejected again.
   */
  asSomebody: (session: Session, isOutdated: boolean, again: () => Promise<Exchange>) => Promise<Exchange | null>
}

export type KeeperOptions = {
  pace: Pace
  send: (request: HttpRequest, session: Session, options: SendOptions) => Promise<Exchange>
  /** Opens the session again; false if it cannot. */
  signIn: (session: Session) => Promise<boolean>
  /** Called if the target no longer accepts the identity's credentials, and no login can renew them. */
  onEnded: (session: Session) => void
}

/** The most times that sessions are opened again in one scan. */
export const MOST_SIGN_INS = 30
/** Milliseconds for which the result counts that a session is intact, or cannot be opened. */
const CANARY_PAUSE = 500

export function openKeeper({ pace, send, signIn, onEnded }: KeeperOptions): Keeper {
  let signIns = 0
  /** session → when it was last intact, or could not be opened */
  let askedAt = Number.NEGATIVE_INFINITY
  const opening = new Map<string, Promise<boolean>>()

  /** Opens a session; concurrent callers wait for the same attempt. */
  const opened = (session: Session, work: Promise<boolean>): Promise<boolean> => {
    const { name } = session.identity
    const known = work.finally(() => opening.delete(name))
    opening.set(name, known)
    return untilStopped(known)
  }

  const asSomebody: Keeper['asSomebody'] = async (session, isOutdated, again) => {
    if (!session.canary) return null
    const under = opening.get(session.identity.name)
    if (under) return (await untilStopped(under)) ? again() : null
    if (performance.now() - askedAt < CANARY_PAUSE) return session.isRenewing && isOutdated ? again() : null
    askedAt = performance.now()
    if (await opened(session, reopened(session, session.canary))) {
      askedAt = Number.NEGATIVE_INFINITY
      return again()
    }
    if (!isOutdated) return null
    const exchange = await again()
    if (isTurnedAway(exchange)) return null
    session.followRenewals()
    return exchange
  }

  /** Whether a session had ended and is open again: with cookies renewed by responses, or by another sign-in. */
  const reopened = async (session: Session, canary: Exchange): Promise<boolean> => {
    const plain = {
      ...canary.request,
      headers: canary.request.headers.filter(([name]) => !/^(cookie|authorization)$/i.test(name)),
    }
    const stands = async () => !isTurnedAway(await send(plain, session, {}))
    if (await stands()) return false
    if (session.takeRenewed() && (await stands())) {
      session.followRenewals()
      return true
    }
    if (!session.identity.login || signIns >= MOST_SIGN_INS) {
      session.canary = null
      onEnded(session)
      return false
    }
    signIns += 1
    return signIn(session)
  }

  const ready: Keeper['ready'] = async (session) => {
    const under = opening.get(session.identity.name)
    if (under) return void (await untilStopped(under))
    if (session.renewal === null || performance.now() < session.renewal.at) return
    if (!(await opened(session, signIn(session)))) session.renewal = null
  }

  /** Waits, but no longer than the scan lasts. */
  const untilStopped = async <T>(work: Promise<T>): Promise<T> => {
    const end = Promise.withResolvers<never>()
    const fail = () => end.reject(pace.stopped())
    pace.signal.addEventListener('abort', fail, { once: true })
    if (pace.signal.aborted) fail()
    try {
      return await Promise.race([work, end.promise])
    } finally {
      pace.signal.removeEventListener('abort', fail)
    }
  }

  return { ready, asSomebody }
}
