// Defines the context of every service call: the database, the viewer, the parts of the application, and loads batched per request.

import DataLoader from 'dataloader'
import type { HookEvent } from '../connectors/tracker.ts'
import type { Vendors } from '../connectors/vendors.ts'
import type { Config } from '../core/config.ts'
import type { Db, Trx } from '../core/db/open.ts'
import { type PageRequest, pageRequest } from '../core/db/page.ts'
import type { Id } from '../core/ids.ts'
import type { Keyring } from '../core/keyring.ts'
import type { Log } from '../core/log.ts'
import type { Mailer } from '../core/mail.ts'
import type { ObjectStore } from '../core/objects/store.ts'
import type { Outbound } from '../core/outbound.ts'
import type { Reseal } from '../core/resealing.ts'
import type { UploadedFile } from '../core/uploads.ts'
import type { Role, Scope } from './access/permissions.ts'
import type { Feed } from './events/feed.ts'

/** The caller. An administrator has the rights of an owner in every company, unless the key is restricted to some. */
export type Viewer = {
  userId: Id
  email: string
  name: string
  /** the key's id, or `user 7` for a person who signed in without a key; rate limits count by it */
  keyId: Id
  keyPublicId: string | null
  /** the session of the console that the request came with, if it came with one */
  sessionId?: Id
  isAdministrator: boolean
  scopes: readonly Scope[]
  /** company → the viewer's role in it; null: owner of every company */
  memberships: ReadonlyMap<Id, Role> | null
  /** the companies to which the key is restricted; null: all of its user's */
  heldTo: readonly Id[] | null
}

/** The parts of the running application that services use. */
export type Parts = {
  config: Config
  log: Log
  objects: ObjectStore
  keyring: Keyring
  /** opens clients of outside tools */
  vendors: Vendors
  /** calls addresses that people enter, such as webhooks */
  outbound: Outbound
  /** null if no mail server is configured */
  mailer: Mailer | null
  /** the live events of companies */
  feed: Feed
  /** Clears cached keys and memberships, so that the next request reads them again. */
  forgetViewers: () => void
  /** functions of modules that the others may not import */
  upward: Upward
}

/** What jobs and public routes have, which run without a viewer. */
export type WorkParts = Parts & { db: Db }

export type Context = WorkParts & {
  viewer: Viewer
  request: { id: string; address: string; operation: string }
  loaders: Map<unknown, DataLoader<string, unknown>>
}

/** An attachment as sent with a project: a new file, or the id of an existing attachment. */
export type SentAttachment = {
  id?: string | null
  description?: string | null
  projectId?: number | null
  issueId?: number | null
  allowedPortalUserIds?: readonly number[] | null
  archive?: UploadedFile | null
}

export type Upward = {
  /** NOT_FOUND for the first requirement that the company cannot use. */
  requirePlaybooks: (context: Context, companyId: Id, ids: readonly Id[]) => Promise<void>
  /** Stores the attachments sent with a project, in the transaction that creates or changes it. */
  keepProjectAttachments: (
    trx: Trx,
    context: Context,
    project: { companyId: Id; id: Id },
    attachments: readonly SentAttachment[],
  ) => Promise<void>
  /** NOT_FOUND for the first integration that does not belong to the company. */
  requireIntegrations: (context: Context, companyId: Id, ids: readonly Id[]) => Promise<void>
  /** integration id → its ToolTypeCategory; integrations that the viewer does not see are left out */
  loadIntegrationTypes: (context: Context, ids: readonly string[]) => Promise<Map<string, string>>
  /** Called in the transaction that deletes a company, before it does: keeps what is needed to remove its webhooks from their hosts. */
  departWithCompany: (trx: Trx, keyring: Keyring, companyId: Id) => Promise<void>
  /** Re-encrypts values encrypted under companies' data keys: one function for each kind of value. */
  reencrypt: readonly Reseal[]
  /** Called in every transaction that stores a deploy's verdict. */
  followVerdict: (trx: Trx, deploy: { companyId: Id; id: Id; assetId: Id }) => Promise<void>
  /** Called in the transaction that publishes events of these companies; must be fast. */
  followEvents: (trx: Trx, companies: readonly Id[]) => Promise<void>
  /** Called in the transaction that accepts a tracker's webhook call. */
  takeTrackerCall: (trx: Trx, hook: { companyId: Id; integrationId: Id }, event: HookEvent) => Promise<void>
}

/** The page that a caller requests, limited to the largest page of this installation; BAD_USER_INPUT below 1. */
export const askedPage = (context: Context, given: Parameters<typeof pageRequest>[0]): PageRequest =>
  pageRequest(given, context.config.limits.pageSize)

type Batch<V> = (context: Context, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>

/** Loads `key`, in one statement with the other keys that this request loads from the same `batch`. */
export function load<V>(context: Context, batch: Batch<V>, key: string): Promise<V | null> {
  const known = context.loaders.get(batch)
  const loader = known ?? newLoader(context, batch)
  if (!known) context.loaders.set(batch, loader)
  return loader.load(key) as Promise<V | null>
}

const newLoader = <V>(context: Context, batch: Batch<V>): DataLoader<string, unknown> =>
  new DataLoader(
    async (keys) => {
      const found = await batch(context, keys)
      return keys.map((key) => found.get(key) ?? null)
    },
    { maxBatchSize: 1000 },
  )
