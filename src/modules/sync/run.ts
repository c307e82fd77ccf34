// Synchronises one integration: asks its tracker what has changed, creates the cards that are wanted, and settles all that is due.

import type { TrackerPlace } from '../../connectors/tracker.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { openForWork, placeOfConfiguration } from '../integrations/service.ts'
import { exchange, isStopping, isVendorTrouble, type Run } from './exchange.ts'
import { settleItem } from './settle.ts'
import * as store from './store.ts'
import * as polls from './store-polls.ts'

/** Items of one run; what is left is for the next, which a minute brings. */
const MOST_LOOKS = 500
const BATCH = 50
/** New cards, and looks at what nobody looked at for a day, of one run. */
const MOST_NEW = 200
const MOST_FORGOTTEN = 50
/** Milliseconds by which questions of what changed overlap, for clocks that differ and lists that lag. */
const OVERLAP = 120_000

/** Null when the integration is gone, has no credential or one that is refused, or is no tracker. */
async function openRun(parts: Run['parts'], companyId: Id, integrationId: Id): Promise<Run | null> {
  try {
    const { connector, session } = await openForWork(parts, companyId, integrationId)
    return connector.tracker ? { parts, companyId, integrationId, tracker: connector.tracker, session } : null
  } catch (error) {
    if (error instanceof ApplicationError && error.code === 'FAILED_PRECONDITION') return null
    throw error
  }
}

/** Safe to run twice. `isPolling`: the tracker is asked what changed, too. */
export async function syncIntegration(parts: Run['parts'], companyId: Id, integrationId: Id): Promise<void> {
  const run = await openRun(parts, companyId, integrationId)
  if (run === null) return
  if (!(await poll(run))) return
  let looks = 0
  while (looks < MOST_LOOKS) {
    const due = await store.findDue(parts.db, companyId, integrationId, BATCH)
    for (const id of due) {
      if (!(await settleItem(run, id))) return
    }
    looks += due.length
    if (due.length < BATCH) return
  }
}

/** Returns whether the tracker can be asked further things now. */
async function poll(run: Run): Promise<boolean> {
  const { db } = run.parts
  const { companyId, integrationId } = run
  const configurations = await polls.findPolled(db, companyId, integrationId)
  const known = await polls.findKnownIds(db, companyId, integrationId)
  for (const configuration of configurations) {
    if (configuration.createFrom !== null) await polls.insertWanted(db, companyId, configuration.id, MOST_NEW)
    try {
      const newest = known.size === 0 ? null : await askChanges(run, configuration, known)
      await polls.updatePolled(db, companyId, configuration.id, { newest, isSeen: true })
    } catch (error) {
      if (!isVendorTrouble(error)) throw error
      await polls.updatePolled(db, companyId, configuration.id, { newest: null, isSeen: false })
      if (isStopping(error)) return false
    }
  }
  await store.askForgotten(db, companyId, integrationId, MOST_FORGOTTEN)
  return true
}

/** From when on what changed is asked for, where all was seen until then. */
export const sinceOf = (seenUntil: string): string => new Date(Date.parse(seenUntil) - OVERLAP).toISOString()

const wordsOf = ({ project, board, list }: polls.Polled): string =>
  `What changed in ${list?.name ?? `${project?.name} / ${board?.name}`}`

/** Asks for looks at what changed; returns when the newest of it did. */
async function askChanges(run: Run, configuration: polls.Polled, known: ReadonlySet<string>): Promise<string | null> {
  const said = { action: 'POLL' as const, request: wordsOf(configuration) }
  const { newest } = await exchange(
    run,
    null,
    said,
    () => noteChanges(run, configuration, known),
    ({ count }) => `${count} changed`,
  )
  return newest
}

async function noteChanges(run: Run, configuration: polls.Polled, known: ReadonlySet<string>) {
  const { tracker, session, companyId, integrationId } = run
  const place: TrackerPlace = placeOfConfiguration(configuration)
  const since = sinceOf(configuration.seenUntil)
  let newest: string | null = null
  let count = 0
  for await (const items of tracker.changedSince(session, place, since, (id) => known.has(id))) {
    await store.askChanged(run.parts.db, companyId, integrationId, items)
    count += items.length
    for (const { at } of items) if (newest === null || Date.parse(at) > Date.parse(newest)) newest = at
  }
  return { newest, count }
}
