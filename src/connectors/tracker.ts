// The interface of a connector to a tracker: lists places and states, and creates, moves and follows work items.

import type { Hooks } from './hooks.ts'
import type { ExternalProject, Listing, ListQuery, Named, Session } from './session.ts'

/**
 * The content of a tracker's delivery. `deliveryId` identifies repeated deliveries of one event; `project` and `item` are ids at the vendor;
 * `actor` identifies our own changes when they come back.
 */
export type HookEvent = {
  deliveryId: string | null
  kind: 'ITEM_CHANGED' | 'ITEM_DELETED' | 'OTHER'
  project: string | null
  item: string | null
  state: string | null
  revision: string | null
  actor: string | null
}

/** A tracker of work items. */
export type Tracker = Hooks<HookEvent> & {
  listProjects: (
    session: Session,
    query: ListQuery & { organizationName: string | null },
  ) => Promise<Listing<ExternalProject>>
  /** undefined if the vendor has no teams */
  listTeams?: (session: Session, projectId: string) => Promise<Named[]>
  listBoards?: (session: Session, projectId: string, teamId: string) => Promise<Named[]>
  /** The place as the vendor names it, with missing parts filled in; INVALID or MISSING (VendorRefused) if it does not exist. */
  settlePlace: (session: Session, place: TrackerPlace) => Promise<TrackerPlace>
  /** The states that items at the place may have, in the vendor's order. */
  listStates: (session: Session, place: TrackerPlace) => Promise<TrackerState[]>
  /**
   * Makes an item once: one that carries `key` already is answered instead (search before create), also after an answer that was
   * lost.
   */
  createItem: (session: Session, item: NewItem) => Promise<MadeItem>
  /** Null: it was deleted, or is no longer visible. */
  readItem: (session: Session, place: TrackerPlace, id: string) => Promise<Item | null>
  /** CONFLICT (VendorRefused) if the item has another revision than `expected`; null: any revision. */
  setState: (session: Session, place: TrackerPlace, id: string, state: string, expected: string | null) => Promise<Item>
  /** Items that changed since a time (ISO 8601), oldest first, in batches; only the known ones, if that is cheaper. */
  changedSince: (
    session: Session,
    place: TrackerPlace,
    since: string,
    isKnown: (id: string) => boolean,
  ) => AsyncIterable<Item[]>
}

/** `project`, `team` and `board` of a boards tracker; of a task tracker `listId` alone. */
export type TrackerPlace = {
  project: Named | null
  team: Named | null
  board: Named | null
  listId: string | null
  workItemType: string | null
  /** the lane of the board, by name */
  lane: string | null
}
export type TrackerState = {
  id: string
  name: string
  color: string | null
  order: number | null
  /** the vendor's word, such as open, custom, done, closed or a category */
  kind: string | null
}
export type NewItem = {
  place: TrackerPlace
  key: string
  title: string
  /** Markdown; the connector converts it into the vendor's format */
  description: string
  severity: 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null
  tags: readonly string[]
  /** set after the item is created, if the vendor accepts only the first state for a new one */
  state: string | null
  fields: Readonly<Record<string, string>>
}
/** The present state of an item: `revision` differs after each change, `at` is the time of the last one. */
export type Item = {
  id: string
  url: string | null
  state: string
  revision: string
  changedBy: string | null
  at: string
  /** false: somebody moved it to another project or list */
  isInPlace: boolean
}
/** `isFound`: it was there already. `refused`: why it could not be given the state, in the vendor's words. */
export type MadeItem = { item: Item; isFound: boolean; refused: string | null }
