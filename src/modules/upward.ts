// Collects the functions that a module needs from modules it may not import; app.ts hands them to all modules.

import type { HookEvent } from '../connectors/tracker.ts'
import type { Trx } from '../core/db/open.ts'
import type { Id } from '../core/ids.ts'
import type { Keyring } from '../core/keyring.ts'
import type { Reseal } from '../core/resealing.ts'
import { keepWithProject } from './attachments/service.ts'
import type { Context } from './context.ts'
import { reencryptChannels } from './events/channels.ts'
import { reencryptWebhooks } from './events/webhooks.ts'
import { departWithCompany, reencryptDeparted } from './integrations/departed.ts'
import { loadIntegrationTypes, reencryptCredentials, requireIntegrations } from './integrations/service.ts'
import type { SentAttachment } from './projects/service.ts'
import { requirePlaybooks } from './requirements/service.ts'
import { reencryptSecrets } from './secrets/service.ts'
import { reencryptHooks } from './sources/hooks.ts'
import { askReportOfVerdict } from './sources/service.ts'
import { takeTrackerCall } from './sync/hooks.ts'
import { wakeTrackersOf } from './sync/jobs.ts'

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

export const upward: Upward = {
  requirePlaybooks,
  keepProjectAttachments: keepWithProject,
  requireIntegrations,
  loadIntegrationTypes,
  departWithCompany,
  reencrypt: [
    reencryptSecrets,
    reencryptWebhooks,
    reencryptChannels,
    reencryptCredentials,
    reencryptDeparted,
    reencryptHooks,
  ],
  followVerdict: askReportOfVerdict,
  followEvents: wakeTrackersOf,
  takeTrackerCall,
}
