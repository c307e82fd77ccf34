// API keys: who may issue, rotate and revoke them. No key can issue one with more rights than its own.

import { type Trx, transaction } from '../../core/db/open.ts'
import { ApplicationError, badUserInput, conflict, forbidden, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import { readName } from '../../core/text.ts'
import type { Context, Viewer } from '../context.ts'
import { audit, auditAll } from './auditing.ts'
import { authorizeOwn } from './authorize.ts'
import { newKey } from './keys.ts'
import { covers, type Scope, scopes } from './permissions.ts'
import { findCompanyIds, findUsers } from './store.ts'
import * as store from './store-keys.ts'
import { updateSessionKey } from './store-sessions.ts'
import { takeEffectEverywhere } from './takes-effect.ts'

/** The viewer's keys that see no more companies than the calling key; an administrator may list those of another user. */
export async function listApiKeys(context: Context, userId: Id | null): Promise<store.KeyRecord[]> {
  authorizeOwn(context, 'keys:read')
  const owner = userId ?? context.viewer.userId
  if (owner !== context.viewer.userId && !isAdministrator(context.viewer)) throw notFound('User', owner)
  return (await store.listKeys(context.db, owner)).filter(({ companyIds }) => isWithin(context.viewer, companyIds))
}

type NewApiKey = {
  name: string
  userId: Id | null
  scopes: readonly string[] | null
  companyIds: readonly Id[] | null
  expiresAt: string | null
}

type IssuedKey = { apiKey: store.KeyRecord; key: string }

/** Issues a key with at most the rights of the calling key. */
export async function createApiKey(context: Context, input: NewApiKey): Promise<IssuedKey> {
  authorizeOwn(context, 'keys:write')
  const { viewer } = context
  const userId = input.userId ?? viewer.userId
  if (userId !== viewer.userId && !isAdministrator(viewer)) throw notFound('User', userId)
  const wanted = readScopes(input.scopes ?? ['read', 'write'])
  const beyond = scopeBeyond(viewer, wanted)
  if (beyond) throw forbidden(`A key cannot give the scope ${beyond} that it does not have`)
  const companyIds = await heldCompanies(context, input.companyIds)
  requireFuture(input.expiresAt, 'input.expiresAt')
  const name = readName(input.name, 'input.name', 200)
  return transaction(context.db, async (trx) => {
    const [owner] = await findUsers(trx, [userId])
    if (!owner) throw notFound('User', userId)
    const asking = await holdAskingKey(trx, viewer)
    const expiresAt = heldTime(asking, input.expiresAt)
    const issuedById = asking?.id ?? null
    const issued = await issueKey(trx, { ...input, name, userId, issuedById, scopes: wanted, companyIds, expiresAt })
    await audit(trx, context, { companyId: null, object: `ApiKey ${issued.apiKey.id}`, after: issued.apiKey })
    return issued
  })
}

/**
 * Replaces a key by a new one; the old one ends at once, and so do its sessions, except for the one that asks: that goes on with the new key.
 * The calling key needs all the rights of the old one.
 */
export async function rotateApiKey(context: Context, id: Id): Promise<IssuedKey> {
  authorizeOwn(context, 'keys:write')
  const { viewer } = context
  const issued = await transaction(context.db, async (trx) => {
    const old = await lockOwnKey(trx, context, id)
    if (old.revokedAt !== null) throw conflict('The key is revoked already')
    if (old.expiresAt !== null && Date.parse(old.expiresAt) <= Date.now()) throw conflict('The key has expired already')
    const oldScopes = readScopes(old.scopes)
    requireReach(viewer, old, 'rotate')
    const asking = await holdAskingKey(trx, viewer)
    const end = heldTime(asking, old.expiresAt)
    if (end !== old.expiresAt) throw forbidden(`A key cannot rotate one that outlives it: it ends at ${end}`)
    await store.updateKeysRevoked(trx, [id])
    const next = await issueKey(trx, { ...old, issuedById: asking?.id ?? null, scopes: oldScopes })
    if (viewer.sessionId && viewer.keyId === id) await updateSessionKey(trx, viewer.sessionId, next.apiKey.id)
    await audit(trx, context, { companyId: null, object: `ApiKey ${id}`, before: old, after: next.apiKey })
    return next
  })
  await takeEffectEverywhere(context)
  return issued
}

/** The revoked keys: the named one, and those that it issued, directly or indirectly. */
type RevokedKeys = { apiKey: store.KeyRecord; alsoRevoked: store.KeyRecord[] }

/**
 * Revokes a key and, with `withIssued`, the keys that it issued. The calling key needs all the rights of the revoked one. Once this returns,
 * no process accepts them.
 */
export async function revokeApiKey(context: Context, id: Id, withIssued: boolean): Promise<RevokedKeys> {
  authorizeOwn(context, 'keys:write')
  const revoked = await transaction(context.db, async (trx) => {
    const named = await lockOwnKey(trx, context, id)
    requireReach(context.viewer, named, 'revoke')
    const issued = withIssued ? await lockIssued(trx, id) : []
    const ending = [named, ...issued.filter(({ revokedAt }) => revokedAt === null)]
    const endingIds = ending.map((key) => key.id)
    const ended = new Map((await store.updateKeysRevoked(trx, endingIds)).map((key) => [key.id, key]))
    const changes = ending.map((before) => ({
      companyId: null,
      object: `ApiKey ${before.id}`,
      before,
      after: ended.get(before.id),
    }))
    await auditAll(trx, context, changes)
    const { [id]: apiKey = named, ...others } = Object.fromEntries(ended)
    return { apiKey, alsoRevoked: Object.values(others) }
  })
  await takeEffectEverywhere(context)
  return revoked
}

/** All keys that a key issued, directly or indirectly. Each generation is locked before the next is read, so that it cannot issue more. */
async function lockIssued(trx: Trx, id: Id): Promise<store.KeyRecord[]> {
  const all: store.KeyRecord[] = []
  for (let parents = [id]; parents.length > 0; ) {
    const issued = await store.lockIssuedBy(trx, parents)
    all.push(...issued)
    parents = issued.map((key) => key.id)
  }
  return all
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

/** Whether a key restricted to these companies (null: unrestricted) sees no more than the viewer's. */
const isWithin = ({ heldTo }: Viewer, companyIds: readonly Id[] | null): boolean =>
  heldTo === null || (companyIds?.every((id) => heldTo.includes(id)) ?? false)

function requireReach(viewer: Viewer, key: store.KeyRecord, word: 'rotate' | 'revoke'): void {
  const beyond = scopeBeyond(viewer, readScopes(key.scopes))
  if (beyond) throw forbidden(`A key cannot ${word} one with the scope ${beyond}, which it does not have`)
  if (!isWithin(viewer, key.companyIds)) {
    throw forbidden(`A key cannot ${word} one that sees more companies than it does`)
  }
}

/** Locks the calling key, so that it cannot be revoked meanwhile; null for a session without a key. */
async function holdAskingKey(trx: Trx, { keyId, keyPublicId }: Viewer): Promise<store.KeyRecord | null> {
  if (keyPublicId === null) return null
  const asking = await store.holdKey(trx, keyId)
  if (asking === null || asking.revokedAt !== null) throw new ApplicationError('UNAUTHENTICATED', 'The key is revoked')
  return asking
}

/** When a new key expires: as requested, or else together with the calling key; FORBIDDEN if it would outlive that one. */
function heldTime(asking: store.KeyRecord | null, wanted: string | null): string | null {
  const end = asking?.expiresAt ?? null
  if (end === null || wanted === null) return wanted ?? end
  if (Date.parse(wanted) > Date.parse(end)) throw forbidden(`A key cannot give more time than its own, until ${end}`)
  return wanted
}

/** The companies of a new key: the requested ones, if the viewer sees them, or else those to which the viewer's own key is restricted. */
async function heldCompanies(context: Context, wanted: readonly Id[] | null): Promise<readonly Id[] | null> {
  if (wanted === null) return context.viewer.heldTo
  const { memberships } = context.viewer
  const seen = memberships ?? new Set(await findCompanyIds(context.db, wanted))
  const foreign = wanted.find((id) => !seen.has(id))
  if (foreign !== undefined) throw notFound('Company', foreign)
  return wanted
}
