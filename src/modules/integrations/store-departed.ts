// The SQL of credentials kept after their integration is gone, until its webhooks have been removed from the host.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'
import { blankSettings, type IntegrationType, type Settings } from './kinds.ts'

type Departed = { companyId: Id; id: Id; integrationId: Id; type: IntegrationType; settings: Settings }

/** `sealed` null: the vendor refuses the credential, or there was none. */
export async function findDeparted(
  db: Db,
  companyId: Id,
  id: Id,
): Promise<(Departed & { sealed: Sealed | null }) | null> {
  const { rows } = await sql<Departed & { bytes: Buffer | null; keyVersion: number | null }>`
    select company_id as "companyId", id, integration_id as "integrationId", type,
      ${JSON.stringify(blankSettings)}::jsonb || settings as settings, sealed as bytes, key_version as "keyVersion"
    from departed_integration where company_id = ${companyId} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { bytes, keyVersion, ...departed } = row
  return { ...departed, sealed: bytes === null || keyVersion === null ? null : { bytes, keyVersion } }
}

/** Has the integration's webhooks removed, with its present credential and address, and forgets them here. */
export async function departHooks(trx: Trx, { companyId, id }: { companyId: Id; id: Id }): Promise<void> {
  await sql`select depart_integration(${companyId}, ${id})`.execute(trx)
  await sql`delete from inbound_hook where company_id = ${companyId} and integration_id = ${id}`.execute(trx)
}

/** Has the webhooks of all integrations removed, for a company that is about to be deleted. */
export async function departAll(trx: Trx, companyId: Id): Promise<void> {
  await sql`select depart_integration(company_id, id) from integration where company_id = ${companyId}`.execute(trx)
}

/** The credentials left by the company's deleted integrations. */
export async function findAllSealed(trx: Trx, companyId: Id): Promise<(Sealed & { id: Id; integrationId: Id })[]> {
  const { rows } = await sql<Sealed & { id: Id; integrationId: Id }>`
    select id, integration_id as "integrationId", sealed as bytes, key_version as "keyVersion" from departed_integration
    where company_id = ${companyId} and sealed is not null for update`.execute(trx)
  return rows
}

/** Locked until the transaction ends; null if there is none any more. */
export async function lockSealed(trx: Trx, companyId: Id, id: Id): Promise<Sealed | null> {
  const { rows } = await sql<Sealed>`
    select sealed as bytes, key_version as "keyVersion" from departed_integration
    where company_id = ${companyId} and id = ${id} and sealed is not null for update`.execute(trx)
  return rows[0] ?? null
}

/** `sealed` null deletes it. */
export async function updateSealed(trx: Trx, companyId: Id, id: Id, sealed: Sealed | null): Promise<void> {
  await sql`
    update departed_integration set sealed = ${sealed?.bytes ?? null}, key_version = ${sealed?.keyVersion ?? null}
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}

/** The company's next credentials encrypted with an older data key, locked until the transaction ends. */
export async function lockSealedBefore(trx: Trx, companyId: Id, keyVersion: number, most: number) {
  const { rows } = await sql<Sealed & { id: Id; integrationId: Id }>`
    select id, integration_id as "integrationId", sealed as bytes, key_version as "keyVersion" from departed_integration
    where company_id = ${companyId} and key_version < ${keyVersion} order by id limit ${most} for update`.execute(trx)
  return rows
}

/** Does nothing as long as one of its webhooks is left. */
export async function deleteUnneeded(trx: Trx, companyId: Id, id: Id): Promise<void> {
  await sql`
    delete from departed_integration where company_id = ${companyId} and id = ${id} and not exists (
      select from departed_hook where company_id = ${companyId} and departed_id = ${id})`.execute(trx)
}
