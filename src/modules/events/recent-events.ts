// The latest events of one company, read from the database once for all who follow it on this node.

import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import { type Event, listEvents } from './store.ts'

/** Events cached per company; a follower that is further behind reads the database. */
const AT_HAND = 1_000
/** Milliseconds between two attempts to read what could not be read. */
const PAUSE = 1_000

export type RecentEvents = {
  /** How many follow; without one nothing is read. */
  followers: number
  /** The position after which every event is at hand. */
  from(): number
  /** Reads what is new; returns at once. */
  look(): void
  /** The first event at hand after a position. */
  firstAfter(position: number): Event | undefined
  /** Resolves when there are new events, or when the signal aborts. */
  news(signal: AbortSignal): Promise<void>
}

/** `end` is the position of the company's last event; reading stops for good when `signal` aborts. */
export function openRecentEvents(
  db: Db,
  companyId: Id,
  end: number,
  { log, signal }: { log: Log; signal: AbortSignal },
): RecentEvents {
  /** Everything after `from` up to `to`. */
  const events: Event[] = []
  let from = end
  let to = end
  let isStale = false
  let isReading = false
  const waiting = new Set<() => void>()

  const append = (news: readonly Event[]) => {
    events.push(...news)
    to = events.at(-1)?.sequence ?? to
    const dropped = events.splice(0, Math.max(0, events.length - AT_HAND))
    from = dropped.at(-1)?.sequence ?? from
    if (news.length === 0) return
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  const readOn = async () => {
    isReading = true
    while (isStale && recent.followers > 0 && !signal.aborted) {
      isStale = false
      try {
        const news = await listEvents(db, companyId, { after: to, kinds: ['*'], most: AT_HAND })
        append(news)
        if (news.length === AT_HAND) isStale = true
      } catch (err) {
        log.warn({ err }, 'Events could not be read; another attempt follows')
        isStale = true
        await delay(PAUSE, undefined, { signal }).catch(() => {})
      }
    }
    isReading = false
  }

  const recent: RecentEvents = {
    followers: 0,
    from: () => from,
    look() {
      isStale = true
      if (!isReading) void readOn()
    },
    firstAfter: (position) => firstAfter(events, position),
    news: (given) => wait(waiting, given),
  }
  return recent
}

/** Resolves when it is woken, or when the signal aborts. */
const wait = (waiting: Set<() => void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      waiting.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', done, { once: true })
    waiting.add(done)
  })

/** The first event after a position, in an ordered list. */
function firstAfter(events: readonly Event[], at: number): Event | undefined {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.sequence ?? 0) > at) high = middle
    else low = middle + 1
  }
  return events[low]
}
