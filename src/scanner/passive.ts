// Which exchanges passive checks look at: each of them, but an answer that an operation gave before only for what stands in requests.

import { hash } from 'node:crypto'
import { steadyText } from './compare.ts'
import type { Context, Exchange, PassiveCheck } from './types.ts'

/** Answers that are known again; when there are more, all are forgotten. */
const MOST_KNOWN = 20_000

/** Headers that differ from one answer to the next and that no check reads. */
const CHANGING = new Set(['date', 'age', 'etag', 'x-request-id', 'x-correlation-id', 'x-runtime', 'x-response-time'])

/** Characters of an answer that is compared without what was sent. */
const LONGEST = 100_000

/**
 * What hands every exchange to the checks. A probe's answers are mostly alike, but for times and for what was sent, and a check says
 * of equal ones the same.
 */
export function openPassive(checks: readonly PassiveCheck[], context: Context): (exchange: Exchange) => void {
  const ofRequests = checks.filter(({ readsRequest }) => readsRequest)
  const known = new Set<string>()

  const isKnownBy = (key: string): boolean => {
    if (known.has(key)) return true
    if (known.size >= MOST_KNOWN) known.clear()
    known.add(key)
    return false
  }
  const isKnown = (exchange: Exchange): boolean => {
    if (exchange.operation === '') return false
    const head = headOf(exchange)
    if (isKnownBy(keyOf(head, exchange.text))) return true
    if (exchange.text.length > LONGEST) return false
    return isKnownBy(keyOf(`steady\n${head}`, steadyText(exchange.text, exchange.values)))
  }

  return (exchange) => {
    for (const check of isKnown(exchange) ? ofRequests : checks) {
      for (const sighting of check.look(exchange, context)) context.report(check, sighting)
    }
  }
}

function headOf({ operation, identity, request, answer }: Exchange): string {
  let text = `${operation}\n${identity}\n${request.method} ${answer.status}\n`
  for (const [name, value] of answer.headers) {
    if (!CHANGING.has(name)) text += `${name}: ${name === 'content-length' ? '' : value}\n`
  }
  return text
}

const keyOf = (head: string, text: string): string => hash('sha1', head + text, 'base64')
