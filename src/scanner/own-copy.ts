// Copies strings that are kept for long, because a substring keeps the whole string that it was cut from in memory.

import type { Exchange } from './types.ts'

/** Characters of an answer, and of its headers together, of which a finding can show the start. */
const LONGEST_BRIEF = 2_000

/** The same in memory of its own; plain data only. */
export const ownCopy = <T>(value: T): T => structuredClone(value)

/** The exchange with so many bytes of its answer. */
export function startOf(exchange: Exchange, length: number): Exchange {
  const { answer, text } = exchange
  const body = Buffer.from(answer.body.subarray(0, length))
  const headers = ownCopy(answer.headers)
  return { ...exchange, answer: { ...answer, headers, body, isCut: true }, text: ownCopy(text.slice(0, length)) }
}

/** What a finding needs of an exchange that may be told of much later: the request, and how the answer begins. */
export function briefOf(exchange: Exchange): Exchange {
  let left = LONGEST_BRIEF
  const headers = exchange.answer.headers.filter(([name, value]) => {
    left -= name.length + value.length
    return left >= 0
  })
  const brief = startOf({ ...exchange, answer: { ...exchange.answer, headers } }, LONGEST_BRIEF)
  return { ...brief, answer: { ...brief.answer, body: Buffer.alloc(0) } }
}
