// The SQL of integrations; credentials are stored encrypted.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'
import { seenBy } from '../access/service.ts'
import type { ToolTypeCategory } from '../api.generated.ts'
import type { Viewer } from '../context.ts'
import { blankSettings, type IntegrationType, type Settings } from './kinds.ts'

export type Integration = {
  companyId: Id
  id: Id
  integrationType: IntegrationType
  settings: Settings
  accessKey: string | null
  hasCredential: boolean
  /** since when the vendor refuses the credential */
  brokenSince: string | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
  lastFailure: string | null
  /** the remaining rate limit, as the vendor last reported it */
  remainingRequests: number | null
  credentialExpiresAt: string | null
  createdAt: string
  updatedAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  sql<IntegrationType>`type`.as('integrationType'),
  sql<Settings>`${JSON.stringify(blankSettings)}::jsonb || settings`.as('settings'),
  'access_key as accessKey',
  sql<boolean>`sealed is not null`.as('hasCredential'),
  'broken_since as brokenSince',
  'last_success_at as lastSuccessAt',
  'last_failure_at as lastFailureAt',
  'last_failure as lastFailure',
  'remaining_requests as remainingRequests',
  'credential_expires_at as credentialExpiresAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function listIntegrations(
  db: Db,
  companyId: Id,
  type: ToolTypeCategory | null,
  page: PageRequest,
): Promise<Page<Integration>> {
  const own = db.selectFrom('integration').select(columns).where('company_id', '=', companyId)
  return newestFirst(db, type === null ? own : own.where('type', '=', type), page, 'integration.id')
}

/** The company's integrations of a type, newest first, at most `most`. */
export async function findOfType(db: Db, companyId: Id, type: IntegrationType, most: number): Promise<Integration[]> {
  const own = db.selectFrom('integration').select(columns).where('company_id', '=', companyId).where('type', '=', type)
  return own.orderBy('id', 'desc').limit(most).execute()
}

export async function findIntegrations(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Integration[]> {
  const seen = db.selectFrom('integration').select(columns).where(seenBy(viewer, 'integration.company_id'))
  return seen.where(sql<boolean>`id = any(${ids}::bigint[])`).execute()
}

export async function findCompanyIntegration(db: Db, companyId: Id, id: Id): Promise<Integration | null> {
  const own = db.selectFrom('integration').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await own.executeTakeFirst()) ?? null
}

/** Those of these ids that are the company's. */
export async function findCompanyIds(db: Db, companyId: Id, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from integration where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** The types of integrations that these companies have. */
export async function findTypes(db: Db, viewer: Viewer, companyIds: readonly Id[]) {
  const { rows } = await sql<{ companyId: Id; types: IntegrationType[] }>`
    select company_id as "companyId", array_agg(distinct type order by type) as types from integration
    where ${seenBy(viewer, 'company_id')} and company_id = any(${companyIds}::bigint[]) group by company_id`.execute(db)
  return rows
}

/** An id for a row to come, because the encrypted credential is bound to it. */
export async function nextIntegrationId(trx: Trx): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`select nextval(pg_get_serial_sequence('integration', 'id')) as id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The sequence of integrations gave no id')
  return row.id
}

/** `accessKey` is part of the credential, and is kept or replaced with it. */
type CredentialWrite = { sealed: Sealed; accessKey: string | null; expiresAt?: string | null }

export async function insertIntegration(
  trx: Trx,
  row: { companyId: Id; id: Id; type: IntegrationType; settings: Settings; createdById: Id },
  credential: CredentialWrite | null,
): Promise<Integration> {
  return trx
    .insertInto('integration')
    .values({
      company_id: row.companyId,
      id: row.id,
      type: row.type,
      settings: JSON.stringify(row.settings),
      access_key: credential?.accessKey ?? null,
      sealed: credential?.sealed.bytes ?? null,
      key_version: credential?.sealed.keyVersion ?? null,
      credential_expires_at: credential?.expiresAt ?? null,
      created_by: row.createdById,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateIntegration(
  trx: Trx,
  { companyId, id }: Integration,
  settings: Settings,
  credential: CredentialWrite | null,
): Promise<Integration> {
  return trx
    .updateTable('integration')
    .set({
      settings: JSON.stringify(settings),
      ...(credential && {
        access_key: credential.accessKey,
        sealed: credential.sealed.bytes,
        key_version: credential.sealed.keyVersion,
        credential_expires_at: credential.expiresAt ?? null,
        last_failure: null,
        last_failure_at: null,
        broken_since: null,
      }),
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteIntegration(trx: Trx, { companyId, id }: Integration): Promise<void> {
  await trx.deleteFrom('integration').where('company_id', '=', companyId).where('id', '=', id).execute()
}

export async function findSealed(db: Db, { companyId, id }: Integration): Promise<Sealed | null> {
  const { rows } = await sql<Sealed>`
    select sealed as bytes, key_version as "keyVersion" from integration
    where company_id = ${companyId} and id = ${id} and sealed is not null`.execute(db)
  return rows[0] ?? null
}

/** The company's next credentials encrypted with an older data key, locked until the transaction ends. */
export async function lockSealedBefore(
  trx: Trx,
  companyId: Id,
  keyVersion: number,
  most: number,
): Promise<(Sealed & { id: Id })[]> {
  const { rows } = await sql<Sealed & { id: Id }>`
    select id, sealed as bytes, key_version as "keyVersion" from integration
    where company_id = ${companyId} and key_version < ${keyVersion} order by id limit ${most} for update`.execute(trx)
  return rows
}

export async function updateSealed(trx: Trx, companyId: Id, id: Id, sealed: Sealed): Promise<void> {
  await trx
    .updateTable('integration')
    .set({ sealed: sealed.bytes, key_version: sealed.keyVersion })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
}

/** The encrypted credential, and since when it is refused; locked until the transaction ends. Null if there is none. */
export async function lockSealed(
  trx: Trx,
  companyId: Id,
  id: Id,
): Promise<(Sealed & { brokenSince: string | null }) | null> {
  const { rows } = await sql<Sealed & { brokenSince: string | null }>`
    select sealed as bytes, key_version as "keyVersion", broken_since as "brokenSince" from integration
    where company_id = ${companyId} and id = ${id} and sealed is not null for update`.execute(trx)
  return rows[0] ?? null
}

export async function markBroken(trx: Trx, companyId: Id, id: Id): Promise<void> {
  await sql`
    update integration set broken_since = coalesce(broken_since, now())
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}
