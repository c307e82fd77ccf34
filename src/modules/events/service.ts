// Events: who may read and follow them, and how another module adds one.

import type { Trx } from '../../core/db/open.ts'
import { decodeCursor, encodeCursor } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { authorize } from '../access/service.ts'
import type { Context } from '../context.ts'
import { lastingKinds, readKinds, type Thing } from './kinds.ts'
import { type Event, findBounds, insertOutbox, listEvents, listLasting, type NewEvent } from './store.ts'

export { pauseAfter } from './backoff.ts'
export { createChannel, deleteChannel, listChannels, shownTarget, testChannel, updateChannel } from './channels.ts'
export { JUDGE_ALL_TASK, JUDGE_TASK } from './relay.ts'
export type { Event } from './store.ts'
export {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.ts'

const MOST_EVENTS = 1_000

/** The permission that each object's events need. */
const actions = {
  issue: 'issues:read',
  deploy: 'deploys:read',
  import: 'issues:read',
  scan: 'scans:read',
  integration: 'integrations:read',
  delivery: 'webhooks:read',
} as const satisfies Record<Thing, string>

/** Writes an event in the transaction of its change; most events are written by database triggers. */
export const tell = (trx: Trx, event: NewEvent): Promise<void> => insertOutbox(trx, event)

export const cursorOf = ({ sequence }: Event): string => encodeCursor([sequence])

/** The position that a cursor names; BAD_USER_INPUT if it is malformed. */
function readCursor(after: string): number {
  const [place] = decodeCursor(after, 1)
  if (typeof place !== 'number' || !Number.isSafeInteger(place) || place < 0) {
    throw badUserInput('after is not a cursor of events', 'after')
  }
  return place
}

/** The position to continue from; FAILED_PRECONDITION if it is so old that later events have been deleted. */
async function placeOf(context: Context, companyId: Id, after: string): Promise<number> {
  const place = readCursor(after)
  const { horizon } = await findBounds(context.db, companyId)
  if (place >= horizon) return place
  throw failedPrecondition('Events after this cursor are no longer kept; begin without one')
}

/** The stored events of a company, in order, after a cursor. Events about deliveries go to subscribers only. */
export async function readEvents(
  context: Context,
  companyId: Id,
  { after, kinds, since, limit }: EventsAsked,
): Promise<Event[]> {
  await authorize(context, 'issues:read', companyId)
  if (limit < 1) throw badUserInput('limit is at least 1', 'limit')
  if (since !== null) return readLasting(context, companyId, { after, kinds, since, limit })
  const wanted =
    kinds === null ? ['issue.*', 'deploy.*', 'import.*', 'scan.*', 'integration.*'] : readKinds(kinds, 'kinds')
  const place =
    after === null ? (await findBounds(context.db, companyId)).horizon : await placeOf(context, companyId, after)
  const all = wanted.includes('*') ? ['issue.*', 'deploy.*', 'import.*', 'scan.*', 'integration.*'] : wanted
  return listEvents(context.db, companyId, { after: place, kinds: all, most: Math.min(limit, MOST_EVENTS) })
}

type EventsAsked = { after: string | null; kinds: readonly string[] | null; since: string | null; limit: number }

/** BAD_USER_INPUT for kinds that are not kept longer than others, or together with a cursor. */
async function readLasting(context: Context, companyId: Id, asked: EventsAsked & { since: string }): Promise<Event[]> {
  const { after, since, limit } = asked
  if (after !== null) throw badUserInput('since and after cannot be combined', 'since')
  const kinds = asked.kinds ?? lastingKinds
  if (!kinds.every((kind) => lastingKinds.some((one) => one === kind))) {
    throw badUserInput(`With since the kinds are of ${lastingKinds.join(', ')}`, 'kinds')
  }
  return listLasting(context.db, companyId, { since, kinds, most: Math.min(limit, MOST_EVENTS) })
}

/** Passes as long as the viewer may see events of this kind in the company. */
export const authorizeThing = (context: Context, thing: Thing, companyId: Id): Promise<void> =>
  authorize(context, actions[thing], companyId)

/** The endless stream of events of one object kind: after a cursor, or from now on. */
export async function followEvents(
  context: Context,
  thing: Thing,
  companyId: Id,
  after: string | null,
): Promise<AsyncIterableIterator<Event>> {
  await authorizeThing(context, thing, companyId)
  const place =
    after === null ? (await findBounds(context.db, companyId)).end : await placeOf(context, companyId, after)
  return endable((signal) => context.feed.follow(companyId, place, `${thing}.`, signal))
}

/** An iterator that ends as soon as its reader leaves, even while it waits for the next event. */
function endable(open: (signal: AbortSignal) => AsyncGenerator<Event>): AsyncIterableIterator<Event> {
  const leaving = new AbortController()
  const events = open(leaving.signal)
  const iterator: AsyncIterableIterator<Event> = {
    next: () => events.next(),
    return: () => {
      leaving.abort()
      return events.return(undefined)
    },
    throw: (error: unknown) => {
      leaving.abort()
      return events.throw(error)
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}
