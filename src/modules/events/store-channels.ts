// The SQL of notification channels.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export const topics = ['SLA_NEAR', 'SLA_BROKEN', 'KNOWN_EXPLOITED', 'GATE_BLOCKED', 'INTEGRATION_BROKEN'] as const
export type Topic = (typeof topics)[number]

export type Rule = { topic: Topic; minimumSeverity: SeverityCategory; when: 'IMMEDIATELY' | 'DAILY' }

export type ChannelType = 'EMAIL' | 'SLACK' | 'TEAMS'

export type Channel = {
  companyId: Id
  id: Id
  type: ChannelType
  name: string
  rules: Rule[]
  digestHour: number
  isEnabled: boolean
  lastSentAt: string | null
  lastFailure: string | null
  createdAt: string
  updatedAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  sql<ChannelType>`type`.as('type'),
  'name',
  sql<Rule[]>`rules`.as('rules'),
  'digest_hour as digestHour',
  'is_enabled as isEnabled',
  'last_sent_at as lastSentAt',
  'last_failure as lastFailure',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export const listChannels = (db: Db, companyId: Id, page: PageRequest): Promise<Page<Channel>> =>
  newestFirst(
    db,
    db.selectFrom('notification_channel').select(columns).where('company_id', '=', companyId),
    page,
    'notification_channel.id',
  )

export async function findChannel(db: Db, viewer: Viewer, id: Id): Promise<Channel | null> {
  const seen = db
    .selectFrom('notification_channel')
    .select(columns)
    .where(seenBy(viewer, 'notification_channel.company_id'))
  return (await seen.where('id', '=', id).executeTakeFirst()) ?? null
}

/** The channel, locked until the transaction ends. */
export async function lockChannel(trx: Trx, companyId: Id, id: Id): Promise<Channel | null> {
  const own = trx.selectFrom('notification_channel').select(columns).where('company_id', '=', companyId)
  return (await own.where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
}

/** How many the company has; other transactions that count wait until this one ends. */
export async function countChannels(trx: Trx, companyId: Id): Promise<number> {
  await sql`select from company where id = ${companyId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notification_channel where company_id = ${companyId}`.execute(trx)
  return rows[0]?.count ?? 0
}

export async function nextChannelId(trx: Trx): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`
    select nextval(pg_get_serial_sequence('notification_channel', 'id')) as id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The sequence of channels gave no id')
  return row.id
}

export type ChannelWrite = Pick<Channel, 'name' | 'rules' | 'digestHour' | 'isEnabled'>

export async function insertChannel(
  trx: Trx,
  row: ChannelWrite & { companyId: Id; id: Id; type: ChannelType; createdById: Id },
  sealed: Sealed,
): Promise<Channel> {
  return trx
    .insertInto('notification_channel')
    .values({
      company_id: row.companyId,
      id: row.id,
      type: row.type,
      name: row.name,
      sealed: sealed.bytes,
      key_version: sealed.keyVersion,
      rules: JSON.stringify(row.rules),
      digest_hour: row.digestHour,
      is_enabled: row.isEnabled,
      created_by: row.createdById,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateChannel(
  trx: Trx,
  { companyId, id }: Channel,
  write: ChannelWrite,
  sealed: Sealed | null,
): Promise<Channel> {
  return trx
    .updateTable('notification_channel')
    .set({
      name: write.name,
      rules: JSON.stringify(write.rules),
      digest_hour: write.digestHour,
      is_enabled: write.isEnabled,
      ...(sealed && { sealed: sealed.bytes, key_version: sealed.keyVersion }),
      failures: 0,
      held_until: null,
      last_failure: null,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteChannel(trx: Trx, { companyId, id }: Channel): Promise<void> {
  await trx.deleteFrom('notification_channel').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** Encrypted destinations by `company/id`. */
export async function findSealed(db: Db, pairs: readonly string[]): Promise<Map<string, Sealed>> {
  const { rows } = await sql<Sealed & { name: string }>`
    select company_id || '/' || id as name, sealed as bytes, key_version as "keyVersion" from notification_channel
    where (company_id, id) in (select split_part(pair, '/', 1)::bigint, split_part(pair, '/', 2)::bigint
      from unnest(${pairs}::text[]) as pair)`.execute(db)
  return new Map(rows.map(({ name, ...sealed }) => [name, sealed]))
}

export async function lockSealedBefore(trx: Trx, companyId: Id, keyVersion: number, most: number) {
  const { rows } = await sql<Sealed & { id: Id }>`
    select id, sealed as bytes, key_version as "keyVersion" from notification_channel
    where company_id = ${companyId} and key_version < ${keyVersion} order by id limit ${most} for update`.execute(trx)
  return rows
}

export async function updateSealed(trx: Trx, companyId: Id, id: Id, sealed: Sealed): Promise<void> {
  await sql`update notification_channel set sealed = ${sealed.bytes}, key_version = ${sealed.keyVersion}
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}
