// The webhook addresses of vendors: each has an unguessable part and a secret, and is registered with the vendor if possible.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { VendorFailed } from '../../connectors/errors.ts'
import type { HookRegistration } from '../../connectors/hooks.ts'
import type { SourceHost } from '../../connectors/source-host.ts'
import type { Tracker } from '../../connectors/tracker.ts'
import { sha256 } from '../../core/crypto.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import { resealingColumn } from '../../core/resealing.ts'
import type { Opened } from '../integrations/service.ts'
import type { Association } from './store.ts'
import * as store from './store-hooks.ts'

/** the length of an address's unguessable part, and of a secret, in bytes */
const BYTES = 32

const kept = z.strictObject({ token: z.string(), secret: z.string() })
type Kept = z.output<typeof kept>

const placeOf = (companyId: Id, id: Id) => ({ companyId, table: 'inbound_hook', row: id, column: 'sealed' })

type HookParts = { db: Db; keyring: Keyring; config: { publicUrl: string | null } }
type Place = Pick<store.Hook, 'companyId' | 'integrationId' | 'associationId'>

export const openSecret = async (
  { db, keyring }: Pick<HookParts, 'db' | 'keyring'>,
  hook: store.Hook & { bytes: Buffer; keyVersion: number },
): Promise<Kept> => kept.parse(JSON.parse(await keyring.unseal(db, placeOf(hook.companyId, hook.id), hook)))

/** The hook of this place; created if there is none. */
async function findOrMake(parts: HookParts, place: Place): Promise<{ hook: store.Hook; kept: Kept }> {
  const { db, keyring } = parts
  const found = await store.findHookAt(db, place)
  if (found) return { hook: found, kept: await openSecret(parts, found) }
  const made = { token: randomBytes(BYTES).toString('base64url'), secret: randomBytes(BYTES).toString('base64') }
  await transaction(db, async (trx) => {
    const id = await store.nextHookId(trx)
    const sealed = await keyring.seal(trx, placeOf(place.companyId, id), JSON.stringify(made))
    await store.insertHook(trx, { ...place, id, tokenHash: sha256(made.token), sealed })
  })
  return findOrMake(parts, place)
}

/** The address that a vendor calls; null if no public address is configured. */
const addressOf = ({ config }: Pick<HookParts, 'config'>, companyId: Id, token: string): string | null =>
  config.publicUrl === null ? null : `${config.publicUrl.replace(/(?<!\/)\/+$/, '')}/hooks/${companyId}-${token}`

/** What a person must enter at the vendor. */
export type ByHand = { url: string } & ReturnType<SourceHost['hookByHand']>

/**
 * Registers a webhook with the vendor for changes of the repository's branches; calling it again leaves one hook. `byHand` is set if the
 * credential may not register one, and `failure`, a sentence, if there is no public address or the vendor fails.
 */
export async function ensureHook(
  parts: HookParts,
  { connector, session }: Opened,
  { companyId, id, integrationId, externalProjectId }: Association,
): Promise<{ byHand: ByHand | null; failure: string | null }> {
  const source = connector.source
  if (!source) return { byHand: null, failure: null }
  const { hook, kept: own } = await findOrMake(parts, { companyId, integrationId, associationId: id })
  const url = addressOf(parts, companyId, own.token)
  if (url === null) {
    return { byHand: null, failure: 'No webhook: the operator has not set MERLON_PUBLIC_URL, the address to call' }
  }
  try {
    const plan = { projectId: externalProjectId, ownerId: null, url, secret: own.secret }
    const made = await source.ensureHook(session, plan)
    // whether a hook that a person creates is signed is only known from its calls
    const registration = { vendorId: made?.hookId ?? null, isSigned: made?.isSigned ?? false }
    if (!(await store.saveRegistration(parts.db, hook, registration)) && made) {
      // the association was removed meanwhile
      await source.removeHook(session, { projectId: externalProjectId, hookId: made.hookId })
    }
    return { byHand: made === null ? { url, ...source.hookByHand(own.secret) } : null, failure: null }
  } catch (error) {
    if (error instanceof VendorFailed) return { byHand: null, failure: error.message }
    throw error
  }
}

/**
 * Registers a webhook with a tracker for changes of cards, in these projects or, without any, in all; calling it again leaves one hook.
 * `isMade` is false if the credential may not register one, and a person must enter the address and secret. Null without a public address.
 */
export async function ensureTrackerHook(
  parts: HookParts,
  { session }: Opened,
  tracker: Tracker,
  { companyId, integrationId, projectIds }: { companyId: Id; integrationId: Id; projectIds: readonly string[] },
): Promise<{ isMade: boolean; url: string; secret: string } | null> {
  const { hook, kept: own } = await findOrMake(parts, { companyId, integrationId, associationId: null })
  const url = addressOf(parts, companyId, own.token)
  if (url === null) return null
  const places = projectIds.length === 0 ? [null] : projectIds
  const made: HookRegistration[] = []
  for (const projectId of places) {
    const one = await tracker.ensureHook(session, { projectId, ownerId: null, url, secret: own.secret })
    if (one !== null) made.push(one)
  }
  const secret = made[0]?.secret ?? own.secret
  if (secret !== own.secret) {
    await transaction(parts.db, async (trx) => {
      const sealed = await parts.keyring.seal(trx, placeOf(companyId, hook.id), JSON.stringify({ ...own, secret }))
      await store.updateHookSealed(trx, companyId, hook.id, sealed)
    })
  }
  const isMade = made.length === places.length
  const vendorId = made.map(({ hookId }) => hookId).join(',') || null
  if (!(await store.saveRegistration(parts.db, hook, { vendorId, isSigned: true })) && vendorId !== null) {
    await tracker.removeHook(session, { projectId: null, hookId: vendorId })
  }
  return { isMade, url, secret }
}

export const reencryptHooks = resealingColumn(placeOf, store.lockHooksBefore, store.updateHookSealed)
