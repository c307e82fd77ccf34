// What a synchronisation would do, without doing it: asks the tracker what has changed, and stores nothing.

import type { Item } from '../../connectors/tracker.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import {
  type GivenMapping,
  getConfiguration,
  openForAnswer,
  placeOfConfiguration,
  readStatusMappings,
  type TrackerConfiguration,
} from '../integrations/service.ts'
import { mappingsOf } from './mapping.ts'
import { type Action, firstStateFor, type Mapping, reconcile } from './reconcile.ts'
import { sinceOf } from './run.ts'
import * as store from './store.ts'
import type { SyncAction } from './store-deliveries.ts'
import * as polls from './store-polls.ts'

/** `from` and `to` are states of the card or, if the finding changes, its statuses. */
export type PreviewStep = {
  issueId: Id
  workItemId: Id | null
  action: SyncAction
  from: string | null
  to: string | null
  reason: string
}

const MOST = 500
const MOST_NEW = 100

/** The steps for the cards of one configuration, waiting ones first. `given` replaces its mapping; null: its own is used. */
export async function previewSync(
  context: Context,
  id: Id,
  given: readonly GivenMapping[] | null,
): Promise<{ steps: PreviewStep[]; isCut: boolean }> {
  const configuration = await getConfiguration(context, id)
  const { companyId, integrationId } = configuration
  const { db } = context
  const works = await store.listWorks(db, companyId, integrationId, MOST)
  const own = works.filter((work) => work.configuration?.id === id)
  const changed = await askChanged(context, configuration, own)
  const mappings = mappingsOf(
    given === null ? configuration : { statusMappings: readStatusMappings(given, 'statusMappings') },
  )
  const wanted = await polls.findWanted(db, companyId, id, MOST_NEW)
  const created = wanted.map(({ issueId, status }) => creation(issueId, null, status, mappings))
  const steps = own.flatMap((work) => {
    const step = stepOf(work, changed, mappings)
    return step === null ? [] : [step]
  })
  return { steps: [...steps, ...created], isCut: works.length === MOST || wanted.length === MOST_NEW }
}

async function askChanged(context: Context, configuration: TrackerConfiguration, works: readonly store.Work[]) {
  const changed = new Map<string, Item>()
  const known = new Set(works.flatMap(({ externalId }) => externalId ?? []))
  if (known.size === 0) return changed
  const { connector, session } = await openForAnswer(context, configuration)
  if (!connector.tracker) throw failedPrecondition(`${connector.name} has no boards`)
  const all = await polls.findPolled(context.db, configuration.companyId, configuration.integrationId)
  const polled = all.find(({ id }) => id === configuration.id)
  const since = sinceOf(polled?.seenUntil ?? configuration.createdAt)
  const place = placeOfConfiguration(configuration)
  for await (const items of connector.tracker.changedSince(session, place, since, (id) => known.has(id))) {
    for (const item of items) changed.set(item.id, item)
  }
  return changed
}

const creation = (
  issueId: Id,
  workItemId: Id | null,
  status: IssueStatus,
  mappings: readonly Mapping[],
): PreviewStep => ({
  issueId,
  workItemId,
  action: 'CREATE',
  from: null,
  to: firstStateFor(mappings, status),
  reason: `The finding is ${status} and has no card yet`,
})

function stepOf(
  work: store.Work,
  changed: ReadonlyMap<string, Item>,
  mappings: readonly Mapping[],
): PreviewStep | null {
  const { issueId, id: workItemId, status } = work
  if (work.externalId === null) return creation(issueId, workItemId, status, mappings)
  const item = changed.get(work.externalId)
  const state = item?.state ?? work.seenState
  if (state === null || work.agreedStatus === null || work.agreedState === null) return null
  if (item && !item.isInPlace) {
    return { issueId, workItemId, action: 'NONE', from: state, to: null, reason: 'The card was moved elsewhere' }
  }
  const action = reconcile(status, state, { status: work.agreedStatus, state: work.agreedState }, mappings)
  return shown(action, issueId, workItemId, status, state)
}

function shown(action: Action, issueId: Id, workItemId: Id, status: IssueStatus, state: string): PreviewStep | null {
  const of = { issueId, workItemId }
  switch (action.kind) {
    case 'NOTHING':
    case 'AGREE':
      return null
    case 'SKIP':
      return { ...of, action: 'NONE', from: state, to: null, reason: action.reason }
    case 'PUSH': {
      const lost = action.lost === null ? '' : `, although the card had been moved to ${action.lost}`
      return { ...of, action: 'MOVE', from: state, to: action.state, reason: `The finding is ${status}${lost}` }
    }
    case 'PULL': {
      const lost = action.lost === null ? '' : `, although the finding had been set to ${action.lost}`
      const to = action.path.at(-1) ?? null
      return { ...of, action: 'UPDATE_FINDING', from: status, to, reason: `The card was moved to ${state}${lost}` }
    }
  }
}
