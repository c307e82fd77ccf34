// Scanner configurations: how the dynamic scanner examines an asset.

import { type Trx, transaction } from '../../core/db/open.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { refusalOfLiteral } from '../../core/outbound-address.ts'
import { keepUpload, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { audit, authorize } from '../access/service.ts'
import type { ApiFormat, ScanProfile } from '../api.generated.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { type BoundsInput, readBounds } from './bounds.ts'
import * as store from './store-configurations.ts'

/** bytes */
const LARGEST_SCHEMA = 10 * 1024 * 1024
const MOST_SECRETS = 20

export async function getScannerConfiguration(
  context: Context,
  assetId: Id,
): Promise<store.ScannerConfiguration | null> {
  const { companyId } = await authorizeAsset(context, 'scans:read', assetId)
  return store.findConfiguration(context.db, companyId, assetId)
}

/** Undefined leaves a value as it is; null removes it. */
type ConfigurationInput = {
  targetUrl?: string | null
  apiFormat?: ApiFormat | null
  apiSchemaSourceFile?: UploadedFile | null
  apiSchemaUrl?: string | null
  scanProfile?: ScanProfile | null
  secretIds?: readonly Id[]
  secondSecretIds?: readonly Id[]
} & Partial<BoundsInput>

/** For analysts; requires the permission to manage secrets if a secret would be sent to a target to which it was not sent before. */
export async function createOrUpdateScannerConfiguration(
  context: Context,
  assetId: Id,
  input: ConfigurationInput,
): Promise<store.ScannerConfiguration> {
  const { companyId } = await authorizeAsset(context, 'scans:configure', assetId)
  const targetUrl = readTarget(input.targetUrl, 'targetUrl')
  const apiSchemaUrl = readTarget(input.apiSchemaUrl, 'apiSchemaUrl')
  if (apiSchemaUrl) requireCallable(context, apiSchemaUrl, 'apiSchemaUrl')
  const { apiSchemaSourceFile: file, secretIds, secondSecretIds } = input
  if (file) requireSize(file, LARGEST_SCHEMA, 'input.apiSchemaSourceFile')
  requireFew(secretIds, 'secretIds')
  requireFew(secondSecretIds, 'secondSecretIds')
  if (file) await storeUpload(context.objects, file)
  return transaction(context.db, async (trx) => {
    const known = await store.lockConfiguration(trx, companyId, assetId)
    if (!known) await store.insertConfiguration(trx, companyId, assetId)
    const before = known ?? (await require(trx, companyId, assetId))
    const apiFormat = input.apiFormat === undefined ? before.apiFormat : input.apiFormat
    const apiSchemaObjectId = await schemaAfter(trx, before, file)
    if (apiSchemaObjectId !== null && apiFormat === null) {
      throw badUserInput('An API description file needs its format', 'input.apiFormat')
    }
    const fields = {
      targetUrl: targetUrl === undefined ? before.targetUrl : targetUrl,
      apiFormat,
      apiSchemaObjectId,
      apiSchemaUrl: apiSchemaUrl === undefined ? before.apiSchemaUrl : apiSchemaUrl,
      scanProfile: input.scanProfile ?? (input.scanProfile === null ? 'BALANCED' : before.scanProfile),
      ...readBounds(input, before),
      scheduledBy: context.viewer.userId,
    }
    await store.updateConfiguration(trx, before, fields)
    if (secretIds) requireSecrets(secretIds, await store.replaceSecrets(trx, before, secretIds, false))
    if (secondSecretIds) {
      requireSecrets(secondSecretIds, await store.replaceSecrets(trx, before, secondSecretIds, true))
    }
    const after = await require(trx, companyId, assetId)
    if (sendsSecretsAnew(before, after)) await authorize(context, 'secrets:write', companyId)
    const object = `ScannerConfiguration ${after.id}`
    await audit(trx, context, { companyId, object, before: known ?? undefined, after })
    return after
  })
}

function sendsSecretsAnew(before: store.ScannerConfiguration, after: store.ScannerConfiguration): boolean {
  const held = secretsOf(before)
  const isElsewhere = originOf(before) !== originOf(after)
  return secretsOf(after).some((id) => isElsewhere || !held.includes(id))
}

const secretsOf = ({ secretIds, secondSecretIds }: store.ScannerConfiguration) => [...secretIds, ...secondSecretIds]

const originOf = ({ targetUrl }: store.ScannerConfiguration) => targetUrl && new URL(targetUrl).origin

async function schemaAfter(
  trx: Trx,
  before: store.ScannerConfiguration,
  file: UploadedFile | null | undefined,
): Promise<Id | null> {
  if (file === undefined) return before.apiSchemaObjectId
  return file === null ? null : keepUpload(trx, before.companyId, file)
}

async function require(trx: Trx, companyId: Id, assetId: Id): Promise<store.ScannerConfiguration> {
  const configuration = await store.lockConfiguration(trx, companyId, assetId)
  if (!configuration) throw notFound('Asset', assetId)
  return configuration
}

function requireFew(ids: readonly Id[] | undefined, field: string): void {
  if (ids && ids.length > MOST_SECRETS) {
    throw badUserInput(`${field} takes at most ${MOST_SECRETS} secrets`, `input.${field}`)
  }
}

function requireSecrets(wanted: readonly Id[], found: readonly Id[]): void {
  const missing = wanted.find((id) => !found.includes(id))
  if (missing !== undefined) throw notFound('Secret', missing)
}

/** Deletes the asset's configuration; returns its id. */
export async function deleteScannerConfiguration(context: Context, assetId: Id): Promise<Id> {
  const { companyId } = await authorizeAsset(context, 'scans:configure', assetId)
  return transaction(context.db, async (trx) => {
    const before = await store.lockConfiguration(trx, companyId, assetId)
    if (!before) throw failedPrecondition('The asset has no scanner configuration')
    await store.deleteConfiguration(trx, before)
    await audit(trx, context, { companyId, object: `ScannerConfiguration ${before.id}`, before })
    return before.id
  })
}

/** The service calls this address. A name that resolves to a private address is refused when it is called. */
function requireCallable({ config }: Context, address: string, field: string): void {
  const refusal = refusalOfLiteral(new URL(address), config.outbound)
  if (refusal !== null) throw badUserInput(`${field} may not be called: it is ${refusal}`, `input.${field}`)
}

/** An http or https address without credentials. The scanner checks where it resolves to when it connects. */
function readTarget(text: string | null | undefined, field: string): string | null | undefined {
  if (text === null || text === undefined) return text
  const trimmed = text.trim()
  if (trimmed === '') return null
  const url = trimmed.length <= 2000 && /^https?:\/\//i.test(trimmed) ? URL.parse(trimmed) : null
  if (url?.username !== '' || url.password !== '') {
    throw badUserInput(`${field} is an http or https address without credentials`, `input.${field}`)
  }
  return trimmed
}
