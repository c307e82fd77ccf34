// What the capabilities of a connector work with: the client bound to one integration, and pages of what the vendor lists.

import type { VendorClient } from './client.ts'
import type { Settings } from './kinds.ts'

/** What every capability gets: the client that is bound to one integration's address, credential and limits. */
export type Session = {
  client: VendorClient
  settings: Settings
  /** milliseconds since 1970, for what depends on the time */
  now: () => number
  /** waits so many milliseconds, for what a vendor takes its time over */
  sleep: (milliseconds: number) => Promise<void>
}

/** A page of what the vendor lists; `page` counts from 1. */
export type ListQuery = { search: string | null; page: number; limit: number }

/** `total` is null when the vendor does not tell; nothing is invented. `items` has `limit` entries at most. */
export type Listing<T> = { items: T[]; total: number | null }

export type Named = { id: string; name: string }
/** `branches` is empty where there are none, as in a scanner. */
export type ExternalProject = Named & { branches: string[] }
/** Who owns repositories: a workspace or a group. */
export type Owner = Named & { uuid: string }
