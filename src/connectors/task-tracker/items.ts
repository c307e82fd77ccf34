// Tasks of ClickUp: created once, read, moved after their revision was checked, and listed as they change.

import { VendorRefused } from '../errors.ts'
import { walkNumbers } from '../pages.ts'
import { at } from '../paths.ts'
import type { Session } from '../session.ts'
import type { Item, Tracker, TrackerPlace } from '../tracker.ts'
import { listIdOf, NAME, workspacesOf } from './places.ts'
import { type Task, task, tasks } from './schemas.ts'

const itemOf = ({ id, state, updatedAt, listId }: Task, place: TrackerPlace): Item => ({
  id,
  url: `https://app.clickup.com/t/${encodeURIComponent(id)}`,
  state,
  revision: String(updatedAt),
  changedBy: null,
  at: new Date(updatedAt).toISOString(),
  isInPlace: listId === null || listId === place.listId,
})

/** The last line of a description: a tag may be taken off by anybody, or not be given to who may not make tags. */
const markOf = (key: string) => `[${key}]`

const carries = ({ tags, text }: Task, key: string) => tags.includes(key) || text.includes(markOf(key))

/** By its tag, wherever in the workspace somebody may have moved it; and where there is none among the hundred newest of the list. */
async function findByKey(session: Session, place: TrackerPlace, key: string): Promise<Task | null> {
  const { client } = session
  const all = { page: 0, include_closed: true, subtasks: true }
  const oldest = (found: readonly Task[]) =>
    found.filter((one) => carries(one, key)).sort((one, other) => one.createdAt - other.createdAt)[0] ?? null
  for (const workspace of await workspacesOf(session)) {
    const tagged = await client.get(at`/team/${workspace}/task`, tasks, { query: { ...all, 'tags[]': key } })
    const found = oldest(tagged.tasks)
    if (found) return found
  }
  const newest = await client.get(at`/list/${listIdOf(place)}/task`, tasks, { query: { ...all, order_by: 'created' } })
  return oldest(newest.tasks)
}

const priorities = { CRITICAL: 1, HIGH: 2, MEDIUM: 3, LOW: 4, NOTIFICATION: 4 } as const

export const createItem: Tracker['createItem'] = async (session, item) => {
  const { place, key } = item
  const found = await findByKey(session, place, key)
  if (found) return { item: itemOf(found, place), isFound: true, refused: null }
  const asked = {
    name: item.title,
    markdown_content: `${item.description}\n\n${markOf(key)}`,
    tags: [key, ...item.tags],
    priority: item.severity === null ? null : priorities[item.severity],
    ...(item.state !== null && { status: item.state }),
  }
  const made = await session.client.post(at`/list/${listIdOf(place)}/task`, asked, task)
  return { item: itemOf(made, place), isFound: false, refused: null }
}

export const readItem: Tracker['readItem'] = async ({ client }, place, id) => {
  try {
    return itemOf(await client.get(at`/task/${id}`, task), place)
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'MISSING') return null
    throw error
  }
}

/** The vendor tests no revision: it is read just before, and what changes in between is seen at the next look. */
export const setState: Tracker['setState'] = async ({ client }, place, id, state, expected) => {
  const before = await client.get(at`/task/${id}`, task)
  if (expected !== null && String(before.updatedAt) !== expected) throw new VendorRefused(NAME, 'CONFLICT')
  // once its answer is lost a person may have moved it further, so that it is read again first
  return itemOf(await client.put(at`/task/${id}`, { status: state }, task, { repeatable: false }), place)
}

export async function* changedSince(session: Session, place: TrackerPlace, since: string): AsyncGenerator<Item[]> {
  const query = {
    include_closed: true,
    subtasks: true,
    order_by: 'updated',
    reverse: true,
    date_updated_gt: Date.parse(since),
  }
  const first = { path: at`/list/${listIdOf(place)}/task`, query }
  const isLast = (page: { tasks: Task[]; last_page?: boolean | null }) => page.last_page ?? page.tasks.length === 0
  for await (const page of walkNumbers(session.client, first, tasks, isLast, { parameter: 'page' })) {
    yield page.tasks.map((one) => itemOf(one, place))
  }
}
