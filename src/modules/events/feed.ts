// The live events of companies for followers on this node: announced through LISTEN, and read once for all followers.

import { setTimeout as delay } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import { openRecentEvents, type RecentEvents } from './recent-events.ts'
import { type Event, findBounds, listEvents } from './store.ts'

/** The relay's NOTIFY channel; the payload names companies, or is `*` for all. */
export const FEED_CHANNEL = 'merlon_events'

/** Events read at once for a follower that is too far behind for those at hand. */
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

export function openFeed(pool: Pool, db: Db, log: Log): Feed {
  const companies = new Map<Id, RecentEvents>()
  const closing = new AbortController()
  let listening: Promise<void> | null = null

  const lookAtAll = () => {
    for (const recent of companies.values()) recent.look()
  }
  const lookAt = (told: string) => {
    if (told === '*') return lookAtAll()
    for (const id of told.split(' ')) companies.get(id)?.look()
  }

  const anyway = setInterval(lookAtAll, LOOK_ANYWAY)
  anyway.unref()

  const open = async (companyId: Id): Promise<RecentEvents> => {
    const known = companies.get(companyId)
    if (known) return known
    const { end } = await findBounds(db, companyId)
    const raced = companies.get(companyId)
    if (raced) return raced
    const made = openRecentEvents(db, companyId, end, { log, signal: closing.signal })
    companies.set(companyId, made)
    return made
  }

  return {
    async *follow(companyId, after, prefix, given) {
      listening ??= listen(pool, log, lookAt, closing.signal)
      const signal = AbortSignal.any([given, closing.signal])
      const recent = await open(companyId)
      recent.followers += 1
      companies.set(companyId, recent)
      recent.look()
      try {
        yield* eventsAfter(after, { db, companyId, recent, prefix, signal })
      } finally {
        recent.followers -= 1
        if (recent.followers === 0 && companies.get(companyId) === recent) companies.delete(companyId)
      }
    },
    async close() {
      closing.abort()
      clearInterval(anyway)
      await listening
    },
  }
}

type Following = { db: Db; companyId: Id; recent: RecentEvents; prefix: string; signal: AbortSignal }

/** Events after a position without end: from the database as long as it is too far behind, then as they come. */
async function* eventsAfter(position: number, following: Following): AsyncGenerator<Event> {
  const { db, companyId, recent, prefix, signal } = following
  let at = position
  while (!signal.aborted) {
    const upTo = recent.from()
    if (at < upTo) {
      const page = await listEvents(db, companyId, { after: at, upTo, kinds: [`${prefix}*`], most: PAGE })
      for (const event of page) {
        yield event
        at = event.sequence
      }
      if (page.length < PAGE) at = Math.max(at, upTo)
      continue
    }
    const next = recent.firstAfter(at)
    if (next === undefined) {
      await recent.news(signal)
      continue
    }
    at = next.sequence
    if (next.kind.startsWith(prefix)) yield next
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
