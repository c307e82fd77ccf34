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
import type { ObjectStore } from '../core/objects.ts'
import type { Outbound } from '../core/outbound.ts'
import type { Reseal } from '../core/resealing.ts'
import type { UploadedFile } from '../core/uploads.ts'
import type { Role, Scope } from './access/permissions.ts'
import type { Feed } from './events/feed.ts'

/** Who asks. An administrator sees every company as its owner, unless the key is held to some. */
export type Viewer = {
  userId: Id
  email: string
  name: string
  /** the key; `user 7` for who signed in without one. Requests are counted by it. */
  keyId: Id
  keyPublicId: string | null
  isAdministrator: boolean
  scopes: readonly Scope[]
  /** company → role there; null: every company, as its owner */
  memberships: ReadonlyMap<Id, Role> | null
  /** the companies that the key is held to; null: all of its user's */
  heldTo: readonly Id[] | null
}

/** The parts of the running application that services use. */
export type Parts = {
  config: Config
  log: Log
  objects: ObjectStore
  keyring: Keyring
  /** the way out to outside tools */
  vendors: Vendors
  /** the way out to addresses that people name */
  outbound: Outbound
  /** null where the operator named no mail server */
  mailer: Mailer | null
  /** events as they come */
  feed: Feed
  /** Forgets what is remembered of keys and memberships, so that the next request reads them anew. */
  forgetViewers: () => void
  /** what modules ask of those above them */
  upward: Upward
}

/** What runs without a viewer has: jobs, and routes that are open. */
export type WorkParts = Parts & { db: Db }

export type Context = WorkParts & {
  viewer: Viewer
  request: { id: string; address: string; operation: string }
  loaders: Map<unknown, DataLoader<string, unknown>>
}

/** An attachment as it came with a project. */
export type SentAttachment = {
  id?: string | null
  description?: string | null
  projectId?: number | null
  issueId?: number | null
  allowedPortalUserIds?: readonly number[] | null
  archive?: UploadedFile | null
}

export type Upward = {
  /** NOT_FOUND of the first requirement that is not the company's to use. */
  requirePlaybooks: (context: Context, companyId: Id, ids: readonly Id[]) => Promise<void>
  /** Keeps what was sent with the project, in the transaction that makes or changes it. */
  keepProjectAttachments: (
    trx: Trx,
    context: Context,
    project: { companyId: Id; id: Id },
    attachments: readonly SentAttachment[],
  ) => Promise<void>
  /** NOT_FOUND of the first integration that is not the company's. */
  requireIntegrations: (context: Context, companyId: Id, ids: readonly Id[]) => Promise<void>
  /** integration id → its ToolTypeCategory; only those that the viewer sees and that are there */
  loadIntegrationTypes: (context: Context, ids: readonly string[]) => Promise<Map<string, string>>
  /** In the transaction in which a company is deleted, before it is. */
  departWithCompany: (trx: Trx, keyring: Keyring, companyId: Id) => Promise<void>
  /** All that is sealed under data keys of companies, of each kind. */
  reencrypt: readonly Reseal[]
  /** In the transaction that notes a deploy's verdict, whatever it came to. */
  followVerdict: (trx: Trx, deploy: { companyId: Id; id: Id; assetId: Id }) => Promise<void>
  /** In the transaction in which events of these companies were told; it is to be short. */
  followEvents: (trx: Trx, companies: readonly Id[]) => Promise<void>
  /** In the transaction that takes a tracker's delivery. */
  takeTrackerCall: (trx: Trx, hook: { companyId: Id; integrationId: Id }, event: HookEvent) => Promise<void>
}

/** The page that a caller asks for, cut to the largest that this installation gives; BAD_USER_INPUT below 1. */
export const askedPage = (context: Context, given: Parameters<typeof pageRequest>[0]): PageRequest =>
  pageRequest(given, context.config.limits.pageSize)

type Batch<V> = (context: Context, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>

/** Loads `key` together with what else this request asks of the same `batch`: one statement for all of them. */
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
