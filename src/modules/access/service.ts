// Users, memberships, API keys and audit records, and the permission checks of all other modules.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { type Context, load } from '../context.ts'
import { audit } from './auditing.ts'
import { authorize, authorizeAdministrator, authorizeOwn, authorizeStill, seenBy } from './authorize.ts'
import type { Role } from './permissions.ts'
import * as store from './store.ts'
import { hasLeftRecords, listAuditRecords as listRecords } from './store-audit.ts'
import { takeEffectEverywhere } from './takes-effect.ts'

export { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts'
export { audit, auditAll, auditWhere } from './auditing.ts'
export {
  authorize,
  authorizeAdministrator,
  authorizeOwn,
  authorizeRecord,
  authorizeSomewhere,
  may,
  maySomewhere,
  seenAmong,
  seenBy,
} from './authorize.ts'
export { createFirstAdministrator, isUsableKey, replaceLostKey } from './first-administrator.ts'
export type { Action } from './permissions.ts'
export type { User } from './store.ts'
export type { AuditRecord } from './store-audit.ts'
export { type Author, findAuthor } from './store-authors.ts'
export type { KeyRecord } from './store-keys.ts'
export { takeEffectEverywhere } from './takes-effect.ts'

/** Users by id, for fields of other records that name one. */
export const loadUsers = async (context: Context, ids: readonly string[]): Promise<Map<string, store.User>> =>
  new Map((await store.findUsers(context.db, ids)).map((user) => [user.id, user]))

/** The members of the company with these addresses; BAD_USER_INPUT naming the first that is not a member. */
export async function membersByEmail(context: Context, companyId: Id, emails: readonly string[], argument: string) {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  if (wanted.length === 0) return []
  const members = await store.findMembersByEmail(context.db, companyId, wanted)
  const found = new Set(members.map(({ email }) => email.toLowerCase()))
  const missing = wanted.find((email) => !found.has(email))
  if (missing !== undefined) throw badUserInput(`${missing} is not a member of this company`, argument)
  return members
}

/** The addresses that belong to members of the company who are not disabled. */
export async function membersAmong(db: Db, companyId: Id, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return []
  const members = await store.findMembersByEmail(db, companyId, emails)
  return members.filter(({ disabledAt }) => disabledAt === null).map(({ email }) => email)
}

/** The members of the company with these ids; BAD_USER_INPUT naming the first that is not a member. */
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

/** The role of a user in a company; null for a user who is not a member, and for a company that the viewer does not see. */
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

/** Makes a user a member; creates the user if nobody has that address. */
export async function createPortalUser(context: Context, input: NewUser): Promise<store.User> {
  await authorize(context, 'members:manage', input.companyId)
  const email = input.email.trim()
  const name = readName(input.name, 'input.name', 200)
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320 || store.POSES_AS_ASCII.test(email))
    throw badUserInput('email is not an address', 'input.email')
  return transaction(context.db, async (trx) => {
    const user = (await store.insertUser(trx, { email, name })) ?? (await store.findUserByEmail(trx, email))
    if (!user) throw conflict('The user was changed at the same time', true)
    await authorizeStill(trx, context, 'members:manage', { companyId: input.companyId, userId: user.id })
    if (!(await store.insertMembership(trx, input.companyId, user.id, input.role))) {
      throw conflict(`${email} is a member of this company already`)
    }
    const after = { email, role: input.role }
    await audit(trx, context, { companyId: input.companyId, object: `PortalUser ${user.id}`, after })
    return user
  })
}

/** Sets a membership's role or, without a role, ends the membership. Administrators can still reach a company without members. */
export async function updatePortalUserAccess(context: Context, companyId: Id, userId: Id, role: Role | null) {
  await authorize(context, 'members:manage', companyId)
  const [user] = await store.findMembersById(context.db, companyId, [userId])
  if (!user) throw notFound('User', userId)
  await transaction(context.db, async (trx) => {
    await authorizeStill(trx, context, 'members:manage', { companyId, userId })
    const before = { role: await store.findRole(trx, companyId, userId) }
    if (role === null) await store.deleteMembership(trx, companyId, userId)
    else await store.upsertMembership(trx, companyId, userId, role)
    await audit(trx, context, { companyId, object: `PortalUser ${userId}`, before, after: { role } })
  })
  await takeEffectEverywhere(context)
  return { portalUser: user, companyId, role }
}

/** Records of a company; for an administrator also those of no company, or of a deleted one. */
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
