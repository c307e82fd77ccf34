// Work items of Azure DevOps: created once, read, moved only if their revision is unchanged, and listed as they change.

import type { z } from 'zod'
import { VendorRefused } from '../errors.ts'
import { at } from '../paths.ts'
import type { Session } from '../session.ts'
import type { Item, MadeItem, NewItem, Tracker, TrackerPlace } from '../tracker.ts'
import {
  areaOf,
  NAME,
  organizationOf,
  projectOf,
  readBoard,
  readProject,
  teamPlaceOf,
  typeOf,
  versioned,
} from './places.ts'
import { listOf, queried, type WorkItem, workItem } from './schemas.ts'
import { htmlOf } from './text.ts'

type Operation = { op: 'add' | 'test'; path: string; value: unknown }

const fieldsRead = ['System.State', 'System.TeamProject', 'System.Tags', 'System.ChangedBy', 'System.ChangedDate']

/** The most ids per read. */
const BATCH = 200

const patched = async <T>(
  { client }: Session,
  method: 'POST' | 'PATCH',
  path: ReturnType<typeof at>,
  operations: readonly Operation[],
  schema: z.ZodType<T>,
): Promise<T> => {
  const body = { text: JSON.stringify(operations), type: 'application/json-patch+json' }
  return (await client.answer(method, path, schema, { query: versioned, body })).value
}

const isSame = (project: string | null, name: string | null) =>
  project === null || project.toLowerCase() === name?.toLowerCase()

/** Items name their project, and a project may be renamed: when the name differs, the current name is looked up. */
async function itemsOf(session: Session, place: TrackerPlace, found: readonly WorkItem[]): Promise<Item[]> {
  const { name } = projectOf(place)
  const isKnown = found.every(({ project }) => isSame(project, name))
  const current = isKnown ? name : await currentName(session, place)
  return found.map((item) => itemOf(session, item, item.project ?? name, isSame(item.project, current)))
}

const itemIn = async (session: Session, place: TrackerPlace, found: WorkItem): Promise<Item> => {
  const [item] = await itemsOf(session, place, [found])
  if (!item) throw new Error('One item was given')
  return item
}

/** Null if the project no longer exists. */
async function currentName(session: Session, place: TrackerPlace): Promise<string | null> {
  try {
    return (await readProject(session, place)).name
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'MISSING') return null
    throw error
  }
}

function itemOf(
  session: Session,
  { id, rev, state, changedBy, changedAt }: WorkItem,
  project: string,
  isInPlace: boolean,
): Item {
  const parts = [organizationOf(session), project].map(encodeURIComponent)
  return {
    id: String(id),
    url: `https://dev.azure.com/${parts.join('/')}/_workitems/edit/${id}`,
    state,
    revision: String(rev),
    changedBy,
    at: changedAt ?? new Date(session.now()).toISOString(),
    isInPlace,
  }
}

/** Quotes are doubled in WIQL, as in SQL. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

async function readMany(session: Session, place: TrackerPlace, ids: readonly number[]): Promise<WorkItem[]> {
  if (ids.length === 0) return []
  const path = at`/${organizationOf(session)}/${projectOf(place).id}/_apis/wit/workitemsbatch`
  const asked = { ids, fields: fieldsRead, errorPolicy: 'omit' }
  return session.client.post(path, asked, listOf(workItem), { query: versioned, repeatable: true })
}

/**
 * The item with the key, wherever in the organization it may have been moved; of several, which only people could make, the oldest. CONFLICT
 * if there is one that the credential may not read.
 */
async function findByKey(session: Session, place: TrackerPlace, key: string): Promise<WorkItem | null> {
  const path = at`/${organizationOf(session)}/${projectOf(place).id}/_apis/wit/wiql`
  const query = `SELECT [System.Id] FROM WorkItems WHERE [System.Tags] CONTAINS ${quoted(key)} ORDER BY [System.Id] ASC`
  const options = { query: { ...versioned, $top: 50 }, repeatable: true }
  const ids = await session.client.post(path, { query }, queried, options)
  const found = await readMany(session, place, ids)
  const marked = found.sort((one, other) => one.id - other.id).find(({ tags }) => tags.includes(key))
  if (marked || found.length === ids.length) return marked ?? null
  throw new VendorRefused(NAME, 'CONFLICT', { detail: `an item marked ${key} is where it may not be read` })
}

const severities = {
  CRITICAL: ['1 - Critical', 1],
  HIGH: ['2 - High', 2],
  MEDIUM: ['3 - Medium', 3],
  LOW: ['4 - Low', 4],
  NOTIFICATION: ['4 - Low', 4],
} as const

/** Types of the vendor's own processes, which have the priority field. */
const PRIORITIZED = ['Bug', 'Issue', 'Product Backlog Item', 'User Story', 'Requirement', 'Task', 'Feature']

