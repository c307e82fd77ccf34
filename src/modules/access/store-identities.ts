// The SQL of identities at the OpenID provider, and of the permissions of a user who signed in there.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Role } from './permissions.ts'

/** Everything that a request needs to know about a user who signed in without a key; one statement. */
export type Person = {
  userId: Id
  email: string
  name: string
  isAdministrator: boolean
  memberships: { companyId: Id; role: Role }[]
}

/** Null if there is no such user, or the user is disabled. */
export async function findPerson(db: Db, userId: Id): Promise<Person | null> {
  const { rows } = await sql<Person>`
    select u.id as "userId", u.email, u.name, u.is_administrator as "isAdministrator",
           coalesce((select jsonb_agg(jsonb_build_object('companyId', m.company_id::text, 'role', m.role))
                     from membership m where m.user_id = u.id), '[]') as memberships
    from portal_user u where u.id = ${userId} and u.disabled_at is null`.execute(db)
  return rows[0] ?? null
}

/** The user to whom a subject of an issuer is bound. */
export async function findBoundUser(trx: Trx, issuer: string, subject: string): Promise<Id | null> {
  const identity = trx.selectFrom('portal_identity').select('user_id').where('issuer', '=', issuer)
  return (await identity.where('subject', '=', subject).executeTakeFirst())?.user_id ?? null
}

/** Binds the user to a subject; false if the user has another subject of the issuer, or the subject another user. */
export async function insertIdentity(trx: Trx, issuer: string, subject: string, userId: Id): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('portal_identity')
    .values({ issuer, subject, user_id: userId })
    .onConflict((taken) => taken.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteIdentities(trx: Trx, userId: Id): Promise<void> {
  await trx.deleteFrom('portal_identity').where('user_id', '=', userId).execute()
}
