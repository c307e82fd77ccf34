// The SQL of users and memberships, of the credentials that requests come with, and of idempotency records.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { Role } from './permissions.ts'

export type User = {
  id: Id
  email: string
  name: string
  isAdministrator: boolean
  disabledAt: string | null
  createdAt: string
}

/** All that a request needs to know of the key it came with; one statement. */
export type Credential = {
  hash: Buffer
  keyId: Id
  userId: Id
  email: string
  name: string
  isAdministrator: boolean
  scopes: string[]
  companyIds: Id[] | null
  memberships: { companyId: string; role: Role }[]
  isUsable: boolean
  /** milliseconds until the key expires */
  expiresIn: number | null
}

export async function findCredential(db: Db, publicId: string): Promise<Credential | null> {
  const { rows } = await sql<Credential>`
    select k.hash, k.id as "keyId", u.id as "userId", u.email, u.name, u.is_administrator as "isAdministrator", k.scopes,
           k.company_ids::text[] as "companyIds",
           coalesce((select jsonb_agg(jsonb_build_object('companyId', m.company_id::text, 'role', m.role))
                     from membership m where m.user_id = u.id), '[]') as memberships,
           k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and u.disabled_at is null as "isUsable",
           (extract(epoch from k.expires_at - now()) * 1000)::float8 as "expiresIn"
    from api_key k join portal_user u on u.id = k.user_id
    where k.public_id = ${publicId}`.execute(db)
  return rows[0] ?? null
}

