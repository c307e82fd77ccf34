// Spans of time that end now, as filters name them, so that a saved link means the same span on any day.

import { agoInFull } from './words.ts'

const DAY = 86_400_000

const days = { today: 0, '7d': 7, '30d': 30, '90d': 90 } as const

type Span = keyof typeof days

export const spans = Object.keys(days) as readonly Span[]

export const isSpan = (text: string): text is Span => Object.hasOwn(days, text)

/** The start of a span in ISO 8601; `today` starts at midnight in the user's time zone. A moment is returned as it is. */
export function startOf(since: string, now = Date.now()): string {
  if (!isSpan(since)) return since
  return new Date(since === 'today' ? new Date(now).setHours(0, 0, 0, 0) : now - days[since] * DAY).toISOString()
}

/** `today`, `last 7 days`, `since 3 hours ago`. */
export function sinceWords(since: string, now = Date.now()): string {
  if (since === 'today') return since
  return isSpan(since) ? `last ${days[since]} days` : `since ${agoInFull(Date.parse(since), now)}`
}
