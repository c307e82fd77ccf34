// Integrations: who may see and change them, and how their credentials are checked and encrypted.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { ApplicationError, badUserInput, conflict, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { resealingColumn } from '../../core/resealing.ts'
import { audit, authorize } from '../access/service.ts'
import type { ToolTypeCategory } from '../api.generated.ts'
import { holdCompany } from '../companies/service.ts'
import type { Context, Viewer } from '../context.ts'
import { authorizeIntegration, openConnection, placeOf, requireOne } from './connections.ts'
import { takeState } from './consent.ts'
import {
  addressOf,
  blankSettings,
  changedSettings,
  type Given,
  type GivenCredential,
  type IntegrationType,
  type KeptCredential,
  readCredential,
  readSettings,
  type Settings,
  writeCredential,
} from './kinds.ts'
import * as store from './store.ts'
import { departHooks } from './store-departed.ts'
import { noteFailure, noteSuccess } from './store-health.ts'
import { vendor } from './vendor.ts'

export {
  type Configured,
  getConfiguration,
  openForAnswer,
  placeOfConfiguration,
  type TrackerConfiguration,
} from './boards.ts'
export { authorizeIntegration } from './connections.ts'
export { forgetDeparted, openDeparted } from './departed.ts'
export { type GivenMapping, readStatusMappings } from './mappings.ts'
export type { Integration } from './store.ts'
export { findCompanyIntegration as findIntegration } from './store.ts'
export type { Opened } from './vendor-sessions.ts'
export { openForWork } from './working.ts'

/** Per type and company. */
const MOST_OF_TYPE = 20

/** Integrations by id; only those that the viewer sees. */
export const loadIntegrations = async (context: Context, ids: readonly string[]) =>
  new Map((await store.findIntegrations(context.db, context.viewer, ids)).map((found) => [found.id, found]))

/** company → the types of its integrations. */
export const loadTypesOfCompanies = async (context: Context, companyIds: readonly string[]) =>
  new Map(
    (await store.findTypes(context.db, context.viewer, companyIds)).map(({ companyId, types }) => [companyId, types]),
  )

export const getIntegration = (context: Context, id: Id): Promise<store.Integration> =>
  authorizeIntegration(context, 'integrations:read', id)

export async function listIntegrations(
  context: Context,
  companyId: Id,
  type: ToolTypeCategory | null,
  page: PageRequest,
): Promise<Page<store.Integration>> {
  await authorize(context, 'integrations:read', companyId)
  return store.listIntegrations(context.db, companyId, type, page)
}

/** The access key: whole for a caller that may manage integrations, otherwise only its last four characters. */
export function shownAccessKey({ viewer }: { viewer: Viewer }, { companyId, accessKey }: store.Integration) {
  if (accessKey === null) return null
  const isOwner = viewer.memberships === null || viewer.memberships.get(companyId) === 'OWNER'
  return isOwner && viewer.scopes.includes('integrations:manage') ? accessKey : masked(accessKey)
}

const masked = (accessKey: string) => `****${accessKey.length < 12 ? '' : accessKey.slice(-4)}`

/** The fields of an integration that audit records may contain. */
const told = ({ integrationType, settings, hasCredential, accessKey }: store.Integration) => ({
  integrationType,
  settings,
  hasCredential,
  accessKey: accessKey && masked(accessKey),
})

/** Selects an integration: by its id, the only one of its type, or a new one. */
type Target = { companyId: Id; type: IntegrationType; integrationId: Id | null; addAnother: boolean }

/**
 * Creates or changes an integration. A credential is stored once the vendor has accepted it; without one only the settings are stored.
 */
export async function saveIntegration(context: Context, target: Target, given: Given): Promise<store.Integration> {
  const { companyId, type } = target
  await authorize(context, 'integrations:write', companyId)
  const credential = readCredential(type, given)
  const change = readSettings(given)
  const settingsOf = (before: store.Integration | null) => changedSettings(before?.settings ?? blankSettings, change)
  const seen = await findTarget(context.db, target)
  const checkedFor = settingsOf(seen)
  requireCredential(seen, checkedFor, credential !== null)
  const checked = credential && (await check(context, target, credential, checkedFor))
  return transaction(context.db, async (trx) => {
    await holdCompany(trx, companyId)
    const before = await findTarget(trx, target)
    const settings = settingsOf(before)
    requireCredential(before, settings, checked !== null)
    if (checked && addressOf(settings) !== addressOf(checkedFor)) {
      throw conflict('The integration was changed while its credential was checked', true)
    }
    const id = before?.id ?? (await store.nextIntegrationId(trx))
    const write = checked && {
      sealed: await context.keyring.seal(trx, placeOf(companyId, id), writeCredential(checked)),
      accessKey: checked.kind === 'KEY_PAIR' ? checked.accessKey : null,
      expiresAt: checked.kind === 'OAUTH' ? checked.expiresAt : null,
    }
    const row = { companyId, id, type, settings, createdById: context.viewer.userId }
    if (before && hasMoved(before.settings, settings)) await departHooks(trx, before)
    const after = before
      ? await store.updateIntegration(trx, before, settings, write)
      : await store.insertIntegration(trx, row, write)
    await audit(trx, context, {
      companyId,
      object: `Integration ${id}`,
      before: before ? told(before) : undefined,
      after: { ...told(after), credentialReplaced: checked !== null },
    })
    return after
  })
}

