// Users, memberships, API keys and audit records: what may be asked and changed, and the permission of every other module.

import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import { type Actor, appendAudit, appendAudits, auditing, type Change } from '../../core/audit.ts'
import { afterCommit, type Db, type Trx, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, conflict, forbidden, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import { type Context, load, type Viewer } from '../context.ts'
import { authorize, authorizeAdministrator, authorizeOwn, seenBy } from './authorize.ts'
import { newKey } from './keys.ts'
import { covers, type Role, type Scope, scopes } from './permissions.ts'
import * as store from './store.ts'
import { hasLeftRecords, listAuditRecords as listRecords } from './store-audit.ts'
import { VIEWER_LEASE } from './viewers.ts'

export {
  authorize,
  authorizeAdministrator,
  authorizeOwn,
  authorizeRecord,
  authorizeSomewhere,
  may,
  maySomewhere,
  seenBy,
} from './authorize.ts'
export type { Action, Role, Scope } from './permissions.ts'
export type { KeyRecord, User } from './store.ts'
export type { AuditRecord } from './store-audit.ts'
export { type Author, findAuthor } from './store-authors.ts'

/** Writes what was changed into the audit records, in the transaction of the change. */
export const audit = (trx: Trx, context: Context, change: Change): Promise<void> =>
  appendAudit(trx, context.keyring.auditKey, actorOf(context), change)

/** As audit, for many changes in one statement. */
export const auditAll = (trx: Trx, context: Context, changes: readonly Change[]): Promise<void> =>
  appendAudits(trx, context.keyring.auditKey, actorOf(context), changes)

/** As audit, as a part of the statement that changes: it writes where `condition` holds. */
export const auditWhere = (context: Context, change: Change, condition: RawBuilder<boolean>): RawBuilder<unknown> =>
  auditing(context.keyring.auditKey, actorOf(context), [change], condition)

const actorOf = ({ viewer, request }: Context): Actor => ({
  userId: viewer.userId,
  keyPublicId: viewer.keyPublicId,
  address: request.address,
  requestId: request.id,
  operation: request.operation,
})

/** Users by id, for fields of other records that name one. */
export const loadUsers = async (context: Context, ids: readonly string[]): Promise<Map<string, store.User>> =>
  new Map((await store.findUsers(context.db, ids)).map((user) => [user.id, user]))

/** The members of the company with these addresses; BAD_USER_INPUT naming the first that is none. */
export async function membersByEmail(context: Context, companyId: Id, emails: readonly string[], argument: string) {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  if (wanted.length === 0) return []
  const members = await store.findMembersByEmail(context.db, companyId, wanted)
  const found = new Set(members.map(({ email }) => email.toLowerCase()))
  const missing = wanted.find((email) => !found.has(email))
  if (missing !== undefined) throw badUserInput(`${missing} is not a member of this company`, argument)
  return members
}

/** Those of these addresses that belong to members of the company who are not disabled. */
export async function membersAmong(db: Db, companyId: Id, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return []
  const members = await store.findMembersByEmail(db, companyId, emails)
  return members.filter(({ disabledAt }) => disabledAt === null).map(({ email }) => email)
}

/** The members of the company with these ids; BAD_USER_INPUT naming the first that is none. */
export async function membersById(context: Context, companyId: Id, ids: readonly Id[], argument: string) {
  if (ids.length === 0) return []
  const members = await store.findMembersById(context.db, companyId, ids)
  const found = new Set(members.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw badUserInput(`User ${missing} is not a member of this company`, argument)
  return members
}

export async function getViewer(context: Context): Promise<store.User> {
  const [user] = await store.findUsers(context.db, [context.viewer.userId])
  if (!user) throw notFound('User', context.viewer.userId)
  return user
}

/** `search`: part of the name or the address, in any case. */
export async function listPortalUsers(
  context: Context,
  companyId: Id,
  search: string | null,
  page: PageRequest,
): Promise<Page<store.User>> {
  await authorize(context, 'company:read', companyId)
  return store.listMembers(context.db, companyId, search, page)
}

export async function getPortalUserProfile(context: Context, companyId: Id, id: Id | null): Promise<store.User> {
  await authorize(context, 'company:read', companyId)
  if (id === null || id === context.viewer.userId) return getViewer(context)
  const [member] = await store.findMembersById(context.db, companyId, [id])
  if (!member) throw notFound('User', id)
  return member
}

/** The role of a user in a company; null for who is no member, and for a company that the viewer does not see. */
export async function getRole(context: Context, companyId: Id, userId: Id): Promise<Role | null> {
  authorizeOwn(context, 'company:read')
  return load(context, loadRoles, `${companyId}/${userId}`)
}

async function loadRoles(context: Context, pairs: readonly string[]): Promise<Map<string, Role>> {
  const parts = pairs.map((pair) => pair.split('/'))
  const column = (place: number) => parts.map((part) => part[place] ?? '')
  return store.findRoles(context.db, seenBy(context.viewer, 'company_id'), column(0), column(1))
}

type NewUser = { companyId: Id; email: string; name: string; role: Role }

/** Makes a user a member, and the user where there is none with that address. */
export async function createPortalUser(context: Context, input: NewUser): Promise<store.User> {
  await authorize(context, 'members:manage', input.companyId)
  const email = input.email.trim()
  const name = input.name.trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320 || store.POSES_AS_ASCII.test(email))
    throw badUserInput('email is not an address', 'input.email')
  if (name.length === 0 || name.length > 200) throw badUserInput('name has 1 to 200 characters', 'input.name')
  return transaction(context.db, async (trx) => {
    const user = (await store.insertUser(trx, { email, name })) ?? (await store.findUserByEmail(trx, email))
    if (!user) throw conflict('The user was being changed', true)
    if (!(await store.insertMembership(trx, input.companyId, user.id, input.role))) {
      throw conflict(`${email} is a member of this company already`)
    }
    const after = { email, role: input.role }
    await audit(trx, context, { companyId: input.companyId, object: `PortalUser ${user.id}`, after })
    return user
  })
}

/** Sets or, with no role, ends a membership. A company keeps at least one way in: its administrator. */
export async function updatePortalUserAccess(context: Context, companyId: Id, userId: Id, role: Role | null) {
  await authorize(context, 'members:manage', companyId)
  const [user] = await store.findMembersById(context.db, companyId, [userId])
  if (!user) throw notFound('User', userId)
  await transaction(context.db, async (trx) => {
    const before = { role: await store.findRole(trx, companyId, userId) }
    if (role === null) await store.deleteMembership(trx, companyId, userId)
    else await store.upsertMembership(trx, companyId, userId, role)
    await audit(trx, context, { companyId, object: `PortalUser ${userId}`, before, after: { role } })
  })
  await takeEffectEverywhere(context)
  return { portalUser: user, companyId, role }
}

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
    const issued = await issueKey(trx, { ...input, userId, scopes: wanted, companyIds, expiresAt })
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
    const next = await issueKey(trx, { ...old, scopes: oldScopes })
    await audit(trx, context, { companyId: null, object: `ApiKey ${id}`, before: old, after: next.apiKey })
    return next
  })
  await takeEffectEverywhere(context)
  return issued
}

