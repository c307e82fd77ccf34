// Makes one try of a call to a vendor: within the rate limits, judged by its answer, and counted by the circuit breaker.

import type { Log } from '../core/log.ts'
import type { Outbound, OutboundAnswer } from '../core/outbound.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import type { Announcements } from './announcements.ts'
import type { Breaker } from './breaker.ts'
import type { ClientOptions } from './client.ts'
import type { Clock } from './clock.ts'
import { VendorFailed } from './errors.ts'
import { failureOf, isRepeatable, judge, patiences, type Trouble } from './http-answers.ts'
import { type CallOptions, type Method, requestOf } from './http-request.ts'
import type { Credential } from './kinds.ts'
import { type Limiter, MustWait } from './limiter.ts'
import { type Path, queryText } from './paths.ts'

/** What the clients of this process share. */
export type Around = {
  outbound: Outbound
  log: Log
  clock: Clock
  announced: Announcements
  limiter: Limiter
  breaker: Breaker
}

export type Call = { method: Method; path: Path; call: CallOptions }

type Ended = { trouble: null; answer: OutboundAnswer } | { trouble: Trouble }

/** Resolves with the outcome, by `deadline` at the latest; rejects with VendorFailed if the call could not be made at all. */
type TryOnce = (asked: Call, credential: Credential, deadline: number) => Promise<Ended>

/** `origin` is that of the client's base. */
export function openOneTry(options: ClientOptions, around: Around, origin: string): TryOnce {
  const { connector, base } = options
  const { name } = connector
  const { breaker, limiter, outbound, log, clock, announced } = around
  const patience = patiences[options.patience]

  /** Waits until the call may go; resolves with what ends it. */
  const enter = async (deadline: number): Promise<() => void> => {
    const held = breaker.ask()
    if (held > 0) throw new VendorFailed(name, 'PAUSED', { wait: held })
    const wait = Math.min(patience.wait, Math.max(0, deadline - clock.now()))
    try {
      const leave = await limiter.enter(wait)
      return () => {
        breaker.ended()
        leave()
      }
    } catch (error) {
      breaker.ended()
      throw error instanceof MustWait ? new VendorFailed(name, 'WAIT', { wait: error.milliseconds }) : error
    }
  }

  const send = ({ method, path, call }: Call, credential: Credential, deadline: number): Promise<OutboundAnswer> => {
    const left = Math.max(1_000, deadline - clock.now())
    const request = requestOf(connector, method, call, credential, Math.min(call.timeout ?? patience.timeout, left))
    const address = (path.isWhole ? origin : base) + path.text
    return outbound.call(address + queryText(call.query), request)
  }

  return async (asked, credential, deadline) => {
    const { method, path, call } = asked
    const told = { vendor: name, method, path: path.pattern }
    const mayRepeat = isRepeatable(method, call.repeatable)
    const leave = await enter(deadline)
    try {
      const answer = await send(asked, credential, deadline)
      const { trouble, pause } = judge(connector, answer, { mayRepeat, also: call.also, credential, now: clock.now() })
      if (pause > 0) limiter.pause(pause + clock.random() * 500)
      if (trouble?.isTheirs) breaker.failed()
      else breaker.succeeded()
      if (!trouble) {
        announced(told, answer.headers)
        return { trouble, answer }
      }
      log.info({ ...told, status: answer.status, trouble: trouble.error.kind }, 'A vendor did not answer as asked')
      return { trouble }
    } catch (error) {
      if (!(error instanceof OutboundFailed)) throw error
      const trouble = failureOf(name, error, mayRepeat)
      if (trouble.isTheirs) breaker.failed()
      log.info({ ...told, reason: error.reason }, 'A vendor did not answer')
      return { trouble }
    } finally {
      leave()
    }
  }
}
