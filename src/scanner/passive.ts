// Which exchanges passive checks look at: all, but if an operation has given the same response before, only the request.

import { hash } from 'node:crypto'
import type { Context, PassiveCheck } from './check.ts'
import { steadyText } from './compare.ts'
import type { Exchange } from './types.ts'

/** Answers that are known again; when there are more, all are forgotten. */
const MOST_KNOWN = 20_000

/** Headers that differ from one answer to the next and that no check reads. */
const CHANGING = new Set(['date', 'age', 'etag', 'x-request-id', 'x-correlation-id', 'x-runtime', 'x-response-time'])

/** Characters of an answer that is compared without what was sent. */
const LONGEST = 100_000

/** Operations of which the last answer is kept: those that are asked at the same time. */
const MOST_LAST = 32

/**
 * What hands every exchange to the checks. A probe's answers are mostly alike, but for times and for what was sent, and a check says
 * of equal ones the same.
 */
export function openPassive(checks: readonly PassiveCheck[], context: Context): (exchange: Exchange) => void {
  const ofRequests = checks.filter(({ readsRequest }) => readsRequest)
  const known = new Set<string>()
  const last = new Map<string, Exchange>()

  const isKnownBy = (key: string): boolean => {
    if (known.has(key)) return true
    if (known.size >= MOST_KNOWN) known.clear()
    known.add(key)
    return false
  }
  const isKnown = (exchange: Exchange): boolean => {
    // the same page at another address, as where a server answers all paths with its start page
    if (exchange.operation === '') return isKnownBy(keyOf(headOf(exchange), exchange.text))
    const before = last.get(exchange.operation)
    if (before && isRepeated(exchange, before)) return true
    if (last.size >= MOST_LAST) last.clear()
    if (exchange.text.length <= LONGEST) last.set(exchange.operation, exchange)
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

/** Equal to the last answer of the operation in all that its key is made of, which costs less to see than the key. */
function isRepeated(exchange: Exchange, before: Exchange): boolean {
  const [now, then] = [exchange.answer, before.answer]
  return (
    now.status === then.status &&
    exchange.identity === before.identity &&
    exchange.request.method === before.request.method &&
    now.headers.length === then.headers.length &&
    exchange.text === before.text &&
    now.headers.every(([name, value], index) => {
      const other = then.headers[index]
      return other?.[0] === name && (other[1] === value || CHANGING.has(name))
    })
  )
}

function headOf({ operation, identity, request, answer }: Exchange): string {
  let text = `${operation}\n${identity}\n${request.method} ${answer.status}\n`
  for (const [name, value] of answer.headers) {
    if (!CHANGING.has(name)) text += `${name}: ${name === 'content-length' ? '' : value}\n`
  }
  return text
}

const keyOf = (head: string, text: string): string => hash('sha256', head + text, 'base64')
