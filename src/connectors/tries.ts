// Makes a call to a vendor with retries: renews an expired credential, and pauses between tries.

import type { OutboundAnswer } from '../core/outbound.ts'
import type { ClientOptions } from './client.ts'
import { VendorFailed, VendorRefused } from './errors.ts'
import { patiences } from './http-answers.ts'
import type { CallOptions, Method } from './http-request.ts'
import { type Around, type Call, openOneTry } from './one-try.ts'
import type { Path } from './paths.ts'
import { readRemaining } from './rates.ts'

/** Resolves with the answer of the successful try; rejects with VendorFailed or VendorRefused. */
type Perform = (method: Method, path: Path, call: CallOptions) => Promise<OutboundAnswer>

/** `origin` is that of the client's base. */
export function openTries(options: ClientOptions, around: Around, origin: string): Perform {
  const { connector, credentials } = options
  const { clock } = around
  const patience = patiences[options.patience]
  const tryOnce = openOneTry(options, around, origin)

  const persist = async (asked: Call): Promise<OutboundAnswer> => {
    const deadline = clock.now() + patience.overall
    let credential = await credentials.current()
    let isRenewed = false
    for (let tries = 1; ; tries += 1) {
      const ended = await tryOnce(asked, credential, deadline)
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
