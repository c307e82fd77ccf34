// Checks for predictable session cookies: counters, times, or hashes of these.

import { createHash } from 'node:crypto'
import type { OperationCheck } from '../check.ts'
import { headersOf } from '../http.ts'
import { readCookie } from '../set-cookie.ts'
import type { Exchange } from '../types.ts'
import { SESSION } from './cookies.ts'

const ASKED = 5
/** The largest step between values that still counts as a counter, since others may have requested sessions in between. */
const LONGEST_STEP = 50
/** How many numbers are hashed and compared. */
const MOST_HASHED = 20_000
/** Seconds by which the two clocks may differ. */
const NEAR = 5
/** Words in names of what is counted for people, not for sessions: of `page_views` and `visitCount`, not of `account_session`. */
const COUNTED = /^(views?|visits?|hits|last.*|expir(y|es?|ed|ation)|lang(uage)?|theme)$|(?<!ac|dis)count(s|er)?$/i
const TIMED = /time(stamp|out)?$/i

const isForPeople = (name: string): boolean =>
  TIMED.test(name) || name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).some((word) => COUNTED.test(word))

const hashes = ['md5', 'sha1'] as const

/** The number that the value is or is the hash of; null if neither. */
function numberIn(value: string, seconds: number): { number: number; isHash: boolean } | null {
  if (/^\d{1,13}$/.test(value)) return { number: Number(value), isHash: false }
  const kind = hashes.find((_, index) => value.length === [32, 40][index] && /^[0-9a-f]+$/i.test(value))
  if (!kind) return null
  const of = (number: number) => createHash(kind).update(String(number)).digest('hex')
  const known = value.toLowerCase()
  for (let number = 0; number < MOST_HASHED; number += 1) if (of(number) === known) return { number, isHash: true }
  for (let number = seconds - NEAR; number <= seconds + NEAR; number += 1)
    if (of(number) === known) return { number, isHash: true }
  return null
}

const isTime = (number: number, seconds: number) =>
  Math.abs(number - seconds) <= NEAR || Math.abs(number / 1000 - seconds) <= NEAR

export const predictableSessions: OperationCheck = {
  kind: 'operation',
  id: 'predictable-session',
  title: 'Predictable session ID',
  cwes: [340, 330],
  severity: 'HIGH',
  solution: 'Create session IDs of 128 bits or more with a cryptographic random source.',
  profile: 'BALANCED',
  async *probe(operation, context) {
    const seen = context.seen(operation)
    const names = seen ? [...cookiesOf(seen).keys()].filter((name) => SESSION.test(name) && !isForPeople(name)) : []
    if (names.length === 0) return
    const got: { exchange: Exchange; seconds: number }[] = []
    for (let time = 0; time < ASKED; time += 1) {
      const exchange = await context.attempt(operation, [], { isAlone: true })
      if (!exchange) return
      got.push({ exchange, seconds: Math.floor(Date.now() / 1000) })
    }
    for (const name of names) {
      const values = got.map(({ exchange, seconds }) => {
        const value = cookiesOf(exchange).get(name)
        const told = value === undefined ? null : numberIn(value, seconds)
        return told && { ...told, isTime: isTime(told.number, seconds) }
      })
      const numbers = values.flatMap((value) => value ?? [])
      const last = got.at(-1)?.exchange
      if (numbers.length < ASKED || !last) continue
      const steps = numbers.slice(1).map(({ number }, index) => number - (numbers[index]?.number ?? 0))
      const isCounted = steps.every((step) => step > 0 && step <= LONGEST_STEP)
      const isClock = numbers.every(({ isTime }) => isTime)
      if (!isCounted && !isClock) continue
      const what = isClock ? 'the time' : 'a counter'
      yield {
        detail: `${name} is ${numbers.some(({ isHash }) => isHash) ? 'a hash of ' : ''}${what}: ${ASKED} responses in a row set values that can be predicted from each other.`,
        proof: [name],
        exchange: last,
        operation,
        cause: `${operation.origin} ${name}`,
      }
    }
  },
}

function cookiesOf({ answer }: Exchange): Map<string, string> {
  const set = headersOf(answer, 'set-cookie').flatMap((line) => readCookie(line) ?? [])
  return new Map(set.filter(({ isGone }) => !isGone).map(({ name, value }) => [name, value]))
}
