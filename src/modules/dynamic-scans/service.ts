// Dynamic scans as people see them: the progress of a run, and the verification of targets.

import { transaction } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorizeAdministrator } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { getScannerConfiguration, type ScannerConfiguration } from '../scans/service.ts'
import * as store from './store.ts'
import { askHost, isAllowedByOperator, targetOf } from './targets.ts'

export { startPlatformDast } from './start.ts'
export type { Standing, Target } from './store.ts'

/** The progress of runs, by id; only those that the viewer sees. */
export const loadStandings = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Standing>> =>
  new Map((await store.findStandings(context.db, context.viewer, ids)).map((standing) => [standing.scanId, standing]))

type ShownTarget = store.Target & { isAllowed: boolean }

/** The target of a configuration that the viewer sees; null if it has none. */
export async function getTarget(
  context: Context,
  { companyId, assetId, targetUrl }: ScannerConfiguration,
): Promise<ShownTarget | null> {
  if (targetUrl === null) return null
  const target = await targetOf(context.db, { companyId, assetId, targetUrl })
  return { ...target, isAllowed: target.verifiedBy !== null || isAllowedByOperator(context, targetUrl) }
}

/** Asks the host whether it belongs to the asset; FAILED_PRECONDITION if it does not confirm it. */
export async function verifyTarget(context: Context, assetId: Id): Promise<ShownTarget> {
  await authorizeAsset(context, 'scans:configure', assetId)
  const { target, targetUrl } = await requireTarget(context, assetId)
  const by = await askHost(context, target, targetUrl)
  if (by === null) {
    throw failedPrecondition(`${target.host} has the token neither in the file nor in the TXT record`)
  }
  return keep(context, assetId, target, by)
}

/** Lets an administrator confirm that the host belongs to the asset. */
export async function allowTarget(context: Context, assetId: Id): Promise<ShownTarget> {
  await authorizeAsset(context, 'scans:configure', assetId)
  authorizeAdministrator(context, 'scans:configure')
  const { target } = await requireTarget(context, assetId)
  return keep(context, assetId, target, 'ADMINISTRATOR')
}

async function requireTarget(context: Context, assetId: Id): Promise<{ target: store.Target; targetUrl: string }> {
  const configuration = await getScannerConfiguration(context, assetId)
  if (!configuration?.targetUrl) throw failedPrecondition('The asset has no target URL')
  const { companyId, targetUrl } = configuration
  return { target: await targetOf(context.db, { companyId, assetId, targetUrl }), targetUrl }
}

async function keep(
  context: Context,
  assetId: Id,
  before: store.Target,
  by: 'FILE' | 'DNS' | 'ADMINISTRATOR',
): Promise<ShownTarget> {
  await transaction(context.db, async (trx) => {
    await store.verifyTarget(trx, before, by)
    const object = `ScanTarget ${before.host} of Asset ${assetId}`
    const after = { host: before.host, verifiedBy: by }
    await audit(trx, context, { companyId: before.companyId, object, after })
  })
  const after = await store.ensureTarget(context.db, before)
  return { ...after, isAllowed: true }
}
