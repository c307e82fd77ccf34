// The SQL of sessions: only the hash of a token is kept.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

export type SessionRecord = {
  id: Id
  /** of the key that it stands for; null where it stands for a user */
  keyPublicId: string | null
  userId: Id | null
  expiresAt: string
  /** milliseconds until it ends, unless it is used before */
  endsIn: number
}

/** The session of a token that was neither unused for `idle` milliseconds nor is past its expiry; null otherwise. */
export async function findSession(db: Db, hash: Buffer, idle: number): Promise<SessionRecord | null> {
  const { rows } = await sql<SessionRecord>`
    select s.id, k.public_id as "keyPublicId", s.user_id as "userId", to_json(s.expires_at) #>> '{}' as "expiresAt",
           extract(epoch from least(s.expires_at, s.last_used_at + make_interval(secs => ${idle / 1000})) - now())::float8 * 1000
             as "endsIn"
    from session s left join api_key k on k.id = s.key_id
    where s.hash = ${hash} and s.expires_at > now()
      and s.last_used_at > now() - make_interval(secs => ${idle / 1000})`.execute(db)
  return rows[0] ?? null
}

export type SessionOf = { keyId: Id } | { userId: Id }

/** `life` in milliseconds. */
export async function insertSession(trx: Trx, of: SessionOf, hash: Buffer, life: number): Promise<Id> {
  const expires = sql<string>`now() + make_interval(secs => ${life / 1000})`
  const standsFor = 'keyId' in of ? { key_id: of.keyId } : { user_id: of.userId }
  const inserted = trx.insertInto('session').values({ ...standsFor, hash, expires_at: expires })
  return (await inserted.returning('id').executeTakeFirstOrThrow()).id
}

/** Notes a use, at most one a minute. */
export async function updateSessionUse(db: Db, id: Id): Promise<void> {
  await sql`update session set last_used_at = now()
            where id = ${id} and last_used_at < now() - interval '1 minute'`.execute(db)
}

/** From now on the session stands for this key. */
export async function updateSessionKey(trx: Trx, id: Id, keyId: Id): Promise<void> {
  await trx.updateTable('session').set({ key_id: keyId }).where('id', '=', id).execute()
}

export async function deleteSession(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('session').where('hash', '=', hash).execute()
}

/** Those that stand for the user; those of a key end with it. */
export async function deleteSessionsOf(trx: Trx, userId: Id): Promise<void> {
  await trx.deleteFrom('session').where('user_id', '=', userId).execute()
}

/** All but the `most` that were used last. */
export async function deleteSessionsBeyond(trx: Trx, of: SessionOf, most: number): Promise<void> {
  const [column, value] = 'keyId' in of ? (['key_id', of.keyId] as const) : (['user_id', of.userId] as const)
  const beyond = trx.selectFrom('session').select('id').where(column, '=', value)
  const oldest = beyond.orderBy('last_used_at', 'desc').orderBy('id', 'desc').offset(most)
  await trx.deleteFrom('session').where('id', 'in', oldest).execute()
}

export async function deleteEndedSessions(db: Db, idle: number): Promise<void> {
  await sql`delete from session
            where expires_at < now() or last_used_at < now() - make_interval(secs => ${idle / 1000})`.execute(db)
}
