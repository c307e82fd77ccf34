// The SQL of webhook addresses of vendors, and of the calls that they received.

import { sql } from 'kysely'
import { deleteSome } from '../../core/db/delete-some.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'

export type Hook = {
  companyId: Id
  id: Id
  integrationId: Id
  associationId: Id | null
  vendorId: string | null
  isSigned: boolean
  lastDeliveryAt: string | null
}

const columns = sql`
  company_id as "companyId", id, integration_id as "integrationId", external_project_id as "associationId",
  vendor_id as "vendorId", is_signed as "isSigned", last_delivery_at as "lastDeliveryAt"`

type Place = Pick<Hook, 'companyId' | 'integrationId' | 'associationId'>

export async function findHookAt(db: Db, place: Place): Promise<(Hook & Sealed) | null> {
  const { rows } = await sql<Hook & Sealed>`
    select ${columns}, sealed as bytes, key_version as "keyVersion" from inbound_hook
    where company_id = ${place.companyId} and integration_id = ${place.integrationId}
      and external_project_id is not distinct from ${place.associationId}`.execute(db)
  return rows[0] ?? null
}

export async function findHookByToken(db: Db, companyId: Id, tokenHash: Buffer): Promise<(Hook & Sealed) | null> {
  const { rows } = await sql<Hook & Sealed>`
    select ${columns}, sealed as bytes, key_version as "keyVersion" from inbound_hook
    where company_id = ${companyId} and token_hash = ${tokenHash}`.execute(db)
  return rows[0] ?? null
}

/** The hooks of these associations. */
export async function findHooksOf(db: Db, companyIds: readonly Id[], associationIds: readonly Id[]): Promise<Hook[]> {
  const { rows } = await sql<Hook>`
    select ${columns} from inbound_hook
    where company_id = any(${companyIds}::bigint[]) and external_project_id = any(${associationIds}::bigint[])`.execute(
    db,
  )
  return rows
}

/** Reserves the id of a new row, because encrypted values are bound to it. */
export async function nextHookId(trx: Trx): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`select nextval(pg_get_serial_sequence('inbound_hook', 'id')) as id`.execute(
    trx,
  )
  const [row] = rows
  if (!row) throw new Error('The sequence of hooks gave no id')
  return row.id
}

/** Does nothing if the hook exists already. */
export async function insertHook(
  trx: Trx,
  place: Place & { id: Id; tokenHash: Buffer; sealed: Sealed },
): Promise<void> {
  await sql`
    insert into inbound_hook (company_id, id, integration_id, external_project_id, token_hash, sealed, key_version)
    values (${place.companyId}, ${place.id}, ${place.integrationId}, ${place.associationId}, ${place.tokenHash},
      ${place.sealed.bytes}, ${place.sealed.keyVersion})
    on conflict do nothing`.execute(trx)
}

/** `vendorId` null: the vendor did not permit creating it. Returns false if the hook has been deleted here. */
export async function saveRegistration(
  db: Db,
  { companyId, id }: Pick<Hook, 'companyId' | 'id'>,
  { vendorId, isSigned }: { vendorId: string | null; isSigned: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update inbound_hook set vendor_id = ${vendorId}, is_signed = ${isSigned}
    where company_id = ${companyId} and id = ${id} returning 1`.execute(db)
  return rows.length > 0
}

export async function updateHookSealed(trx: Trx, companyId: Id, id: Id, { bytes, keyVersion }: Sealed): Promise<void> {
  await sql`
    update inbound_hook set sealed = ${bytes}, key_version = ${keyVersion}
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}

/** False if a delivery with this fingerprint was accepted before. */
export async function takeDelivery(
  trx: Trx,
  { companyId, id }: Pick<Hook, 'companyId' | 'id'>,
  fingerprint: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    with taken as (
      insert into inbound_delivery (company_id, hook_id, fingerprint) values (${companyId}, ${id}, ${fingerprint})
      on conflict do nothing returning 1),
    noted as (
      update inbound_hook set last_delivery_at = now()
      where company_id = ${companyId} and id = ${id} and exists (select from taken))
    select 1 from taken`.execute(trx)
  return rows.length > 0
}

/** Deletes at most `most` deliveries that are older than `days` days; returns how many. */
export const sweepDeliveries = (db: Db, days: number, most: number): Promise<number> =>
  deleteSome(db, sql`inbound_delivery`, sql`received_at < now() - make_interval(days => ${days}::int)`, most)

/** The next hooks of the company that are encrypted under an older data key, locked until the transaction ends. */
export async function lockHooksBefore(trx: Trx, companyId: Id, keyVersion: number, most: number) {
  const { rows } = await sql<Sealed & { id: Id }>`
    select id, sealed as bytes, key_version as "keyVersion" from inbound_hook
    where company_id = ${companyId} and key_version < ${keyVersion} order by id limit ${most} for update`.execute(trx)
  return rows
}