/** Ends a key, by one that can do all that it can. No process accepts it once this has answered. */
export async function revokeApiKey(context: Context, id: Id): Promise<store.KeyRecord> {
  authorizeOwn(context, 'keys:write')
  const revoked = await transaction(context.db, async (trx) => {
    const before = await lockOwnKey(trx, context, id)
    requireReach(context.viewer, before, 'revoke')
    const after = await store.updateKeyRevoked(trx, id)
    await audit(trx, context, { companyId: null, object: `ApiKey ${id}`, before, after })
    return after
  })
  await takeEffectEverywhere(context)
  return revoked
}

/** Records of a company, or for an administrator those that belong to none, or to a company that is gone and left them. */
export async function listAuditRecords(
  context: Context,
  companyId: Id | null,
  search: string | null,
  page: PageRequest,
) {
  const { db, viewer } = context
  const isLeft = companyId !== null && viewer.memberships === null && (await hasLeftRecords(db, companyId))
  if (companyId === null || isLeft) authorizeAdministrator(context, 'audit:read')
  else await authorize(context, 'audit:read', companyId)
  return listRecords(db, companyId, search, page)
}

/**
 * Makes the first administrator with a key of every scope, when there is no administrator yet; else null. `keep` gets the key
 * before anything is committed, so that no administrator exists whose key nobody has.
 */
export async function createFirstAdministrator(
  db: Db,
  keep: (key: string) => Promise<void> = async () => {},
): Promise<string | null> {
  return transaction(db, async (trx) => {
    if (await store.hasAdministrator(trx)) return null
    const user = await store.insertUser(trx, { email: 'admin@localhost', name: 'Administrator', isAdministrator: true })
    if (!user) return null
    const everything = { userId: user.id, name: 'First key', scopes, companyIds: null, expiresAt: null }
    const { key } = await issueKey(trx, everything)
    await keep(key)
    return key
  })
}

async function issueKey(
  trx: Trx,
  record: Omit<NewApiKey, 'userId' | 'scopes'> & { userId: Id; scopes: readonly Scope[] },
) {
  const { key, publicId, hash } = newKey()
  const { userId, name, companyIds, expiresAt } = record
  return {
    apiKey: await store.insertKey(trx, { publicId, hash, userId, name, scopes: record.scopes, companyIds, expiresAt }),
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

/** Once the change is committed, waits until every process has let go of what it remembered of keys and memberships. */
export const takeEffectEverywhere = (context: Context): Promise<void> =>
  afterCommit(context.db, async () => {
    context.forgetViewers()
    await sleep(VIEWER_LEASE)
  })
