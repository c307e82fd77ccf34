// Which exchanges passive checks look at: each of them, but an answer that an operation gave before only for what stands in requests.

import { hash } from 'node:crypto'
import type { Context, Exchange, PassiveCheck } from './types.ts'

/** Answers that are known again; when there are more, all are forgotten. */
const MOST_KNOWN = 20_000

/** Headers that differ from one answer to the next and that no check reads. */
const CHANGING = new Set(['date', 'age', 'etag', 'x-request-id', 'x-correlation-id', 'x-runtime', 'x-response-time'])

/** What hands every exchange to the checks. A probe's answers are mostly alike, and a check says of equal ones the same. */
export function openPassive(checks: readonly PassiveCheck[], context: Context): (exchange: Exchange) => void {
  const ofRequests = checks.filter(({ readsRequest }) => readsRequest)
  const known = new Set<string>()

  const isKnown = (exchange: Exchange): boolean => {
    if (exchange.operation === '') return false
    const key = keyOf(exchange)
    if (known.has(key)) return true
    if (known.size >= MOST_KNOWN) known.clear()
    known.add(key)
    return false
  }

  return (exchange) => {
    for (const check of isKnown(exchange) ? ofRequests : checks) {
      for (const sighting of check.look(exchange, context)) context.report(check, sighting)
    }
  }
}

function keyOf({ operation, identity, request, answer }: Exchange): string {
  let text = `${operation}\n${identity}\n${request.method} ${answer.status}\n`
  for (const [name, value] of answer.headers) if (!CHANGING.has(name)) text += `${name}: ${value}\n`
  return hash('sha1', text + hash('sha1', answer.body, 'base64'), 'base64')
}
