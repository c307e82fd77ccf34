// Whether response times follow a payload: several requests with different delays, judged by linear regression.

import type { Context } from './check.ts'
import type { Exchange, Operation, Point } from './types.ts'

type Delayed = { exchange: Exchange; seconds: number }

/** The delays in seconds that payloads may request: at most one second unless the profile is DEEP. */
const longest = (context: Context) => (context.profile === 'DEEP' ? 3 : 1)

/**
 * Null at the first response that comes too early, so that most payloads cost one request. Long and short delays alternate; the times
 * must lie on a line of slope 1 (within 0.3) with a correlation over 0.95.
 */
export async function waitsAsAsked(
  payload: (seconds: number) => string,
  point: Point,
  operation: Operation,
  context: Context,
): Promise<Delayed | null> {
  const long = longest(context)
  const baseline = await context.baseline(operation)
  if (!baseline || baseline.exchange.answer.ms > long * 500) return null
  const ask = async (seconds: number, isAlone: boolean) => {
    const exchange = await context.attempt(operation, [{ point, value: payload(seconds) }], {
      isAlone,
      timeout: 10_000,
    })
    return exchange && { exchange, ms: exchange.answer.ms }
  }
  const first = await ask(long, false)
  if (!first || first.ms < long * 900) return null
  const points: { x: number; y: number }[] = []
  let proof: Exchange | null = null
  for (const seconds of [0, long, long / 2, 0, long]) {
    const asked = await ask(seconds, true)
    if (!asked || asked.ms < seconds * 950 || (seconds === 0 && asked.ms > long * 500)) return null
    points.push({ x: seconds, y: asked.ms / 1000 })
    if (seconds === long) proof = asked.exchange
  }
  const { slope, correlation } = lineThrough(points)
  return proof && Math.abs(slope - 1) <= 0.3 && correlation >= 0.95 ? { exchange: proof, seconds: long } : null
}

/** Fits a line by least squares, and computes Pearson's correlation. */
function lineThrough(points: readonly { x: number; y: number }[]): { slope: number; correlation: number } {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [mx, my] = [mean(({ x }) => x), mean(({ y }) => y)]
  const xy = points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0)
  const xx = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0)
  const yy = points.reduce((sum, { y }) => sum + (y - my) ** 2, 0)
  return { slope: xx === 0 ? 0 : xy / xx, correlation: xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy) }
}
