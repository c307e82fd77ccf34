// The SQL of API keys: issued, listed, locked and revoked.

import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Database } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'

export type KeyRecord = {
  id: Id
  publicId: string
  name: string
  userId: Id
  /** the key by which it was issued, if that is known */
  issuedById: Id | null
  scopes: string[]
  companyIds: Id[] | null
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  createdAt: string
}

const keyColumns = [
  'id',
  'public_id as publicId',
  'name',
  'user_id as userId',
  'issued_by_id as issuedById',
  'scopes',
  sql<Id[] | null>`company_ids::text[]`.as('companyIds'),
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
  'revoked_at as revokedAt',
  'created_at as createdAt',
] as const

const selectKeys = (db: Db): SelectQueryBuilder<Database, 'api_key', KeyRecord> =>
  db.selectFrom('api_key').select(keyColumns)

export async function listKeys(db: Db, userId: Id): Promise<KeyRecord[]> {
  return selectKeys(db).where('user_id', '=', userId).orderBy('id', 'desc').execute()
}

export async function lockKey(trx: Trx, id: Id): Promise<KeyRecord | null> {
  return (await selectKeys(trx).where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
}

type NewKeyRecord = {
  publicId: string
  hash: Buffer
  userId: Id
  issuedById: Id | null
  name: string
  scopes: readonly string[]
  companyIds: readonly Id[] | null
  expiresAt: string | null
}

export async function insertKey(trx: Trx, key: NewKeyRecord): Promise<KeyRecord> {
  return trx
    .insertInto('api_key')
    .values({
      public_id: key.publicId,
      hash: key.hash,
      user_id: key.userId,
      issued_by_id: key.issuedById,
      name: key.name,
      scopes: [...key.scopes],
      company_ids: key.companyIds === null ? null : [...key.companyIds],
      expires_at: key.expiresAt,
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()
}

/** In the order of their ids; one that is revoked already keeps its time. */
export async function updateKeysRevoked(trx: Trx, ids: readonly Id[]): Promise<KeyRecord[]> {
  const revoked = await trx
    .updateTable('api_key')
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where('id', 'in', ids)
    .returning(keyColumns)
    .execute()
  return revoked.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
}

/** The key by which something is done, held as it is until the transaction ends. */
export async function holdKey(trx: Trx, id: Id): Promise<KeyRecord | null> {
  return (await selectKeys(trx).where('id', '=', id).forShare().executeTakeFirst()) ?? null
}

/** The keys that these issued, for a change: none is issued by them meanwhile whose issuers are held for a change too. */
export async function lockIssuedBy(trx: Trx, ids: readonly Id[]): Promise<KeyRecord[]> {
  return selectKeys(trx).where('issued_by_id', 'in', ids).orderBy('id').forUpdate().execute()
}
