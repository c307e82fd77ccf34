// A run in progress: what its job is to scan, and on whose behalf.

import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { type Author, findAuthor } from '../access/service.ts'
import { findRunConfiguration, type RunConfiguration } from '../scans/service.ts'
import * as store from './store.ts'

/** `targetUrl` is the configuration's value at the start of the run. */
export type Running = store.Claimed & { assetId: Id; configuration: RunConfiguration; author: Author | null }

/** Null for a run that has ended or was deleted, and for one whose configuration was deleted. */
export async function claim(db: Db, key: store.RunKey): Promise<Running | null> {
  const claimed = await store.claimRun(db, key)
  const configuration = await findRunConfiguration(db, key.companyId, key.scanId)
  if (!claimed || !configuration) return null
  const author = await findAuthor(db, key.companyId, claimed.startedBy)
  return { ...claimed, assetId: configuration.assetId, configuration, author }
}
