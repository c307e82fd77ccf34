// Records the fakes' requests and answers if MERLON_EXCHANGES names a file, so that another validator can check them too.

import { appendFileSync } from 'node:fs'
import type { Answer, Seen } from './vendor-fake.ts'

/** An exchange that must match a description; `contract` is that description's file. */
export type Exchange = { contract: string; seen: Seen; answer: Exclude<Answer, { write: unknown }> }

export function noteExchange(exchange: Exchange): void {
  const file = process.env.MERLON_EXCHANGES
  if (file) appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}
