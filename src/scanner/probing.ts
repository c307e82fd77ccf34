// What checks of values share: pairs of payloads that differ only in their truth, and replacements for a value.

import { randomInt } from 'node:crypto'
import type { Context } from './check.ts'
import { likenessOf, steadyText } from './compare.ts'
import { SendFailed } from './outcome.ts'
import { briefOf } from './own-copy.ts'
import { textOf } from './points.ts'
import type { Exchange, Operation, Point } from './types.ts'

/** Makes a payload from two numbers that is true if they are equal. */
export type Pair = { name: string; of: (left: number, right: number) => string }

/** The value as text, shortened; payloads are appended to it. */
export const textValue = ({ value }: Point): string => (value === null ? '' : textOf(value).slice(0, 200))

/** Whether a text can replace the value: GraphQL rejects a text for a number or a boolean before the operation sees it. */
export const takesText = ({ place, value }: Point): boolean => {
  if (place === 'file' || (value !== null && typeof value === 'object')) return false
  return place !== 'variable' || typeof value === 'string' || value === null
}

/** Similarity from which two responses count as the same, and below which as different. */
const SAME = 0.98
const DIFFERENT = 0.9

type Told = { pair: Pair; whenTrue: Exchange; whenFalse: Exchange }

/**
 * Whether responses depend on the truth of a payload: sends each pair twice with new numbers, so that equal responses are due to equal
 * truth. The payloads differ only in digits, so that filters on their form treat all of them alike.
 */
export async function followsTruth(
  pair: Pair,
  point: Point,
  operation: Operation,
  context: Context,
): Promise<Told | null> {
  const ask: Ask = async (isTrue, isAlone = false) => {
    const left = context.number(4)
    const right = isTrue ? left : left + 1 + Math.floor(Math.random() * 8)
    const value = pair.of(left, right)
    const exchange = await context.attempt(operation, [{ point, value }], { isAlone })
    return exchange && { exchange, value, text: steadyText(exchange.text, [value, String(left), String(right)]) }
  }
  const thrice = await askThrice(ask, false)
  // a list that grows because of other probes is stable while nothing else is sent
  const told = thrice?.isDrifting ? await askThrice(ask, true) : thrice
  if (!told || told.isDrifting) return null
  const { firstTrue, firstFalse, lastTrue, lastFalse } = told
  // Changes for other reasons do not follow a random order.
  for (const isTrue of shuffled()) {
    const asked = await ask(isTrue, true)
    const [own, other] = isTrue ? [firstTrue, firstFalse] : [firstFalse, firstTrue]
    if (!asked || !isSame(asked, own) || areAlike(asked, other)) return null
    // responses that drift by themselves are no more similar to their own group than to the other
    if (likeness(asked, own) <= likeness(asked, other)) return null
  }
  return { pair, whenTrue: lastTrue.exchange, whenFalse: lastFalse.exchange }
}

type Ask = (isTrue: boolean, isAlone?: boolean) => Promise<Asked | null>
type Thrice = { firstTrue: Asked; firstFalse: Asked; lastTrue: Asked; lastFalse: Asked; isDrifting: boolean }

/**
 * Sends both three times; null if the responses do not differ. `isDrifting`: those of one truth all differ from the
 * other's, but are not all alike.
 */
async function askThrice(ask: Ask, isAlone: boolean): Promise<Thrice | null> {
  const firstTrue = await ask(true, isAlone)
  const firstFalse = await ask(false, isAlone)
  if (!firstTrue || !firstFalse || areAlike(firstTrue, firstFalse)) return null
  if (firstTrue.exchange.answer.status >= 500 && firstFalse.exchange.answer.status >= 500) return null
  const againTrue = await ask(true, isAlone)
  const againFalse = await ask(false, isAlone)
  if (!againTrue || !againFalse) return null
  const lastFalse = await ask(false, isAlone)
  const lastTrue = await ask(true, isAlone)
  if (!lastTrue || !lastFalse) return null
  const isSteadyTrue = [againTrue, lastTrue].every((one) => isSame(one, firstTrue))
  const isSteadyFalse = [againFalse, lastFalse].every((one) => isSame(one, firstFalse))
  const isApart = [againTrue, lastTrue].every((one) => !areAlike(one, firstFalse))
  if (!isApart || !(isSteadyTrue || isSteadyFalse)) return null
  return { firstTrue, firstFalse, lastTrue, lastFalse, isDrifting: !(isSteadyTrue && isSteadyFalse) }
}

/** The truths of ten payloads, five of each, in a random order. */
const shuffled = (): boolean[] =>
  Array.from({ length: 10 }, (_, index) => ({ isTrue: index % 2 === 0, at: randomInt(1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ isTrue }) => isTrue)

type Asked = { exchange: Exchange; text: string; value: string }

/** Whether two responses cannot be told apart. A small difference counts in short texts; long ones must differ clearly. */
function areAlike(one: Asked, other: Asked): boolean {
  const bound = Math.min(one.text.length, other.text.length) < 100_000 ? 0.995 : DIFFERENT
  return likeness(one, other) > bound
}

const isSame = (one: Asked, other: Asked): boolean => likeness(one, other) >= SAME

function likeness(one: Asked, other: Asked): number {
  if (one.exchange.answer.status !== other.exchange.answer.status) return 0
  return one.text === other.text ? 1 : likenessOf(one.exchange, other.exchange, [one.value, other.value])
}

/** Sends the payloads until `shows` finds something, and confirms it with a second payload of the same kind. */
export async function firstThatShows<Made>(
  makers: readonly (() => { value: string; made: Made; isRaw?: boolean })[],
  shows: (exchange: Exchange, made: Made) => string | null,
  { point, operation, context, timeout }: { point: Point; operation: Operation; context: Context; timeout?: number },
): Promise<{ exchange: Exchange; proof: string; value: string; made: Made } | null> {
  for (const make of makers) {
    const first = make()
    const exchange = await context.attempt(operation, [{ point, value: first.value, isRaw: first.isRaw }], { timeout })
    if (!exchange || shows(exchange, first.made) === null) continue
    const second = make()
    const again = await context.attempt(operation, [{ point, value: second.value, isRaw: second.isRaw }], { timeout })
    const proof = again && shows(again, second.made)
    if (again && proof !== null) return { exchange: again, proof, value: second.value, made: second.made }
  }
  return null
}

/** The result of a request; null if there is no response. Rejects with ScanStopped at the end of the scan. */
export async function quietly<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof SendFailed) return null
    throw error
  }
}

export type CallAddress = { url: string; host: string; token: string }

/**
 * Sends a payload with an address that only a flaw makes the target call, and tells of it when the call comes, at once or later.
 * True when it came before the answer did. `isMade` says of what was asked for at the address whether the payload made it.
 */
export async function expectCall(
  operation: Operation,
  context: Context,
  send: (address: CallAddress) => Promise<Exchange | null>,
  tell: (exchange: Exchange, url: string) => void,
  isMade: (path: string, address: CallAddress) => boolean = () => true,
): Promise<boolean> {
  let sent: Exchange | null = null
  let isHit = false
  const address = context.outOfBand?.expect(({ path }) => {
    if (!address || !isMade(path, address)) return
    isHit = true
    if (sent) tell(sent, address.url)
  })
  if (!address) return false
  const exchange = (await send(address)) ?? (await context.baseline(operation))?.exchange ?? null
  if (isHit && exchange) tell(exchange, address.url)
  sent = exchange && briefOf(exchange)
  return isHit
}
