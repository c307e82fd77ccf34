// The only way from checks to the target: it keeps turns, credentials, scope, failures and observations in one place.

import type { SendOptions } from './check.ts'
import { type Transport, textOf } from './http.ts'
import { type Outage, openWatch } from './outages.ts'
import { SendFailed } from './outcome.ts'
import type { Pace } from './pace.ts'
import { hasHeader, isNamed } from './points.ts'
import { openRefusals } from './refusals.ts'
import { get } from './requests.ts'
import { isInScope, signInScope } from './scope.ts'
import { isTurnedAway, type Session } from './session.ts'
import { type KeeperOptions, openKeeper } from './session-keeper.ts'
import type { Budget, Exchange, HttpAnswer, HttpRequest, Operation, Scope } from './types.ts'

export type Laboratory = {
  send: (request: HttpRequest, options?: SendOptions) => Promise<Exchange>
  /** Fetches a document that belongs to the description, on any path and without credentials; null if there is no response. */
  ask: (url: string) => Promise<HttpAnswer | null>
  failures: () => number
  /** whether the operation of that key has responded that it is called too often */
  isLimited: (operation: string) => boolean
  /** whether it has left a request without a response */
  wasSilent: (operation: string) => boolean
  /** whether it has a shorter timeout than others, because it did not respond before */
  isHurried: (operation: string) => boolean
  /** whether it is no longer called, because it failed to respond so often */
  isGivenUp: (operation: string) => boolean
  /** Called for every exchange, before its sender gets it. */
  onExchange: (listener: (exchange: Exchange, operation: Operation | undefined) => void) => void
}

type LaboratoryOptions = Pick<KeeperOptions, 'signIn' | 'onEnded'> & {
  transport: Transport
  pace: Pace
  budget: Budget
  scope: Scope
  target: URL
  scanId: string
  /** by the identity's name */
  sessions: ReadonlyMap<string, Session>
  /** the session of requests without an identity; an anonymous visitor has one as well, for cookies */
  main: Session
  /** called if an operation silences the target for a while */
  onOutage: (outage: Outage) => void
}

const AGENT = ['User-Agent', 'merlon-scanner'] as const

/** The identity of a request: none for sign-ins, which could change who the session belongs to. */
export const identityOf = ({ identity, operation }: SendOptions): SendOptions['identity'] =>
  operation?.isSignIn ? null : identity

export function openLaboratory(options: LaboratoryOptions): Laboratory {
  const { transport, pace, budget, scope, sessions, main } = options
  const doors = signInScope(scope)
  const listeners: ((exchange: Exchange, operation: Operation | undefined) => void)[] = []
  const refusals = openRefusals(pace)
  let failures = 0
  const mark = ['X-Scan-Id', options.scanId] as const

  const raw = async (
    request: HttpRequest,
    session: Session | null,
    { timeout, isAlone, isSignIn, operation, values }: SendOptions,
  ): Promise<Exchange> => {
    const headers = request.headers.filter(([name]) => !isNamed(name, 'x-scan-id'))
    headers.push(mark)
    if (!hasHeader(headers, 'user-agent')) headers.push(AGENT)
    const { method, url, body } = request
    const marked: HttpRequest = { method, url, headers, body }
    const limits = { timeout: timeout ?? watch.patienceFor(operation, budget.timeout), largest: budget.largest }
    const sendAs = async (dressed: HttpRequest): Promise<Exchange> => {
      const answer = await pace.run(() => transport.send(dressed, limits), isAlone)
      return {
        request: dressed,
        answer,
        text: textOf(answer),
        operation: operation?.key ?? '',
        identity: session?.identity.name ?? null,
        values,
      }
    }
    if (session === null) return sendAs(marked)
    return session.inTurn(async () => {
      const exchange = await sendAs(session.dress(marked))
      session.learn(exchange, { isSignIn, isOwn: hasHeader(request.headers, 'cookie') })
      return exchange
    })
  }

  const isThere = () => {
    const headers = [['Host', options.target.host]] as const
    return raw({ method: 'GET', url: options.target.href, headers, body: null }, null, { timeout: 8_000 }).then(
      () => true,
      () => false,
    )
  }
  const keeper = openKeeper({ ...options, send: raw })
  const watch = openWatch(pace, isThere, options.onOutage)

  const send = async (request: HttpRequest, given: SendOptions = {}): Promise<Exchange> => {
    if (!isInScope(request.url, given.isSignIn ? doors : scope)) throw new SendFailed('OUT_OF_SCOPE')
    if (watch.isWaiting()) await watch.ready()
    const { operation } = given
    const identity = identityOf(given)
    const session = identity === null ? null : ((identity && sessions.get(identity.name)) ?? main)
    if (session && !given.isSignIn) await keeper.ready(session)
    let exchange: Exchange
    const startedAt = performance.now()
    try {
      exchange = await raw(request, session, given)
    } catch (error) {
      if (!(error instanceof SendFailed) || error.reason === 'FORBIDDEN_ADDRESS') throw error
      failures += 1
      const wasSilent = !given.isAlone && (await watch.failed(request, operation, startedAt))
      // repeat a request that failed because another operation silenced the target
      const isInnocent = operation !== undefined && !watch.isGivenUp(operation.key)
      if (wasSilent && isInnocent && !given.isRetry && !pace.stopped())
        return send(request, { ...given, isRetry: true })
      throw pace.stopped() ?? error
    }
    watch.answered(operation, exchange.answer.ms)
    const isPaused = refusals.take(exchange.answer, operation, given.isAlone === true)
    if (isPaused && !given.isRetry) return send(request, { ...given, isRetry: true })
    if (session && !given.isSignIn && isTurnedAway(exchange)) {
      const again = () => raw(request, session, given)
      const isOutdated = !hasHeader(request.headers, 'cookie') && session.isOutdated(exchange.request)
      exchange = (await keeper.asSomebody(session, isOutdated, again)) ?? exchange
    }
    for (const listener of listeners) listener(exchange, operation)
    return exchange
  }

  const ask = async (url: string): Promise<HttpAnswer | null> => {
    try {
      return (await raw(get(url), null, {})).answer
    } catch (error) {
      if (error instanceof SendFailed) return null
      throw error
    }
  }

  return {
    send,
    ask,
    failures: () => failures,
    isLimited: refusals.isLimited,
    wasSilent: watch.wasSilent,
    isHurried: watch.isHurried,
    isGivenUp: (operation) => refusals.isGivenUp(operation) || watch.isGivenUp(operation),
    onExchange: (listener) => void listeners.push(listener),
  }
}
