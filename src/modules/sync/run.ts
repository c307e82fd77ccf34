// Synchronises one integration: asks its tracker for changes, creates wanted cards, and settles every item that is due.

import type { TrackerPlace } from '../../connectors/tracker.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { openForWork, placeOfConfiguration } from '../integrations/service.ts'
import { exchange, isStopping, isVendorTrouble, type Run } from './exchange.ts'
import { settleItem } from './settle.ts'
import * as store from './store.ts'
import * as polls from './store-polls.ts'

/** The most items settled in one run; the rest follow in the next, a minute later. */
const MOST_LOOKS = 500
const BATCH = 50
/** The most new cards in one run, and the most items settled because a day has passed. */
const MOST_NEW = 200
const MOST_FORGOTTEN = 50
/** Milliseconds by which polls for changes overlap, because clocks differ and lists lag. */
const OVERLAP = 120_000

/** Null if the integration is gone, is not a tracker, or has no credential or a refused one. */
async function openRun(parts: Run['parts'], companyId: Id, integrationId: Id): Promise<Run | null> {
  try {
    const { connector, session } = await openForWork(parts, companyId, integrationId)
    return connector.tracker ? { parts, companyId, integrationId, tracker: connector.tracker, session } : null
  } catch (error) {
    if (error instanceof ApplicationError && error.code === 'FAILED_PRECONDITION') return null
    throw error
  }
}

/** Safe to run twice. */
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

/** Returns whether further requests to the tracker make sense now. */
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

/** The time from which to ask for changes, overlapping with what was seen. */
export const sinceOf = (seenUntil: string): string => new Date(Date.parse(seenUntil) - OVERLAP).toISOString()

const wordsOf = ({ project, board, list }: polls.Polled): string =>
  `What changed in ${list?.name ?? `${project?.name} / ${board?.name}`}`

/** Schedules looks at the cards that changed; returns the time of the newest change. */
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
