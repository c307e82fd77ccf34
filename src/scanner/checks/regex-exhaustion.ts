// Checks for catastrophic regular expressions by how time grows with the text. Slows the target, so it runs on request only.

import type { Context, PointCheck } from '../check.ts'
import { takesText } from '../probing.ts'
import type { Exchange, Operation, Point } from '../types.ts'

/** What is repeated, before an end that fits nothing. */
const UNITS = ['a', '0', ' ', 'a.', '-', 'a@', 'A0', '/']
const END = '\u00a1!'

/**
 * Characters. The steps are short as long as the time may double with every character, or with each third one: none leaps
 * from what takes no time to what never ends. Further up the time grows with a power.
 */
const LADDER = [
  12, 15, 18, 21, 24, 27, 30, 34, 38, 43, 48, 54, 60, 70, 80, 95, 110, 125, 250, 500, 1_000, 2_000, 4_000, 8_000,
  16_000, 32_000,
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
  title: 'Regular expression denial of service (ReDoS)',
  cwes: [1333, 400],
  severity: 'MEDIUM',
  solution:
    'Limit the length of the input first, and write the expression so that it can match in one way only, or use a linear-time engine.',
  profile: 'DEEP',
  isOnRequest: true,
  accepts: (point) => takesText(point) && typeof point.value === 'string',
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (baseline === null) return null
    const normal = Math.max(baseline.exchange.answer.ms, baseline.again.answer.ms)
    const most = ['query', 'path', 'header', 'cookie'].includes(point.place) ? LONGEST_IN_ADDRESS : Infinity
    for (const unit of UNITS) {
      const { steps, isSilent } = await climb(unit, { most, normal, point, operation, context })
      if (isSilent) {
        await untilAnswered(operation, context)
        return null
      }
      const last = steps.at(-1)
      const leaps = leapsIn(steps)
      if (last === undefined || leaps === null) continue
      // a text of that length which fits, or is refused at once, takes no time
      const other = await ask(mixed(last.length, context), { normal, point, operation, context })
      const again = await ask(textOf(unit, last.length), { normal, point, operation, context })
      if (other === null || again === null || other.ms > ENOUGH / 3 || again.ms < ENOUGH / 2) continue
      const told = leaps.map(({ length, ms }) => `${length} characters ${Math.round(ms)} ms`)
      return {
        detail: `The response time grows faster than the input: ${told.join(', ')}; another input of the last length takes ${Math.round(other.ms)} ms.`,
        proof: [],
        exchange: again.exchange,
      }
    }
    return null
  },
}

type Asking = { normal: number; point: Point; operation: Operation; context: Context }
type Step = { length: number; ms: number; exchange: Exchange }

/** Longer and longer, until an answer takes long enough, or none comes. */
async function climb(unit: string, asking: Asking & { most: number }): Promise<{ steps: Step[]; isSilent: boolean }> {
  const steps: Step[] = []
  for (const length of LADDER.filter((one) => one <= asking.most)) {
    const step = await ask(textOf(unit, length), asking)
    if (step === null) return { steps, isSilent: true }
    if (step.exchange.answer.status === 414 || step.exchange.answer.status === 431) break
    steps.push({ ...step, length })
    if (step.ms >= ENOUGH) break
  }
  return { steps, isSilent: false }
}

/** Asks as usual: what waits for a target that fell silent looks at such questions. */
async function untilAnswered(operation: Operation, context: Context): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) if ((await context.attempt(operation)) !== null) return
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

/**
 * The last step and two before it, each of which takes more than its share longer than the one before while the text at most
 * doubles; null where the time does not grow so.
 */
export function leapsIn<One extends { length: number; ms: number }>(steps: readonly One[]): One[] | null {
  const last = steps.at(-1)
  if (last === undefined || last.ms < ENOUGH) return null
  const leaps = [last]
  for (let from = last; leaps.length < 3; ) {
    const least = leaps.length === 1 ? FLOOR : 0
    const before = steps.findLast(
      ({ length, ms }) => length < from.length && ms * GROWTH < Math.max(from.ms, FLOOR) && ms >= least,
    )
    if (before === undefined || before.length * 2.1 < from.length) return null
    leaps.unshift(before)
    from = before
  }
  return leaps
}

const textOf = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + END

const mixed = (length: number, context: Context): string => {
  let text = ''
  while (text.length < length) text += `${context.word()} `
  return text.slice(0, length)
}
