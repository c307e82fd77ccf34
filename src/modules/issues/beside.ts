// Loads what is shown beside issues, with one statement for all issues of a request.

import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import * as store from './store-beside.ts'
import * as identity from './store-identity.ts'

export type { Facets, IssueKey, Place } from './store-beside.ts'
export { keyOf } from './store-beside.ts'

type Keys = readonly string[]

export const loadFacets = async (context: Context, keys: Keys): Promise<Map<string, store.Facets>> =>
  new Map((await store.findFacets(context.db, keys)).map((facets) => [facets.key, facets]))

export const loadOccurrences = async (context: Context, keys: Keys): Promise<Map<string, store.Occurrence[]>> =>
  grouped(await store.findOccurrences(context.db, keys))

export const loadPlaces = async (context: Context, keys: Keys): Promise<Map<string, store.Place[]>> =>
  grouped(await store.findPlaces(context.db, keys))

export const loadEvents = async (context: Context, keys: Keys): Promise<Map<string, store.IssueEvent[]>> =>
  grouped(await store.findEvents(context.db, keys))

export const loadWitnesses = async (context: Context, keys: Keys): Promise<Map<string, identity.Witness[]>> =>
  grouped(await identity.findWitnesses(context.db, keys))

export const loadIdentityPlaces = async (
  context: Context,
  keys: Keys,
): Promise<Map<string, identity.IdentityPlace[]>> => grouped(await identity.findIdentityPlaces(context.db, keys))

export const loadLastMatches = async (context: Context, keys: Keys): Promise<Map<string, identity.LastMatch>> =>
  new Map((await identity.findLastMatches(context.db, keys)).map((last) => [last.key, last]))

export async function loadAssigneeIds(context: Context, keys: Keys): Promise<Map<string, Id[]>> {
  const byIssue = grouped(await store.findAssigneeIds(context.db, keys))
  return new Map([...byIssue].map(([key, rows]) => [key, rows.map(({ userId }) => userId)]))
}

const grouped = <T extends { key: string }>(rows: readonly T[]): Map<string, T[]> => Map.groupBy(rows, ({ key }) => key)
