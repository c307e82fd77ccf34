// API keys: who may issue, rotate and revoke them, and that no key gives more than it has.

import { type Trx, transaction } from '../../core/db/open.ts'
import { badUserInput, conflict, forbidden, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import type { Context, Viewer } from '../context.ts'
import { audit, auditAll } from './auditing.ts'
import { authorizeOwn } from './authorize.ts'
import { newKey } from './keys.ts'
import { covers, type Scope, scopes } from './permissions.ts'
import * as store from './store.ts'
import { takeEffectEverywhere } from './takes-effect.ts'

/** Keys of the viewer that see no more companies than the asking one; those of somebody else for an administrator only. */
export async function listApiKeys(context: Context, userId: Id | null): Promise<store.KeyRecord[]> {
  authorizeOwn(context, 'keys:read')
  const owner = userId ?? context.viewer.userId
  if (owner !== context.viewer.userId && !isAdministrator(context.viewer)) throw notFound('User', owner)
  return (await store.listKeys(context.db, owner)).filter(({ companyIds }) => isWithin(context.viewer, companyIds))
}

export type NewApiKey = {
  name: string
  userId: Id | null
  scopes: readonly string[] | null
  companyIds: readonly Id[] | null
  expiresAt: string | null
}

export type IssuedKey = { apiKey: store.KeyRecord; key: string }

/** Issues a key that can do no more than the one that asks for it. */
export async function createApiKey(context: Context, input: NewApiKey): Promise<IssuedKey> {
  authorizeOwn(context, 'keys:write')
  const { viewer } = context
  const userId = input.userId ?? viewer.userId
  if (userId !== viewer.userId && !isAdministrator(viewer)) throw notFound('User', userId)
  const wanted = readScopes(input.scopes ?? ['read', 'write'])
  const beyond = scopeBeyond(viewer, wanted)
  if (beyond) throw forbidden(`A key cannot give the scope ${beyond} that it does not have`)
  const companyIds = heldCompanies(viewer, input.companyIds)
  requireFuture(input.expiresAt, 'input.expiresAt')
  if (input.name.trim() === '' || input.name.length > 200)
    throw badUserInput('name has 1 to 200 characters', 'input.name')
  return transaction(context.db, async (trx) => {
    const [owner] = await store.findUsers(trx, [userId])
    if (!owner) throw notFound('User', userId)
    const expiresAt = await heldTime(trx, viewer, input.expiresAt)
    const issued = await issueKey(trx, {
      ...input,
      userId,
      issuedById: viewer.keyPublicId === null ? null : viewer.keyId,
      scopes: wanted,
      companyIds,
      expiresAt,
    })
    await audit(trx, context, { companyId: null, object: `ApiKey ${issued.apiKey.id}`, after: issued.apiKey })
    return issued
  })
}

/** A new key in the place of an old one, which ends at once; by a key that can do all that the old one can. */
export async function rotateApiKey(context: Context, id: Id): Promise<IssuedKey> {
  authorizeOwn(context, 'keys:write')
  const { viewer } = context
  const issued = await transaction(context.db, async (trx) => {
    const old = await lockOwnKey(trx, context, id)
    if (old.revokedAt !== null) throw conflict('The key is revoked already')
    if (old.expiresAt !== null && Date.parse(old.expiresAt) <= Date.now()) throw conflict('The key has expired already')
    const oldScopes = readScopes(old.scopes)
    requireReach(viewer, old, 'rotate')
    const end = await heldTime(trx, viewer, old.expiresAt)
    if (end !== old.expiresAt) throw forbidden(`A key cannot rotate one that outlives it: it ends at ${end}`)
    await store.updateKeyRevoked(trx, id)
    const next = await issueKey(trx, { ...old, issuedById: id, scopes: oldScopes })
    await store.updateIssuer(trx, id, next.apiKey.id)
    await audit(trx, context, { companyId: null, object: `ApiKey ${id}`, before: old, after: next.apiKey })
    return next
  })
  await takeEffectEverywhere(context)
  return issued
}

/** What ended: the key that was named, and with it those that it issued, and that these issued. */
export type RevokedKeys = { apiKey: store.KeyRecord; alsoRevoked: store.KeyRecord[] }

/** Ends a key, by one that can do all that it can, and what it issued where that is asked. No process accepts them once this has answered. */
export async function revokeApiKey(context: Context, id: Id, withIssued: boolean): Promise<RevokedKeys> {
  authorizeOwn(context, 'keys:write')
  const revoked = await transaction(context.db, async (trx) => {
    const named = await lockOwnKey(trx, context, id)
    requireReach(context.viewer, named, 'revoke')
    const issued = withIssued ? await store.lockIssued(trx, id) : []
    const apiKey = await store.updateKeyRevoked(trx, id)
    const alsoRevoked: store.KeyRecord[] = []
    for (const key of issued) alsoRevoked.push(await store.updateKeyRevoked(trx, key.id))
    const changes = [named, ...issued].map((before, index) => ({
      companyId: null,
      object: `ApiKey ${before.id}`,
      before,
      after: [apiKey, ...alsoRevoked][index],
    }))
    await auditAll(trx, context, changes)
    return { apiKey, alsoRevoked }
  })
  await takeEffectEverywhere(context)
  return revoked
}

export async function issueKey(
  trx: Trx,
  record: Omit<NewApiKey, 'userId' | 'scopes'> & { userId: Id; issuedById: Id | null; scopes: readonly Scope[] },
) {
  const { key, publicId, hash } = newKey()
  const { userId, issuedById, name, companyIds, expiresAt } = record
  return {
    apiKey: await store.insertKey(trx, {
      publicId,
      hash,
      userId,
      issuedById,
      name,
      scopes: record.scopes,
      companyIds,
      expiresAt,
    }),
    key,
  }
}

async function lockOwnKey(trx: Trx, { viewer }: Context, id: Id): Promise<store.KeyRecord> {
  const key = await store.lockKey(trx, id)
  if (!key || (key.userId !== viewer.userId && !isAdministrator(viewer))) throw notFound('ApiKey', id)
  return key
}

const isAdministrator = (viewer: Viewer) => viewer.isAdministrator && viewer.memberships === null

function readScopes(given: readonly string[]): Scope[] {
  const known: readonly string[] = scopes
  const unknown = given.find((scope) => !known.includes(scope))
  if (unknown !== undefined)
    throw badUserInput(`There is no scope ${unknown}; there are ${scopes.join(', ')}`, 'input.scopes')
  return scopes.filter((scope) => given.includes(scope))
}

const scopeBeyond = (viewer: Viewer, scopes: readonly Scope[]): Scope | undefined =>
  scopes.find((scope) => !covers(viewer.scopes, scope))

/** Whether a key held to these companies (null: to none in particular) sees no more than the viewer's. */
const isWithin = ({ heldTo }: Viewer, companyIds: readonly Id[] | null): boolean =>
  heldTo === null || (companyIds?.every((id) => heldTo.includes(id)) ?? false)

function requireReach(viewer: Viewer, key: store.KeyRecord, word: 'rotate' | 'revoke'): void {
  const beyond = scopeBeyond(viewer, readScopes(key.scopes))
  if (beyond) throw forbidden(`A key cannot ${word} one with the scope ${beyond}, which it does not have`)
  if (!isWithin(viewer, key.companyIds)) {
    throw forbidden(`A key cannot ${word} one that sees more companies than it does`)
  }
}

/** When a new key ends: as wanted, or with the asking key; FORBIDDEN where it would outlive that. */
async function heldTime(trx: Trx, { keyId, keyPublicId }: Viewer, wanted: string | null): Promise<string | null> {
  const asking = keyPublicId === null ? null : await store.findKey(trx, keyId)
  const end = asking?.expiresAt ?? null
  if (end === null || wanted === null) return wanted ?? end
  if (Date.parse(wanted) > Date.parse(end)) throw forbidden(`A key cannot give more time than its own, until ${end}`)
  return wanted
}

/** The companies of a new key: those wanted, if the viewer sees them; else those that the viewer's own key is held to. */
function heldCompanies({ memberships, heldTo }: Viewer, wanted: readonly Id[] | null): readonly Id[] | null {
  if (wanted === null) return heldTo
  const foreign = wanted.find((id) => memberships !== null && !memberships.has(id))
  if (foreign !== undefined) throw notFound('Company', foreign)
  return wanted
}
