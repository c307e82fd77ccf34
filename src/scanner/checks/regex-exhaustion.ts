// Expressions that take ever longer for a text that nearly fits: told by how the time grows. It slows the target, so it is run on request alone.

import { takesText } from '../probing.ts'
import type { Context, Exchange, Operation, Point, PointCheck } from '../types.ts'

/** What is repeated, before an end that fits nothing. */
const UNITS = ['a', '0', ' ', 'a.', '-', 'a@', 'A0', '/']
const END = '\u00a1!'

/** Characters: for expressions whose time doubles with each one, and for those whose time grows with a power. */
const LADDERS: readonly (readonly number[])[] = [
  [12, 15, 18, 21, 24, 27, 30],
  [60, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000],
]
/** Of an address: servers bound its length. */
const LONGEST_IN_ADDRESS = 6_000

/** Milliseconds above the normal answer from which nothing longer is asked for, and the least that tells anything. */
const ENOUGH = 300
const FLOOR = 8
/** How much longer each step takes: in proportion to the text it would be twice at most. */
const GROWTH = 2.6

export const regexExhaustion: PointCheck = {
  kind: 'point',
  id: 'regex-exhaustion',
  title: 'A text that nearly fits an expression keeps the target busy',
  cwes: [1333, 400],
  severity: 'MEDIUM',
  solution:
    'Bound the length of the text first, and write the expression so that it has one way to read a text, or use an engine of linear time.',
  profile: 'DEEP',
  isOnRequest: true,
  accepts: (point) => takesText(point) && typeof point.value === 'string',
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (baseline === null) return null
    const normal = Math.max(baseline.exchange.answer.ms, baseline.again.answer.ms)
    const most = ['query', 'path', 'header', 'cookie'].includes(point.place) ? LONGEST_IN_ADDRESS : Infinity
    for (const unit of UNITS) {
      for (const ladder of LADDERS) {
        const steps = await climb(unit, ladder, { most, normal, point, operation, context })
        const last = steps.at(-1)
        if (last === undefined || !growsFaster(steps.map(({ ms }) => ms))) continue
        // a text of that length which fits, or is refused at once, takes no time
        const other = await ask(mixed(last.length, context), { normal, point, operation, context })
        const again = await ask(textOf(unit, last.length), { normal, point, operation, context })
        if (other === null || again === null || other.ms > ENOUGH / 3 || again.ms < ENOUGH / 2) continue
        const told = steps.slice(-3).map(({ length, ms }) => `${length} characters ${Math.round(ms)} ms`)
        return {
          detail: `The time grows faster than the text: ${told.join(', ')}; another text of the last length takes ${Math.round(other.ms)} ms.`,
          proof: [],
          exchange: again.exchange,
        }
      }
    }
    return null
  },
}

type Asking = { normal: number; point: Point; operation: Operation; context: Context }
type Step = { length: number; ms: number; exchange: Exchange }

/** Longer and longer, until an answer takes long enough. */
async function climb(unit: string, ladder: readonly number[], asking: Asking & { most: number }): Promise<Step[]> {
  const steps: Step[] = []
  for (const length of ladder.filter((one) => one <= asking.most)) {
    const step = await ask(textOf(unit, length), asking)
    if (step === null || step.exchange.answer.status === 414 || step.exchange.answer.status === 431) break
    steps.push({ ...step, length })
    if (step.ms >= ENOUGH) break
  }
  return steps
}

/** The shorter of two times where it tells anything: engines are slow at first, and machines have other work. */
async function ask(value: string, asking: Asking): Promise<Omit<Step, 'length'> | null> {
  const first = await askOnce(value, asking)
  if (first === null || first.ms < FLOOR) return first
  const second = await askOnce(value, asking)
  return second !== null && second.ms < first.ms ? second : first
}

async function askOnce(value: string, { normal, point, operation, context }: Asking) {
  const exchange = await context.attempt(operation, [{ point, value }], { isAlone: true, timeout: 15_000 })
  return exchange && { exchange, ms: Math.max(0, exchange.answer.ms - normal) }
}

/** The last three: each step takes more than its share longer, and the last one long enough. */
export function growsFaster(times: readonly number[]): boolean {
  const [first, second, third] = times.slice(-3)
  if (first === undefined || second === undefined || third === undefined || third < ENOUGH) return false
  return second > GROWTH * Math.max(first, FLOOR / GROWTH) && third > GROWTH * second
}

const textOf = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + END

const mixed = (length: number, context: Context): string => {
  let text = ''
  while (text.length < length) text += `${context.word()} `
  return text.slice(0, length)
}