function fieldsOf(item: NewItem, area: string | null): Record<string, unknown> {
  const type = typeOf(item.place)
  const description = htmlOf(item.description)
  const [severity, priority] = item.severity === null ? [null, null] : severities[item.severity]
  return {
    // the vendor's longest title
    'System.Title': item.title.slice(0, 255).toWellFormed(),
    'System.Description': description,
    'System.Tags': [item.key, ...item.tags].join('; '),
    ...(area !== null && { 'System.AreaPath': area }),
    ...(type === 'Bug' && { 'Microsoft.VSTS.TCM.ReproSteps': description }),
    ...(type === 'Bug' && severity && { 'Microsoft.VSTS.Common.Severity': severity }),
    ...(PRIORITIZED.includes(type) && priority && { 'Microsoft.VSTS.Common.Priority': priority }),
    ...item.fields,
  }
}

export const createItem: Tracker['createItem'] = async (session, item): Promise<MadeItem> => {
  const { place } = item
  const found = await findByKey(session, place, item.key)
  const isSettled = found !== null && found.rev > 1
  const { made, refused } = isSettled
    ? { made: found, refused: null }
    : await settle(session, item, found ?? (await create(session, item)))
  return { item: await itemIn(session, place, made), isFound: found !== null, refused }
}

async function create(session: Session, item: NewItem): Promise<WorkItem> {
  const { organization, project } = teamPlaceOf(session, item.place)
  const fields = fieldsOf(item, await areaOf(session, item.place))
  const operations = Object.entries(fields).map(([name, value]) => ({
    op: 'add' as const,
    path: `/fields/${name}`,
    value,
  }))
  const path = at`/${organization}/${project}/_apis/wit/workitems/$${typeOf(item.place)}`
  return patched(session, 'POST', path, operations, workItem)
}

/** Many processes accept only the first state for a new item, and a board accepts a lane only for a card that it shows. */
async function settle(
  session: Session,
  item: NewItem,
  made: WorkItem,
): Promise<{ made: WorkItem; refused: string | null }> {
  const { place } = item
  const lane = place.lane === null ? undefined : (await readBoard(session, place)).fields?.rowField?.referenceName
  const operations: Operation[] = [
    ...(item.state !== null && item.state !== made.state
      ? [{ op: 'add' as const, path: '/fields/System.State', value: item.state }]
      : []),
    ...(lane === undefined ? [] : [{ op: 'add' as const, path: `/fields/${lane}`, value: place.lane }]),
  ]
  if (operations.length === 0) return { made, refused: null }
  try {
    return { made: await change(session, place, String(made.id), String(made.rev), operations), refused: null }
  } catch (error) {
    if (!(error instanceof VendorRefused) || error.kind !== 'INVALID') throw error
    return { made, refused: error.message }
  }
}

async function change(
  session: Session,
  place: TrackerPlace,
  id: string,
  expected: string | null,
  operations: readonly Operation[],
): Promise<WorkItem> {
  const path = at`/${organizationOf(session)}/${projectOf(place).id}/_apis/wit/workitems/${id}`
  const tested = expected === null ? [] : [{ op: 'test' as const, path: '/rev', value: Number(expected) }]
  try {
    return await patched(session, 'PATCH', path, [...tested, ...operations], workItem)
  } catch (error) {
    // a failed revision test is answered with 412, by some versions with 400
    if (!(error instanceof VendorRefused) || error.kind !== 'INVALID' || expected === null) throw error
    const now = await read(session, place, id)
    if (now === null || String(now.rev) === expected) throw error
    throw new VendorRefused(NAME, 'CONFLICT', { cause: error })
  }
}

export const setState: Tracker['setState'] = async (session, place, id, state, expected) => {
  const operations = [{ op: 'add' as const, path: '/fields/System.State', value: state }]
  return itemIn(session, place, await change(session, place, id, expected, operations))
}

async function read(session: Session, place: TrackerPlace, id: string): Promise<WorkItem | null> {
  const path = at`/${organizationOf(session)}/${projectOf(place).id}/_apis/wit/workitems/${id}`
  try {
    return await session.client.get(path, workItem, { query: { ...versioned, fields: fieldsRead.join(',') } })
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'MISSING') return null
    throw error
  }
}

export const readItem: Tracker['readItem'] = async (session, place, id) => {
  const found = await read(session, place, id)
  return found && itemIn(session, place, found)
}

/** The most ids per query; the vendor refuses 20,000. */
const MOST_IDS = 19_999

export async function* changedSince(
  session: Session,
  place: TrackerPlace,
  since: string,
  isKnown: (id: string) => boolean,
): AsyncGenerator<Item[]> {
  const { organization, project, team } = teamPlaceOf(session, place)
  const path = at`/${organization}/${project}/${team}/_apis/wit/wiql`
  const options = { query: { ...versioned, timePrecision: true, $top: MOST_IDS }, repeatable: true }
  for (let from = since; ; ) {
    const query = `SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project AND [System.ChangedDate] >= ${quoted(from)} ORDER BY [System.ChangedDate] ASC`
    const ids = await session.client.post(path, { query }, queried, options)
    const known = ids.filter((id) => isKnown(String(id)))
    for (let index = 0; index < known.length; index += BATCH) {
      const found = await readMany(session, place, known.slice(index, index + BATCH))
      yield itemsOf(session, place, found)
    }
    if (ids.length < MOST_IDS) return
    const [last] = await readMany(session, place, ids.slice(-1))
    // so many changes at one moment cannot be separated by time; the cards among them are read within a day
    if (!last?.changedAt || last.changedAt === from) return
    from = last.changedAt
  }
}
