// The SQL of the health of integrations, and of pending OAuth consents.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'

type Key = { companyId: Id; integrationId: Id }

/** `remaining` null: the vendor did not say, and the previous value stays. */
export async function noteSuccess(db: Db, { companyId, integrationId }: Key, remaining: number | null): Promise<void> {
  await sql`
    update integration set last_success_at = now(), remaining_requests = coalesce(${remaining}, remaining_requests)
    where company_id = ${companyId} and id = ${integrationId}`.execute(db)
}

export async function noteFailure(db: Db, { companyId, integrationId }: Key, sentence: string): Promise<void> {
  await sql`
    update integration set last_failure_at = now(), last_failure = ${sentence}
    where company_id = ${companyId} and id = ${integrationId}`.execute(db)
}

/** `at` is ISO 8601; null: the credential does not expire. */
export async function noteExpiry(trx: Trx, companyId: Id, id: Id, at: string | null): Promise<void> {
  await sql`
    update integration set credential_expires_at = ${at} where company_id = ${companyId} and id = ${id}`.execute(trx)
}

/** `address` is where consent was requested; `seconds` until the state expires. */
type Request = { companyId: Id; type: string; userId: Id; address: string; stateHash: Buffer }

export async function insertRequest(trx: Trx, row: Request & { sealed: Sealed; seconds: number }): Promise<void> {
  await sql`
    insert into oauth_request (company_id, state_hash, type, user_id, address, sealed, key_version, expires_at)
    values (${row.companyId}, ${row.stateHash}, ${row.type}, ${row.userId}, ${row.address}, ${row.sealed.bytes},
      ${row.sealed.keyVersion}, now() + make_interval(secs => ${row.seconds}))`.execute(trx)
  await sql`delete from oauth_request where company_id = ${row.companyId} and expires_at < now()`.execute(trx)
}

/** Consumes the request and returns its data; null if there is no matching, unexpired one. */
export async function takeRequest(trx: Trx, asked: Request): Promise<Sealed | null> {
  const { rows } = await sql<Sealed>`
    delete from oauth_request
    where company_id = ${asked.companyId} and state_hash = ${asked.stateHash} and type = ${asked.type}
      and user_id = ${asked.userId} and address = ${asked.address} and expires_at > now()
    returning sealed as bytes, key_version as "keyVersion"`.execute(trx)
  return rows[0] ?? null
}
