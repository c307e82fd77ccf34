// Audit records: one row per change, written in its transaction and authenticated with a key.

import { type RawBuilder, sql } from 'kysely'
import { hmac, sha256 } from './crypto.ts'
import type { Db, Trx } from './db/open.ts'
import type { Id } from './ids.ts'

/** The actor; its ids are null for the program itself. */
export type Actor = {
  userId: Id | null
  keyPublicId: string | null
  address: string | null
  requestId: string | null
  operation: string
}

/** The actor of changes that nobody requested. */
export const program = (operation: string): Actor => ({
  userId: null,
  keyPublicId: null,
  address: null,
  requestId: null,
  operation,
})

/** A change; `object` is for example `Asset 12`. `before` and `after` contain no secrets; of long texts only the beginning and a hash are kept. */
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

/** The company id of records that belong to no company. */
export const NO_COMPANY = '0'

const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value

/** Canonical JSON, with sorted keys and well-formed characters as jsonb returns it, so that equal values give equal texts. */
export const canonical = (value: unknown, textOf = (text: string) => text): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? textOf(inner).toWellFormed() : sorted(inner),
  ) ?? 'null'

/** The longest text that a record keeps whole, in characters; of a longer one it keeps as many, and a hash. */
const LONGEST_TEXT = 2000

const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT
    ? text
    : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters, SHA-256 ${sha256(text).toString('hex')})`

/** Undefined and null are the same in the database. */
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

/** Writes the record of a change; `key` authenticates it, so that a row edited in the database is detected. */
export async function appendAudit(trx: Trx, key: Buffer, actor: Actor, change: Change): Promise<void> {
  await appendAudits(trx, key, actor, [change])
}

/** As appendAudit, for many changes in one statement. */
export async function appendAudits(trx: Trx, key: Buffer, actor: Actor, changes: readonly Change[]): Promise<void> {
  const deeds = changes.map((change) => ({ actor, change }))
  if (changes.length > 0) await auditing(key, deeds, sql`true`).execute(trx)
}

/** A change and its actor. */
type Deed = { actor: Actor; change: Change }

/**
 * The statement of appendAudits, as a part of the statement that makes the changes: writes the records for which `condition` holds, over a
 * table `row` that numbers them from 0 as `n`.
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

type Recorded = { at: string; after: unknown }

/** The newest record of what the program itself did with an object of the installation; null if there is none. */
export async function findLast(db: Db, operation: string, object: string): Promise<Recorded | null> {
  const { rows } = await sql<Recorded>`
    select at, after from audit_record
    where company_id = ${NO_COMPANY} and operation = ${operation} and object = ${object} and user_id is null
    order by id desc limit 1`.execute(db)
  return rows[0] ?? null
}
