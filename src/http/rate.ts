// Rate limits: a number of requests per minute and key, counted in each process by a leaky bucket.

import type { FastifyReply } from 'fastify'
import { ApplicationError } from '../core/errors.ts'

export type RateLimit = {
  /** Counts one request; null if it is within the limit, else the seconds to wait, rounded up. */
  take(key: string): number | null
}

const MOST_REMEMBERED = 100_000

type Bucket = { level: number; at: number }

/** Up to `perMinute` requests may come at once; the bucket then empties evenly over a minute. */
export function openRateLimit(perMinute: number, now: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, Bucket>()
  const perMillisecond = perMinute / 60_000

  return {
    take(key) {
      const at = now()
      const bucket = buckets.get(key) ?? { level: 0, at }
      const level = Math.max(0, bucket.level - (at - bucket.at) * perMillisecond)
      if (level + 1 > perMinute) return Math.max(1, Math.ceil((level + 1 - perMinute) / perMillisecond / 1000))
      if (buckets.size >= MOST_REMEMBERED) buckets.clear()
      buckets.set(key, { level: level + 1, at })
      return null
    },
  }
}

/** Counts one request; throws RATE_LIMITED, with the header `retry-after`, if it exceeds the limit. */
export function requireRate(rates: RateLimit, key: string, reply: FastifyReply, message: string): void {
  const seconds = rates.take(key)
  if (seconds === null) return
  reply.header('retry-after', String(seconds))
  throw new ApplicationError('RATE_LIMITED', message)
}