/** Returns the credential to store once the vendor has accepted it; the state of an OAuth code must be one that we issued. */
async function check(
  context: Context,
  { companyId, type }: Target,
  credential: GivenCredential,
  settings: Settings,
): Promise<KeptCredential> {
  if (credential.kind !== 'OAUTH_CODE') return vendor(context).checkCredential(type, credential, settings)
  const verifier = await takeState(context, companyId, type, settings, credential.state)
  return vendor(context).checkCredential(type, { ...credential, verifier }, settings)
}

async function findTarget(
  db: Db,
  { companyId, type, integrationId, addAnother }: Target,
): Promise<store.Integration | null> {
  if (integrationId !== null) {
    if (addAnother)
      throw badUserInput('A new integration has no id yet; leave out integrationId', 'input.integrationId')
    const found = await store.findCompanyIntegration(db, companyId, integrationId)
    if (found?.integrationType !== type) throw notFound('Integration', integrationId)
    return found
  }
  const found = await store.findOfType(db, companyId, type, MOST_OF_TYPE)
  if (!addAnother) return requireOne(found, type, 'input.integrationId')
  if (found.length < MOST_OF_TYPE) return null
  throw failedPrecondition(`The company has ${MOST_OF_TYPE} integrations of ${type}, the maximum`)
}

/** A credential is never sent to another address than the one that it was given for. */
function requireCredential(before: store.Integration | null, settings: Settings, isGiven: boolean): void {
  if (isGiven || !before?.hasCredential || addressOf(before.settings) === addressOf(settings)) return
  throw badUserInput('Changing the address requires the credential again', 'input')
}

/** Objects that were created at one address do not exist at another. */
const hasMoved = (before: Settings, after: Settings): boolean =>
  addressOf(before) !== addressOf(after) || before.organizationName !== after.organizationName

/** Asks the vendor once; `sentence` says why the credential was not accepted, also for FAILED_PRECONDITION. */
export async function testIntegration(
  context: Context,
  id: Id,
): Promise<{ integration: store.Integration; isAccepted: boolean; sentence: string | null }> {
  const integration = await authorizeIntegration(context, 'integrations:write', id)
  const { companyId } = integration
  let sentence: string | null = null
  try {
    await vendor(context).checkConnection(await openConnection(context, integration))
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error
    sentence = error.message
  }
  const isAccepted = sentence === null
  await transaction(context.db, async (trx) => {
    if (sentence === null) await noteSuccess(trx, { companyId, integrationId: id }, null)
    else await noteFailure(trx, { companyId, integrationId: id }, sentence)
    await audit(trx, context, { companyId, object: `Integration ${id}`, after: { tested: isAccepted } })
  })
  return {
    integration: (await store.findCompanyIntegration(context.db, companyId, id)) ?? integration,
    isAccepted,
    sentence,
  }
}

/** Deletes an integration with its configurations. A job keeps its credential until its webhooks have been removed. */
export async function deleteIntegration(context: Context, id: Id): Promise<Id> {
  const { companyId } = await authorizeIntegration(context, 'integrations:write', id)
  return transaction(context.db, async (trx) => {
    await holdCompany(trx, companyId)
    const before = await store.findCompanyIntegration(trx, companyId, id)
    if (!before) throw notFound('Integration', id)
    await store.deleteIntegration(trx, before)
    await audit(trx, context, { companyId, object: `Integration ${id}`, before: told(before) })
    return id
  })
}

export const reencryptCredentials = resealingColumn(placeOf, store.lockSealedBefore, store.updateSealed)

export async function requireIntegrations(context: Context, companyId: Id, ids: readonly Id[]): Promise<void> {
  const found = await store.findCompanyIds(context.db, companyId, ids)
  const missing = ids.find((id) => !found.includes(id))
  if (missing !== undefined) throw notFound('Integration', missing)
}

export async function loadIntegrationTypes(context: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await loadIntegrations(context, ids)
  return new Map([...found].map(([id, { integrationType }]) => [id, integrationType]))
}
