// Collects the functions that modules need from modules they may not import; app.ts passes them to all modules.

import { keepWithProject } from './attachments/service.ts'
import type { Upward } from './context.ts'
import { reencryptChannels } from './events/channels.ts'
import { reencryptWebhooks } from './events/webhooks.ts'
import { departWithCompany, reencryptDeparted } from './integrations/departed.ts'
import { loadIntegrationTypes, reencryptCredentials, requireIntegrations } from './integrations/service.ts'
import { requirePlaybooks } from './requirements/service.ts'
import { reencryptSecrets } from './secrets/service.ts'
import { reencryptHooks } from './sources/hooks.ts'
import { askReportOfVerdict } from './sources/service.ts'
import { takeTrackerCall } from './sync/hooks.ts'
import { wakeTrackersOf } from './sync/jobs.ts'

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
