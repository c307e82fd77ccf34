// The SQL of secrets, whose values it only sees encrypted.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { SecretType } from './values.ts'

export type Secret = {
  companyId: Id
  id: Id
  name: string
  description: string | null
  type: SecretType
  createdById: Id | null
  createdAt: string
  updatedAt: string
}

type SealedSecret = Sealed & { id: Id }

const columns = [
  'company_id as companyId',
  'id',
  'name',
  'description',
  sql<SecretType>`type`.as('type'),
  'created_by as createdById',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** Null does not filter; `search` is part of the name, ignoring case. */
export type SecretFilter = {
  types: readonly SecretType[] | null
  ids: readonly Id[] | null
  search: string | null
}

export async function listSecrets(
  db: Db,
  companyId: Id,
  page: PageRequest,
  { types, ids, search }: SecretFilter,
): Promise<Page<Secret>> {
  let secrets = db.selectFrom('secret').select(columns).where('company_id', '=', companyId)
  if (types !== null) secrets = secrets.where(sql<boolean>`type = any(${types}::text[])`)
  if (ids !== null) secrets = secrets.where(sql<boolean>`id = any(${ids}::bigint[])`)
  if (search !== null) secrets = secrets.where(sql<boolean>`strpos(lower(name), ${search.toLowerCase()}) > 0`)
  return newestFirst(db, secrets, page, 'secret.id')
}

export async function findSecret(db: Db, viewer: Viewer, id: Id): Promise<Secret | null> {
  const secrets = db.selectFrom('secret').select(columns).where(seenBy(viewer, 'secret.company_id'))
  return (await secrets.where('id', '=', id).executeTakeFirst()) ?? null
}

export async function lockSecret(trx: Trx, companyId: Id, id: Id): Promise<Secret | null> {
  const secrets = trx.selectFrom('secret').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await secrets.forUpdate().executeTakeFirst()) ?? null
}

/** Reserves the id of a new row, because encrypted values are bound to it. */
export async function nextSecretId(trx: Trx): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`select nextval(pg_get_serial_sequence('secret', 'id')) as id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The sequence of secrets gave no id')
  return row.id
}

type NewSecret = Pick<Secret, 'companyId' | 'id' | 'name' | 'description' | 'type' | 'createdById'> & { sealed: Sealed }

export async function insertSecret(trx: Trx, secret: NewSecret): Promise<Secret> {
  return trx
    .insertInto('secret')
    .values({
      company_id: secret.companyId,
      id: secret.id,
      name: secret.name,
      description: secret.description,
      type: secret.type,
      sealed: secret.sealed.bytes,
      key_version: secret.sealed.keyVersion,
      created_by: secret.createdById,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateSecret(
  trx: Trx,
  { companyId, id }: Secret,
  change: Pick<Secret, 'name' | 'description' | 'type'> & { sealed: Sealed | null },
): Promise<Secret> {
  return trx
    .updateTable('secret')
    .set({
      name: change.name,
      description: change.description,
      type: change.type,
      sealed: change.sealed?.bytes,
      key_version: change.sealed?.keyVersion,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteSecret(trx: Trx, { companyId, id }: Secret): Promise<void> {
  await trx.deleteFrom('secret').where('company_id', '=', companyId).where('id', '=', id).execute()
}

export async function findSealed(db: Db, companyId: Id, id: Id): Promise<SealedSecret | null> {
  const sealed = db.selectFrom('secret').select(['id', 'sealed as bytes', 'key_version as keyVersion'])
  return (await sealed.where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()) ?? null
}

/** The next secrets of the company that are encrypted under an older data key, locked until the transaction ends. */
export async function lockSealedBefore(
  trx: Trx,
  companyId: Id,
  keyVersion: number,
  most: number,
): Promise<SealedSecret[]> {
  return trx
    .selectFrom('secret')
    .select(['id', 'sealed as bytes', 'key_version as keyVersion'])
    .where('company_id', '=', companyId)
    .where('key_version', '<', keyVersion)
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .execute()
}

export async function updateSealed(trx: Trx, companyId: Id, id: Id, { bytes, keyVersion }: Sealed): Promise<void> {
  await sql`update secret set sealed = ${bytes}, key_version = ${keyVersion}
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}
