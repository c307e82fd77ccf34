// Settles one finding and its card: creates, reads or moves the card, or moves the finding as the card says.

import { VendorFailed, VendorRefused } from '../../connectors/errors.ts'
import type { Item, TrackerPlace } from '../../connectors/tracker.ts'
import { transaction, violates } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import { pauseAfter } from '../events/service.ts'
import { placeOfConfiguration } from '../integrations/service.ts'
import { lockIssues, recordOutsideWord } from '../issues/service.ts'
import { newItem } from './card.ts'
import { exchange, isStopping, isVendorTrouble, note, type Run } from './exchange.ts'
import { mappingsOf } from './mapping.ts'
import { type Action, firstStateFor, reconcile } from './reconcile.ts'
import * as store from './store.ts'

/** How often a look restarts because of concurrent changes before it is postponed. */
const MOST_ROUNDS = 3

/** Returns whether further requests to the tracker make sense now. Failures are stored and retried later. */
export async function settleItem(run: Run, id: Id): Promise<boolean> {
  const work = await store.findWork(run.parts.db, run.companyId, id)
  if (!work || work.asked <= work.answered) return true
  try {
    await look(run, work)
    return true
  } catch (error) {
    if (!isVendorTrouble(error)) throw error
    const isLater = error instanceof VendorFailed || isStopping(error) || error.kind === 'CONFLICT'
    const seconds = isLater ? pauseAfter(work.attempts + 1, error.retryAfterSeconds ?? null) : null
    await store.updateFailed(run.parts.db, work, error.message, seconds)
    return !isStopping(error)
  }
}

async function look(run: Run, work: store.Work): Promise<void> {
  const { db } = run.parts
  const finish = (failure: string | null) => store.updateLooked(db, work, { failure })
  if (work.state === 'DELETED') return finish(DELETED)
  if (work.isMerged) return finish('The finding was merged into another; the card is left as it is')
  const { configuration } = work
  if (configuration === null) return finish('No board or list is configured for the asset any more')
  if (work.externalId === null) return create(run, work, configuration)
  const { place, externalId } = work
  if (place === null) throw new Error('A card that was made has a place')
  await follow(run, work, await read(run, work, place, externalId), 1)
}

const read = (run: Run, work: store.Work, place: TrackerPlace, externalId: string): Promise<Item | null> =>
  exchange(
    run,
    work,
    { action: 'READ', request: externalId },
    () => run.tracker.readItem(run.session, place, externalId),
    (item) => (item === null ? 'Not found' : `${item.state}, revision ${item.revision}`),
  )

const DELETED = 'The card was deleted in the tracker, or may not be seen any more; it is not made again by itself'

async function create(run: Run, work: store.Work, configuration: NonNullable<store.Work['configuration']>) {
  const { db, config } = run.parts
  if (!openStatuses.includes(work.status) && work.agreedState === null) {
    return store.updateLooked(db, work, { failure: `The finding is ${work.status}; it gets a card once it is open` })
  }
  const mappings = mappingsOf(configuration)
  const place = work.place ?? placeOfConfiguration(configuration)
  const state = work.agreedState ?? firstStateFor(mappings, work.status) ?? ''
  const status = work.agreedStatus ?? work.status
  if (work.agreedState === null) await store.updatePlan(db, work, place, { status, state })
  const asked = newItem(work, await store.findTold(db, work), place, state, configuration, config)
  const said = { action: 'CREATE' as const, request: `“${asked.title}” as ${state}, marked ${asked.key}` }
  const made = await exchange(
    run,
    work,
    said,
    () => run.tracker.createItem(run.session, asked),
    ({ item, isFound }) => `${isFound ? 'Already there' : 'Created'}: ${item.id}, ${item.state}`,
  )
  const { item, refused } = made
  const agreed = { status, state: refused === null ? state : item.state }
  const linked = {
    ...work,
    state: 'LINKED' as const,
    place,
    externalId: item.id,
    agreedStatus: status,
    agreedState: agreed.state,
  }
  await store
    .updateLooked(db, work, { state: 'LINKED', place, item, agreed, failure: refused })
    .catch(async (error: unknown) => {
      if (!violates(error, 'work_item_company_id_integration_id_external_id_key')) throw error
      await store.updateFailed(
        db,
        work,
        'The card with this finding’s mark belongs to another finding; remove the mark',
        null,
      )
    })
  if (reconcile(work.status, item.state, agreed, mappings).kind !== 'NOTHING') await follow(run, linked, item, 1)
}

