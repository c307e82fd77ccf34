// Audit records: one row for each change, written in its transaction and authenticated with a key.

import { type RawBuilder, sql } from 'kysely'
import { hmac, sha256 } from './crypto.ts'
import type { Db, Trx } from './db/open.ts'
import type { Id } from './ids.ts'

/** Who acted: null ids when the program itself did. */
export type Actor = {
  userId: Id | null
  keyPublicId: string | null
  address: string | null
  requestId: string | null
  operation: string
}

/** Who acts where a change is recorded that nobody asked for. */
export const program = (operation: string): Actor => ({
  userId: null,
  keyPublicId: null,
  address: null,
  requestId: null,
  operation,
})

/** What changed: `object` such as `Asset 12`; before and after hold no secret, and of long texts the beginning and a hash are kept. */
export type Change = { companyId: Id | null; object: string; before?: unknown; after?: unknown }

export type Row = {
  company_id: Id
  at: string
  user_id: Id | null
  key_public_id: string | null
  address: string | null
  request_id: string | null
  operation: string
  object: string
  before: string | null
  after: string | null
}

/** The company of records that belong to none. */
export const NO_COMPANY = '0'

const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value

/** JSON with sorted keys and whole characters, as jsonb gives it back: the same value gives the same text. */
export const canonical = (value: unknown, textOf = (text: string) => text): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? textOf(inner).toWellFormed() : sorted(inner),
  ) ?? 'null'

/** Characters of a text that a record keeps whole; of a longer one it keeps so many and tells the rest by its hash. */
const LONGEST_TEXT = 2000

const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT
    ? text
    : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters, SHA-256 ${sha256(text).toString('hex')})`

/** Nothing and null are the same in the database. */
const written = (value: unknown): string | null =>
  value === undefined || value === null ? null : canonical(value, shortened)

export const macOf = (key: Buffer, row: Row): Buffer =>
  hmac(
    key,
    canonical([
      row.company_id,
      row.at,
      row.user_id,
      row.key_public_id,
      row.address,
      row.request_id,
      row.operation,
      row.object,
      row.before,
      row.after,
    ]),
  )

/** Writes one record of a change; `key` authenticates it, so that a row edited in the database is found out. */
export async function appendAudit(trx: Trx, key: Buffer, actor: Actor, change: Change): Promise<void> {
  await appendAudits(trx, key, actor, [change])
}

/** As appendAudit, for many changes in one statement. */
export async function appendAudits(trx: Trx, key: Buffer, actor: Actor, changes: readonly Change[]): Promise<void> {
  const deeds = changes.map((change) => ({ actor, change }))
  if (changes.length > 0) await auditing(key, deeds, sql`true`).execute(trx)
}

/** A change and who made it. */
export type Deed = { actor: Actor; change: Change }

/**
 * The statement behind appendAudits, which writes those for which `condition` holds, over a table `row` that numbers them from 0 as `n`: to be
 * part of the statement that changes.
 */
export function auditing(key: Buffer, deeds: readonly Deed[], condition: RawBuilder<boolean>): RawBuilder<unknown> {
  const at = new Date().toISOString()
  const rows = deeds.map(
    ({ actor, change }): Row => ({
      company_id: change.companyId ?? NO_COMPANY,
      at,
      user_id: actor.userId,
      key_public_id: actor.keyPublicId,
      address: actor.address,
      request_id: actor.requestId,
      operation: actor.operation,
      object: change.object,
      before: written(change.before),
      after: written(change.after),
    }),
  )
  const numbered = rows.map((row, n) => ({ n, ...row, mac: macOf(key, row).toString('hex') }))
  return sql`
    insert into audit_record (company_id, at, user_id, key_public_id, address, request_id, operation, object, before, after, mac)
    select company_id, at, user_id, key_public_id, address, request_id, operation, object, before::jsonb, after::jsonb,
           decode(mac, 'hex')
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
      as row(n int, company_id bigint, at timestamptz, user_id bigint, key_public_id text, address text, request_id text,
             operation text, object text, before text, after text, mac text)
    where ${condition}`
}

export type Recorded = { at: string; after: unknown }

/** The newest record of what the program itself did with an object of the installation; null where there is none. */
export async function findLast(db: Db, operation: string, object: string): Promise<Recorded | null> {
  const { rows } = await sql<Recorded>`
    select at, after from audit_record
    where company_id = ${NO_COMPANY} and operation = ${operation} and object = ${object} and user_id is null
    order by id desc limit 1`.execute(db)
  return rows[0] ?? null
}
