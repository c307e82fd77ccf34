// The live events of companies for followers on this node: announced through LISTEN, and read once for all followers.

import { setTimeout as delay } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import { type Event, findBounds, listEvents } from './store.ts'

/** The relay's NOTIFY channel; the payload names companies, or is `*` for all. */
export const FEED_CHANNEL = 'merlon_events'

/** Events cached per company; a follower that is further behind reads the database. */
const AT_HAND = 1_000
const PAGE = 200
/** Milliseconds until a lost connection is reopened, and after which followers poll without a notification. */
const PAUSE = 1_000
const LOOK_ANYWAY = 15_000

export type Feed = {
  /**
   * The endless stream of a company's events after a position, of kinds that start with `prefix`. Events are read on demand, so a slow reader
   * delays nobody. Ends with `signal`.
   */
  follow(companyId: Id, after: number, prefix: string, signal: AbortSignal): AsyncGenerator<Event>
  close(): Promise<void>
}

type Followed = {
  companyId: Id
  followers: number
  /** `events` has everything after `from` up to `to` */
  events: Event[]
  from: number
  to: number
  isStale: boolean
  reading: Promise<void> | null
  waiting: Set<() => void>
}

export function openFeed(pool: Pool, db: Db, log: Log): Feed {
  const companies = new Map<Id, Followed>()
  const closing = new AbortController()
  let listening: Promise<void> | null = null

  const look = (followed: Followed) => {
    followed.isStale = true
    followed.reading ??= readOn(followed).finally(() => {
      followed.reading = null
    })
  }
  const lookAtAll = () => {
    for (const followed of companies.values()) look(followed)
  }
  const lookAt = (told: string) => {
    if (told === '*') return lookAtAll()
    for (const id of told.split(' ')) {
      const followed = companies.get(id)
      if (followed) look(followed)
    }
  }

  const readOn = async (followed: Followed) => {
    while (followed.isStale && followed.followers > 0 && !closing.signal.aborted) {
      followed.isStale = false
      try {
        const { companyId, to } = followed
        const news = await listEvents(db, companyId, { after: to, kinds: ['*'], most: AT_HAND })
        append(followed, news)
        if (news.length === AT_HAND) followed.isStale = true
      } catch (err) {
        log.warn({ err }, 'Events could not be read; another attempt follows')
        followed.isStale = true
        await delay(PAUSE, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  const anyway = setInterval(lookAtAll, LOOK_ANYWAY)
  anyway.unref()

  const open = async (companyId: Id): Promise<Followed> => {
    const known = companies.get(companyId)
    if (known) return known
    const { end } = await findBounds(db, companyId)
    const raced = companies.get(companyId)
    if (raced) return raced
    const made: Followed = {
      companyId,
      followers: 0,
      events: [],
      from: end,
      to: end,
      isStale: false,
      reading: null,
      waiting: new Set(),
    }
    companies.set(companyId, made)
    return made
  }

  return {
    async *follow(companyId, after, prefix, given) {
      listening ??= listen(pool, log, lookAt, closing.signal)
      const signal = AbortSignal.any([given, closing.signal])
      const followed = await open(companyId)
      followed.followers += 1
      companies.set(companyId, followed)
      look(followed)
      try {
        let at = after
        while (!signal.aborted) {
          if (at < followed.from) {
            const upTo = followed.from
            const page = await listEvents(db, companyId, { after: at, upTo, kinds: [`${prefix}*`], most: PAGE })
            for (const event of page) {
              yield event
              at = event.sequence
            }
            if (page.length < PAGE) at = Math.max(at, upTo)
            continue
          }
          const next = firstAfter(followed.events, at)
          if (next === undefined) {
            await news(followed, signal)
            continue
          }
          at = next.sequence
          if (next.kind.startsWith(prefix)) yield next
        }
      } finally {
        followed.followers -= 1
        if (followed.followers === 0 && companies.get(companyId) === followed) companies.delete(companyId)
      }
    },
    async close() {
      closing.abort()
      clearInterval(anyway)
      await listening
    },
  }
}

/** Listens for the relay's notifications on a connection of its own, which is reopened when lost; ends with the signal. */
async function listen(pool: Pool, log: Log, onTold: (companies: string) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client(pool.options)
    const lost = new Promise((resolve) => client.once('end', resolve).on('error', () => {}))
    const end = () => void client.end().catch(() => {})
    signal.addEventListener('abort', end, { once: true })
    try {
      await client.connect()
      client.on('notification', ({ payload = '*' }) => onTold(payload))
      await client.query(`listen ${FEED_CHANNEL}`)
      onTold('*')
      if (!signal.aborted) await lost
    } catch (err) {
      log.debug({ err }, 'The connection that hears of events was lost')
    }
    signal.removeEventListener('abort', end)
    await client.end().catch(() => {})
    await delay(PAUSE, undefined, { signal }).catch(() => {})
  }
}

function append(followed: Followed, news: readonly Event[]): void {
  followed.events.push(...news)
  followed.to = followed.events.at(-1)?.sequence ?? followed.to
  const dropped = followed.events.splice(0, Math.max(0, followed.events.length - AT_HAND))
  followed.from = dropped.at(-1)?.sequence ?? followed.from
  if (news.length === 0) return
  const waiting = [...followed.waiting]
  followed.waiting.clear()
  for (const wake of waiting) wake()
}

/** Resolves at the next notification, or when the signal aborts. */
const news = (followed: Followed, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      followed.waiting.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', done, { once: true })
    followed.waiting.add(done)
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
