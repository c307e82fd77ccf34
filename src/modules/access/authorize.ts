// Decides whether the viewer may do something in a company, and restricts look-ups by id to the viewer's companies.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import { anyOf } from '../../core/db/any-of.ts'
import type { Trx } from '../../core/db/open.ts'
import { ApplicationError, forbidden, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Kind } from '../../core/kinds.ts'
import type { Context, Viewer } from '../context.ts'
import { type Action, actions, covers, type Role, reaches } from './permissions.ts'
import { hasCompany, lockRoles } from './store.ts'

/**
 * Passes if the viewer may do `action` in the company. NOT_FOUND for a company that the viewer does not see, whether it exists or not;
 * FORBIDDEN if the viewer sees it, but the key's scopes or the role do not suffice.
 */
export async function authorize(context: Context, action: Action, companyId: Id): Promise<void> {
  requireScope(context.viewer, action)
  const role = await roleIn(context, companyId)
  if (role === null) throw notFound('Company', companyId)
  requireRole(role, action)
}

/**
 * Refuses as authorize does, in the transaction of a change of members, by the role that the viewer has at that moment: one that was taken
 * away meanwhile cannot be taken back. Until the transaction ends, nobody else changes this role or that of the user whom it is about.
 */
export async function authorizeStill(
  trx: Trx,
  { viewer }: Context,
  action: Action,
  { companyId, userId }: { companyId: Id; userId: Id },
): Promise<void> {
  const roles = await lockRoles(trx, companyId, [viewer.userId, userId])
  if (viewer.isAdministrator) return
  const role = roles.get(viewer.userId)
  if (role === undefined) throw notFound('Company', companyId)
  requireRole(role, action)
}

/** Whether authorize passes; rethrows errors other than a refusal. */
export async function may(context: Context, action: Action, companyId: Id): Promise<boolean> {
  try {
    await authorize(context, action, companyId)
    return true
  } catch (error) {
    if (error instanceof ApplicationError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND')) return false
    throw error
  }
}

/** As authorize, for a record that `find` looks up with `seenBy`, so that only records of visible companies are found. */
export async function authorizeRecord<T extends { companyId: Id }>(
  context: Context,
  action: Action,
  kind: Kind,
  id: Id,
  find: () => Promise<T | null>,
): Promise<T> {
  requireScope(context.viewer, action)
  const record = await find()
  if (record === null) throw notFound(kind, id)
  requireRole(context.viewer.memberships === null ? 'OWNER' : context.viewer.memberships.get(record.companyId), action)
  return record
}

/** Whether the viewer may do `action` in any company, which can be checked before a record is looked up. */
export function maySomewhere({ scopes, memberships }: Viewer, action: Action): boolean {
  if (!covers(scopes, actions[action].scope)) return false
  return memberships === null || [...memberships.values()].some((role) => reaches(role, actions[action].role))
}

/** Passes if the viewer may do one of these in any company; otherwise FORBIDDEN for the first. */
export function authorizeSomewhere(viewer: Viewer, asked: readonly Action[]): void {
  if (asked.some((action) => maySomewhere(viewer, action))) return
  for (const action of asked) {
    requireScope(viewer, action)
    throw forbidden(`${action} requires the role ${actions[action].role} in a company`)
  }
}

/** Passes if the key's scopes suffice, for what belongs to its user and to no company. */
export const authorizeOwn = (context: Context, action: Action): void => requireScope(context.viewer, action)

/** Passes only administrators of the installation whose key is not restricted to some companies. */
export function authorizeAdministrator(context: Context, action: Action): void {
  requireScope(context.viewer, action)
  if (!context.viewer.isAdministrator || context.viewer.memberships !== null) {
    throw forbidden('Only an administrator of this installation may do this')
  }
}

function requireRole(role: Role | undefined, action: Action): void {
  const least = actions[action].role
  if (role === undefined || !reaches(role, least)) {
    throw forbidden(`${action} requires the role ${least} in this company; yours is ${role}`)
  }
}

function requireScope(viewer: Viewer, action: Action): void {
  const { scope, role } = actions[action]
  if (covers(viewer.scopes, scope)) return
  const isWithoutKey = viewer.keyPublicId === null
  throw forbidden(
    isWithoutKey ? `${action} requires the role ${role}` : `${action} requires a key with the scope ${scope}`,
  )
}

async function roleIn(context: Context, companyId: Id): Promise<Role | null> {
  const { memberships } = context.viewer
  if (memberships !== null) return memberships.get(companyId) ?? null
  return (await hasCompany(context.db, companyId)) ? 'OWNER' : null
}

/** SQL that is true for rows of the companies that the viewer sees; `column` is a company_id. */
export function seenBy(viewer: Viewer, column: string): RawBuilder<boolean> {
  const companyId = sql.ref(column)
  if (viewer.memberships === null) return sql`${companyId} in (select id from company)`
  return sql`${companyId} = any(${[...viewer.memberships.keys()]}::bigint[])`
}

/**
 * SQL that is true for those rows with these ids that the viewer sees, of a table or view whose key is its company and its id. The planner sees
 * neither companies nor ids: it would read all rows of a company that it takes for small rather than look up a hundred.
 */
export function seenAmong(
  viewer: Viewer,
  companyId: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  ids: readonly Id[],
): RawBuilder<boolean> {
  const isAmong = sql`${id} = ${anyOf(ids)}`
  if (viewer.memberships === null) return sql`${companyId} in (select id from company) and ${isAmong}`
  const companies = [...viewer.memberships.keys()]
  const [own, ...others] = companies
  const isSeen = own !== undefined && others.length === 0 ? anyCompany(own) : anyOf(companies)
  return sql`${companyId} = ${isSeen} and ${isAmong}`
}
