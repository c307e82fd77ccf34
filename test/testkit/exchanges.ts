// Records the fakes' requests and answers if MERLON_EXCHANGES names a file, so that another validator can check them too.

import { appendFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'

/** A received request; `body` is parsed JSON or a form, otherwise text. */
export type Seen = {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: unknown
}

/** An answer: plain, or written by hand if it is broken on purpose. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | { write: (response: ServerResponse) => void }

/** An exchange that must match a description; `contract` is that description's file. */
export type Exchange = { contract: string; seen: Seen; answer: Exclude<Answer, { write: unknown }> }

export function noteExchange(exchange: Exchange): void {
  const file = process.env.MERLON_EXCHANGES
  if (file) appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}