/** Writes last uses, at most one a key and minute. */
export async function updateLastUses(db: Db, keyIds: readonly Id[]): Promise<void> {
  await sql`update api_key set last_used_at = now() where id = any(${keyIds}::bigint[])
            and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(db)
}

const userColumns = [
  'id',
  'email',
  'name',
  'is_administrator as isAdministrator',
  'disabled_at as disabledAt',
  'portal_user.created_at as createdAt',
] as const

export async function findUsers(db: Db, ids: readonly Id[]): Promise<User[]> {
  return db.selectFrom('portal_user').select(userColumns).where('id', 'in', ids).execute()
}

/** Signs that are no ASCII, and whose small letter is: an address with one would be taken for another's. */
export const POSES_AS_ASCII = /[\u0130\u212A]/

export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  if (POSES_AS_ASCII.test(email)) return null
  const found = db.selectFrom('portal_user').select(userColumns).where(sql`lower(email)`, '=', email.toLowerCase())
  return (await found.executeTakeFirst()) ?? null
}

/** The members of a company with such addresses; others are left out. */
export async function findMembersByEmail(db: Db, companyId: Id, emails: readonly string[]): Promise<User[]> {
  return db
    .selectFrom('portal_user')
    .innerJoin('membership', 'membership.user_id', 'portal_user.id')
    .select(userColumns)
    .where('membership.company_id', '=', companyId)
    .where(
      sql`lower(email)`,
      'in',
      emails.map((email) => email.toLowerCase()),
    )
    .execute()
}

export async function findMembersById(db: Db, companyId: Id, ids: readonly Id[]): Promise<User[]> {
  return db
    .selectFrom('portal_user')
    .innerJoin('membership', 'membership.user_id', 'portal_user.id')
    .select(userColumns)
    .where('membership.company_id', '=', companyId)
    .where('id', 'in', ids)
    .execute()
}

export async function listMembers(
  db: Db,
  companyId: Id,
  search: string | null,
  page: PageRequest,
): Promise<Page<User>> {
  const members = db
    .selectFrom('portal_user')
    .innerJoin('membership', 'membership.user_id', 'portal_user.id')
    .select(userColumns)
    .where('membership.company_id', '=', companyId)
  const wanted =
    search === null
      ? members
      : members.where(
          sql<boolean>`(strpos(lower(portal_user.name), ${search.toLowerCase()}) > 0
      or strpos(lower(portal_user.email), ${search.toLowerCase()}) > 0)`,
        )
  return newestFirst(db, wanted, page, 'portal_user.id')
}

/** The new user; null where somebody has the address already, also when that was committed a moment ago. */
export async function insertUser(
  trx: Trx,
  user: { email: string; name: string; isAdministrator?: boolean },
): Promise<User | null> {
  const inserted = await trx
    .insertInto('portal_user')
    .values({ email: user.email, name: user.name, is_administrator: user.isAdministrator ?? false })
    .onConflict((taken) => taken.doNothing())
    .returning(userColumns)
    .executeTakeFirst()
  return inserted ?? null
}

/** The user for a change; null where there is none. */
export async function lockUser(trx: Trx, id: Id): Promise<User | null> {
  return (
    (await trx.selectFrom('portal_user').select(userColumns).where('id', '=', id).forUpdate().executeTakeFirst()) ??
    null
  )
}

/** Disables the user from now on, or enables it. */
export async function updateUserDisabled(trx: Trx, id: Id, isDisabled: boolean): Promise<User> {
  return trx
    .updateTable('portal_user')
    .set({ disabled_at: isDisabled ? sql`coalesce(disabled_at, now())` : null })
    .where('id', '=', id)
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}

export async function hasAdministrator(db: Db): Promise<boolean> {
  return (
    (await db.selectFrom('portal_user').select('id').where('is_administrator', '=', true).executeTakeFirst()) !==
    undefined
  )
}

/** An enabled administrator, locked, if none has a key that works everywhere and can issue others. One caller at a time. */
export async function lockAdministratorWithoutKeys(trx: Trx): Promise<Id | null> {
  await sql`select pg_advisory_xact_lock(hashtext('administrator_key'))`.execute(trx)
  const { rows } = await sql<{ id: Id }>`
    select id from portal_user
    where is_administrator and disabled_at is null and not exists (
      select from api_key join portal_user as holder on holder.id = api_key.user_id
      where holder.is_administrator and holder.disabled_at is null and revoked_at is null
        and (expires_at is null or expires_at > now()) and company_ids is null and 'write' = any(scopes))
    order by id limit 1 for update`.execute(trx)
  return rows[0]?.id ?? null
}

export async function findRole(db: Db, companyId: Id, userId: Id): Promise<Role | null> {
  const membership = db
    .selectFrom('membership')
    .select('role')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
  return ((await membership.executeTakeFirst())?.role as Role | undefined) ?? null
}

/** The roles that these users have in the company, for a change; in the order of the users, so that two changes never wait for each other. */
export async function lockRoles(trx: Trx, companyId: Id, userIds: readonly Id[]): Promise<Map<Id, Role>> {
  const memberships = trx.selectFrom('membership').select(['user_id as userId', 'role'])
  const wanted = memberships.where('company_id', '=', companyId).where('user_id', 'in', userIds)
  const locked = await wanted.orderBy('user_id').forUpdate().execute()
  return new Map(locked.map(({ userId, role }) => [userId, role as Role]))
}

/** Roles in the companies that are seen, as `company/user` → role. */
export async function findRoles(db: Db, isSeen: RawBuilder<boolean>, companyIds: Id[], userIds: Id[]) {
  const { rows } = await sql<{ pair: string; role: Role }>`
    select company_id || '/' || user_id as pair, role from membership
    where (company_id, user_id) in (select * from unnest(${companyIds}::bigint[], ${userIds}::bigint[])) and ${isSeen}`.execute(
    db,
  )
  return new Map(rows.map(({ pair, role }) => [pair, role]))
}

/** False where the user is a member already. */
export async function insertMembership(trx: Trx, companyId: Id, userId: Id, role: Role): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('membership')
    .values({ company_id: companyId, user_id: userId, role })
    .onConflict((taken) => taken.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function upsertMembership(trx: Trx, companyId: Id, userId: Id, role: Role): Promise<void> {
  await trx
    .insertInto('membership')
    .values({ company_id: companyId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet({ role }))
    .execute()
}

export async function deleteMembership(trx: Trx, companyId: Id, userId: Id): Promise<void> {
  await trx.deleteFrom('membership').where('company_id', '=', companyId).where('user_id', '=', userId).execute()
}

export async function hasCompany(db: Db, id: Id): Promise<boolean> {
  return (await db.selectFrom('company').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Those of the ids that are a company's. */
export async function findCompanyIds(db: Db, ids: readonly Id[]): Promise<Id[]> {
  return (
    await db
      .selectFrom('company')
      .select('id')
      .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(ids))))
      .execute()
  ).map(({ id }) => id)
}

/** Idempotency records are kept 24 hours. */
export async function deleteIdempotencyRecords(db: Db): Promise<void> {
  await sql`delete from idempotency_record where created_at < now() - interval '24 hours'`.execute(db)
}
