// Notices sessions that end during a scan, and resumes them with renewed credentials or signs in again.

import type { SendOptions } from './check.ts'
import type { Pace } from './pace.ts'
import { isTurnedAway, type Session } from './session.ts'
import type { Exchange, HttpRequest } from './types.ts'

type Keeper = {
  /** Waits until the session may be used; renews what a login gave shortly before it ends. */
  ready: (session: Session) => Promise<void>
  /**
   * Asks again, as somebody, what was turned away because the session was gone, or went with a cookie that has been renewed since
   * (`isOutdated`). Null where the session stands and it would be turned away again.
   */
  asSomebody: (session: Session, isOutdated: boolean, again: () => Promise<Exchange>) => Promise<Exchange | null>
}

export type KeeperOptions = {
  pace: Pace
  send: (request: HttpRequest, session: Session, options: SendOptions) => Promise<Exchange>
  /** Opens the session again; false when it cannot. */
  signIn: (session: Session) => Promise<boolean>
  /** The target takes no more what the identity was given, and no login gets something else, or none once more. */
  onEnded: (session: Session) => void
}

/** Sessions that are opened again in one scan. */
export const MOST_SIGN_INS = 30
/** Milliseconds from an answer that a session stands, or cannot be opened, to the next question. */
const CANARY_PAUSE = 500

export function openKeeper({ pace, send, signIn, onEnded }: KeeperOptions): Keeper {
  let signIns = 0
  /** when a session stood or could not be opened */
  let askedAt = Number.NEGATIVE_INFINITY
  const opening = new Map<string, Promise<boolean>>()

  /** Opens a session, while nobody else does and others wait. */
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

  /** Whether a session was gone and stands again: with the cookies that answers renewed, or by another sign-in. */
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

  /** Waits no longer than the scan lasts. */
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
