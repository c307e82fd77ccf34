// The SQL of webhooks; their secrets are stored encrypted.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type Webhook = {
  companyId: Id
  id: Id
  url: string
  description: string
  kinds: string[]
  isEnabled: boolean
  disabledReason: string | null
  failures: number
  heldUntil: string | null
  previousSecretUntil: string | null
  createdAt: string
  updatedAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  'url',
  'description',
  'kinds',
  'is_enabled as isEnabled',
  'disabled_reason as disabledReason',
  'failures',
  sql<string | null>`case when held_until > now() then held_until end`.as('heldUntil'),
  sql<string | null>`case when previous_until > now() then previous_until end`.as('previousSecretUntil'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export const listWebhooks = (db: Db, companyId: Id, page: PageRequest): Promise<Page<Webhook>> =>
  newestFirst(db, db.selectFrom('webhook').select(columns).where('company_id', '=', companyId), page, 'webhook.id')

export async function findWebhook(db: Db, viewer: Viewer, id: Id): Promise<Webhook | null> {
  const seen = db.selectFrom('webhook').select(columns).where(seenBy(viewer, 'webhook.company_id'))
  return (await seen.where('id', '=', id).executeTakeFirst()) ?? null
}

/** The webhook, locked until the transaction ends. */
export async function lockWebhook(trx: Trx, companyId: Id, id: Id): Promise<Webhook | null> {
  const own = trx.selectFrom('webhook').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await own.forUpdate().executeTakeFirst()) ?? null
}

/** How many the company has; other transactions that count wait until this one ends. */
export async function countWebhooks(trx: Trx, companyId: Id): Promise<number> {
  await sql`select from company where id = ${companyId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook where company_id = ${companyId}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** An id for a row to come, because the encrypted secret is bound to it. */
export async function nextWebhookId(trx: Trx): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`select nextval(pg_get_serial_sequence('webhook', 'id')) as id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The sequence of webhooks gave no id')
  return row.id
}

export type WebhookWrite = Pick<Webhook, 'url' | 'description' | 'kinds' | 'isEnabled'>

export async function insertWebhook(
  trx: Trx,
  row: WebhookWrite & { companyId: Id; id: Id; createdById: Id },
  sealed: Sealed,
): Promise<Webhook> {
  return trx
    .insertInto('webhook')
    .values({
      company_id: row.companyId,
      id: row.id,
      url: row.url,
      description: row.description,
      kinds: row.kinds,
      is_enabled: row.isEnabled,
      sealed: sealed.bytes,
      key_version: sealed.keyVersion,
      created_by: row.createdById,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** A change by a person also resets the count of failures, so that the webhook is tried again. */
export async function updateWebhook(trx: Trx, { companyId, id }: Webhook, write: WebhookWrite): Promise<Webhook> {
  return trx
    .updateTable('webhook')
    .set({
      url: write.url,
      description: write.description,
      kinds: write.kinds,
      is_enabled: write.isEnabled,
      disabled_reason: write.isEnabled ? null : sql`disabled_reason`,
      failures: 0,
      held_until: null,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteWebhook(trx: Trx, { companyId, id }: Webhook): Promise<void> {
  await trx.deleteFrom('webhook').where('company_id', '=', companyId).where('id', '=', id).execute()
}

type SealedSecrets = { current: Sealed; previous: Sealed | null }

/** The encrypted secrets that sign deliveries now. */
export async function findSecrets(db: Db, companyId: Id, id: Id): Promise<SealedSecrets | null> {
  const { rows } = await sql<{
    bytes: Buffer
    keyVersion: number
    oldBytes: Buffer | null
    oldVersion: number | null
  }>`
    select sealed as bytes, key_version as "keyVersion",
      case when previous_until > now() then previous_sealed end as "oldBytes", previous_key_version as "oldVersion"
    from webhook where company_id = ${companyId} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { bytes, keyVersion, oldBytes, oldVersion } = row
  const previous = oldBytes && oldVersion !== null ? { bytes: oldBytes, keyVersion: oldVersion } : null
  return { current: { bytes, keyVersion }, previous }
}

/** `previous`: the replaced secret, encrypted for its new column, and the hours for which it still signs. */
export async function replaceSecret(
  trx: Trx,
  { companyId, id }: Webhook,
  current: Sealed,
  previous: (Sealed & { hours: number }) | null,
): Promise<Webhook> {
  return trx
    .updateTable('webhook')
    .set({
      sealed: current.bytes,
      key_version: current.keyVersion,
      previous_sealed: previous?.bytes ?? null,
      previous_key_version: previous?.keyVersion ?? null,
      previous_until: previous ? sql`now() + make_interval(hours => ${previous.hours})` : null,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The company's next webhook encrypted with an older data key, locked until the transaction ends. */
export async function lockSealedBefore(trx: Trx, companyId: Id, keyVersion: number, most: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from webhook where company_id = ${companyId} and (key_version < ${keyVersion} or previous_key_version < ${keyVersion})
    order by id limit ${most} for update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Writes the re-encrypted secrets; without `previous`, that column is cleared. */
export async function updateSealed(
  trx: Trx,
  companyId: Id,
  id: Id,
  current: Sealed,
  previous: Sealed | null,
): Promise<void> {
  await sql`
    update webhook set sealed = ${current.bytes}, key_version = ${current.keyVersion},
      previous_sealed = ${previous?.bytes ?? null}::bytea, previous_key_version = ${previous?.keyVersion ?? null}::int,
      previous_until = case when ${previous !== null}::boolean then previous_until end
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}
