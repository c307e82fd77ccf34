// Which exchanges passive checks look at: all, but if an operation has given the same response before, only the request.

import { hash } from 'node:crypto'
import type { Context, PassiveCheck } from './check.ts'
import { steadyText } from './compare.ts'
import type { Exchange } from './types.ts'

/** The most responses remembered; if there are more, all are forgotten. */
const MOST_KNOWN = 20_000

/** Headers that differ between responses and that no check reads. */
const CHANGING = new Set(['date', 'age', 'etag', 'x-request-id', 'x-correlation-id', 'x-runtime', 'x-response-time'])

/** The most characters of a response that is compared without the sent values. */
const LONGEST = 100_000

/** The most operations whose last response is kept: those sent at the same time. */
const MOST_LAST = 32

/**
 * Returns a function that gives every exchange to the checks. Responses to probes mostly differ only in times and sent values, and equal
 * ones give equal results, so repeated ones are skipped.
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
    // the same page at another address, as from a server that responds to all paths with its start page
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

/** Whether everything that the key is made of equals the operation's last response, which is cheaper to compare than to compute the key. */
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