async function follow(run: Run, work: store.Work, item: Item | null, round: number): Promise<void> {
  const { db } = run.parts
  const tell = async (state: 'DELETED' | 'MOVED', reason: string) => {
    const said = { action: 'READ', request: work.externalId, outcome: 'REFUSED', answer: null, duration: 0 } as const
    if (work.state !== state) await note(run, work, { ...said, reason })
    await store.updateLooked(db, work, { state, failure: reason, ...(item && { item }) })
  }
  if (item === null) return tell('DELETED', DELETED)
  if (!item.isInPlace)
    return tell('MOVED', 'The card was moved to another project or list; it is not synchronised there')
  const { configuration, agreedStatus, agreedState } = work
  if (configuration === null) return
  const agreed = {
    // a forgotten status is sent again
    status: agreedStatus ?? (work.status === 'DRAFT' ? 'CREATED' : 'DRAFT'),
    state: agreedStatus === null ? item.state : (agreedState ?? item.state),
  }
  const action = reconcile(work.status, item.state, agreed, mappingsOf(configuration))
  await act(run, work, item, action, round)
}

async function act(run: Run, work: store.Work, item: Item, action: Action, round: number): Promise<void> {
  const { db } = run.parts
  const now = { status: work.status, state: item.state }
  const looked = { state: 'LINKED' as const, item, failure: null }
  switch (action.kind) {
    case 'NOTHING':
      return store.updateLooked(db, work, looked)
    case 'AGREE':
      return store.updateLooked(db, work, { ...looked, agreed: now })
    case 'SKIP': {
      const said = { action: 'NONE', request: null, answer: item.state, duration: 0 } as const
      await note(run, work, { ...said, outcome: 'SKIPPED', reason: action.reason })
      return store.updateLooked(db, work, { ...looked, agreed: now, failure: action.reason })
    }
    case 'PUSH':
      return push(run, work, item, action, round)
    case 'PULL':
      return pull(run, work, item, action, round)
  }
}

async function again(run: Run, work: store.Work, round: number, error: VendorRefused): Promise<void> {
  if (round >= MOST_ROUNDS) throw error
  const anew = await store.findWork(run.parts.db, work.companyId, work.id)
  if (!anew?.externalId || !anew.place) return
  await follow(run, anew, await read(run, anew, anew.place, anew.externalId), round + 1)
}

async function push(run: Run, work: store.Work, item: Item, action: Extract<Action, { kind: 'PUSH' }>, round: number) {
  const { db } = run.parts
  const { place } = work
  if (place === null) throw new Error('A card that was made has a place')
  const overruled = action.lost === null ? '' : `; it had been moved to ${action.lost} meanwhile`
  const request = `${item.id}: ${item.state} → ${action.state}, because the finding is ${work.status}${overruled}`
  try {
    const moved = await exchange(
      run,
      work,
      { action: 'MOVE', request },
      () => run.tracker.setState(run.session, place, item.id, action.state, item.revision),
      ({ state, revision }) => `${state}, revision ${revision}`,
    )
    const agreed = { status: work.status, state: moved.state }
    await store.updateLooked(db, work, { state: 'LINKED', item: moved, agreed, failure: null })
  } catch (error) {
    if (!(error instanceof VendorRefused) || isStopping(error)) throw error
    if (error.kind === 'CONFLICT' || error.kind === 'MISSING') return again(run, work, round, error)
    // do not repeat a move that the tracker's rules forbid: the two differ until one of them changes
    const agreed = { status: work.status, state: item.state }
    await store.updateLooked(db, work, { state: 'LINKED', item, agreed, failure: error.message })
  }
}

async function pull(run: Run, work: store.Work, item: Item, action: Extract<Action, { kind: 'PULL' }>, round: number) {
  const { db, keyring } = run.parts
  const target = action.path.at(-1) ?? work.status
  const began = performance.now()
  const isDone = await transaction(db, async (trx) => {
    const [issue] = await lockIssues(trx, work.companyId, [work.issueId])
    if (issue?.status !== work.status) return false
    const reason = `The card ${item.id} was moved to “${item.state}”${item.changedBy === null ? '' : ` by ${item.changedBy}`}`
    const externalAuthor = item.changedBy?.slice(0, 500) ?? null
    await recordOutsideWord(trx, keyring, issue, {
      statuses: action.path,
      reason,
      externalAuthor,
      operation: 'sync-tracker',
    })
    const agreed = { status: target, state: item.state }
    await store.updateLooked(trx, work, { state: 'LINKED', item, agreed, failure: null, own: 1 })
    const overruled = action.lost === null ? null : `The finding had been set to ${action.lost} meanwhile`
    const said = {
      action: 'UPDATE_FINDING',
      request: `${work.status} → ${action.path.join(' → ')}`,
      outcome: 'DONE',
    } as const
    await note(run, work, { ...said, answer: reason, reason: overruled, duration: performance.now() - began }, trx)
    return true
  })
  if (isDone) return
  await again(run, work, round, new VendorRefused('The finding', 'CONFLICT'))
}
