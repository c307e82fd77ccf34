// Copies strings that are kept for long, because a substring keeps the whole string that it was cut from in memory.

import type { Exchange } from './types.ts'

/** The number of characters of a response's body, and of its headers, that a finding can show. */
const LONGEST_BRIEF = 2_000

/** A copy in its own memory; for plain data only. */
export const ownCopy = <T>(value: T): T => structuredClone(value)

/** The exchange with at most so many bytes of its response. */
export function startOf(exchange: Exchange, length: number): Exchange {
  const { answer, text } = exchange
  const body = Buffer.from(answer.body.subarray(0, length))
  const headers = ownCopy(answer.headers)
  return { ...exchange, answer: { ...answer, headers, body, isCut: true }, text: ownCopy(text.slice(0, length)) }
}

/** The parts of an exchange that a later finding needs: the request, and the beginning of the response. */
export function briefOf(exchange: Exchange): Exchange {
  let left = LONGEST_BRIEF
  const headers = exchange.answer.headers.filter(([name, value]) => {
    left -= name.length + value.length
    return left >= 0
  })
  const brief = startOf({ ...exchange, answer: { ...exchange.answer, headers } }, LONGEST_BRIEF)
  return { ...brief, answer: { ...brief.answer, body: Buffer.alloc(0) } }
}
