// One call to a vendor with its retries: within the limits, renewing an expired credential, and pausing before what may be repeated.

import type { Log } from '../core/log.ts'
import type { Outbound, OutboundAnswer } from '../core/outbound.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import type { Announcements } from './announcements.ts'
import type { Breaker } from './breaker.ts'
import type { Clock } from './clock.ts'
import { VendorFailed, VendorRefused } from './errors.ts'
import type { ClientOptions } from './http.ts'
import { failureOf, isRepeatable, judge, patiences, type Trouble } from './http-answers.ts'
import { type CallOptions, type Method, requestOf } from './http-request.ts'
import { type Limiter, MustWait } from './limiter.ts'
import { type Path, queryText } from './paths.ts'
import { readRemaining } from './rates.ts'
import type { Credential } from './types.ts'

/** What the client shares with others of this process. */
export type Around = {
  outbound: Outbound
  log: Log
  clock: Clock
  announced: Announcements
  limiter: Limiter
  breaker: Breaker
}

type Call = { method: Method; path: Path; call: CallOptions }

type Ended = { trouble: null; answer: OutboundAnswer } | { trouble: Trouble }

/** The answer of a call that was good in the end; rejects with VendorFailed or VendorRefused. */
type Perform = (method: Method, path: Path, call: CallOptions) => Promise<OutboundAnswer>

/** `origin` is that of the client's base. */
export function openTries(options: ClientOptions, around: Around, origin: string): Perform {
  const { connector, base, credentials } = options
  const { name } = connector
  const { breaker, limiter, outbound, log, clock, announced } = around
  const patience = patiences[options.patience]

  const once = async ({ method, path, call }: Call, credential: Credential, deadline: number): Promise<Ended> => {
    const held = breaker.ask()
    if (held > 0) throw new VendorFailed(name, 'PAUSED', { wait: held })
    const wait = Math.min(patience.wait, Math.max(0, deadline - clock.now()))
    const leave = await limiter.enter(wait).catch((error: unknown) => {
      breaker.ended()
      throw error instanceof MustWait ? new VendorFailed(name, 'WAIT', { wait: error.milliseconds }) : error
    })
    const told = { vendor: name, method, path: path.pattern }
    const mayRepeat = isRepeatable(method, call.repeatable)
    try {
      const left = Math.max(1_000, deadline - clock.now())
      const request = requestOf(connector, method, call, credential, Math.min(call.timeout ?? patience.timeout, left))
      const address = (path.isWhole ? origin : base) + path.text
      const answer = await outbound.call(address + queryText(call.query), request)
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
      breaker.ended()
      leave()
    }
  }

  const persist = async (asked: Call): Promise<OutboundAnswer> => {
    const deadline = clock.now() + patience.overall
    let credential = await credentials.current()
    let isRenewed = false
    for (let tries = 1; ; tries += 1) {
      const ended = await once(asked, credential, deadline)
      if (!ended.trouble) return ended.answer
      const { trouble } = ended
      if (trouble.kind === 'UNAUTHORIZED') {
        const other = isRenewed ? null : await credentials.renew(credential)
        if (other === null) {
          await credentials.reject(credential)
          throw trouble.error
        }
        isRenewed = true
        credential = other
        continue
      }
      if (trouble.kind === 'FINAL' || tries >= patience.tries) throw trouble.error
      if (trouble.kind === 'LATER') {
        const longest = Math.min(patience.longest, patience.first * 2 ** (tries - 1))
        const pause = clock.random() * longest
        if (clock.now() + pause > deadline) throw trouble.error
        await clock.sleep(pause)
      }
    }
  }

  return async (method, path, call) => {
    try {
      const answer = await persist({ method, path, call })
      credentials.noted?.({ failure: null, remaining: readRemaining(answer.headers, connector.rates) })
      return answer
    } catch (error) {
      if (error instanceof VendorFailed || error instanceof VendorRefused) {
        credentials.noted?.({ failure: error, remaining: null })
      }
      throw error
    }
  }
}
