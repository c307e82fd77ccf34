// The places for tasks in ClickUp: workspaces, spaces, folders, lists, and the statuses of a list.

import { VendorRefused } from '../errors.ts'
import { at } from '../paths.ts'
import type { Named, Session } from '../session.ts'
import type { Tracker, TrackerPlace, TrackerState } from '../tracker.ts'
import { folders, list, lists, space, spaces, teams } from './schemas.ts'

export const NAME = 'TaskTracker'

export function listIdOf({ listId }: TrackerPlace): string {
  if (listId === null) throw new VendorRefused(NAME, 'INVALID', { detail: 'the place has no list' })
  return listId
}

/** The integration's workspace, or all that the credential sees. */
export async function workspacesOf({ client, settings }: Session): Promise<string[]> {
  if (settings.workspaceId !== null) return [settings.workspaceId]
  return (await client.get(at`/team`, teams)).map(({ id }) => id)
}

/** Lists that are looked through; the vendor has no search for them. */
const MOST_LISTS = 2_000

async function allLists(session: Session): Promise<Named[]> {
  const { client } = session
  const query = { archived: false }
  const found: Named[] = []
  for (const workspace of await workspacesOf(session)) {
    for (const area of await client.get(at`/team/${workspace}/space`, spaces, { query })) {
      const [inFolders, direct] = await Promise.all([
        client.get(at`/space/${area.id}/folder`, folders, { query }),
        client.get(at`/space/${area.id}/list`, lists, { query }),
      ])
      found.push(...direct.map(({ id, name }) => ({ id, name: `${area.name} / ${name}` })))
      for (const folder of inFolders) {
        const its = folder.lists ?? []
        found.push(...its.map(({ id, name }) => ({ id, name: `${area.name} / ${folder.name} / ${name}` })))
      }
      if (found.length >= MOST_LISTS) return found.slice(0, MOST_LISTS)
    }
  }
  return found
}

/** A project is a list, named with its space and folder. */
export const listProjects: Tracker['listProjects'] = async (session, { search, page, limit }) => {
  const wanted = search?.toLowerCase() ?? ''
  const found = (await allLists(session)).filter(({ name }) => name.toLowerCase().includes(wanted))
  const items = found.slice((page - 1) * limit, page * limit).map((item) => ({ ...item, branches: [] }))
  return { items, total: found.length < MOST_LISTS ? found.length : null }
}

/** The statuses of the list, or those of its space where it has none of its own. */
export const listStates = async ({ client }: Session, place: TrackerPlace): Promise<TrackerState[]> => {
  const listId = listIdOf(place)
  const found = await client.get(at`/list/${listId}`, list)
  const own = found.statuses ?? []
  const isInherited = own.length === 0 && found.space
  const statuses = isInherited ? ((await client.get(at`/space/${found.space?.id ?? ''}`, space)).statuses ?? []) : own
  return statuses.map(({ id, status, color, orderindex, type }) => ({
    id: id ?? `${listId}:${status}`,
    name: status,
    color: color ?? null,
    order: orderindex ?? null,
    kind: type ?? null,
  }))
}

/** MISSING when the list is not there. */
export const settlePlace: Tracker['settlePlace'] = async ({ client }, place) => {
  const { id } = await client.get(at`/list/${listIdOf(place)}`, list)
  return { ...place, listId: id }
}
