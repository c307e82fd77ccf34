// The record of changes: one row for each change, in its transaction, authenticated when written and chained later.

import { sql } from 'kysely'
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

/** What changed: `object` such as `Asset 12`; before and after hold no secret. */
export type Change = { companyId: Id | null; object: string; before?: unknown; after?: unknown }

type Row = {
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

const NO_COMPANY = '0'

/** JSON with sorted keys: the same value gives the same text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  ) ?? 'null'

const macOf = (key: Buffer, row: Row): Buffer =>
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
  if (changes.length === 0) return
  const at = new Date().toISOString()
  const rows = changes.map(
    (change): Row => ({
      company_id: change.companyId ?? NO_COMPANY,
      at,
      user_id: actor.userId,
      key_public_id: actor.keyPublicId,
      address: actor.address,
      request_id: actor.requestId,
      operation: actor.operation,
      object: change.object,
      before: change.before === undefined ? null : canonical(change.before),
      after: change.after === undefined ? null : canonical(change.after),
    }),
  )
  await sql`
    insert into audit_record (company_id, at, user_id, key_public_id, address, request_id, operation, object, before, after, mac)
    select company_id, at, user_id, key_public_id, address, request_id, operation, object, before::jsonb, after::jsonb,
           decode(mac, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ ...row, mac: macOf(key, row).toString('hex') })))}::jsonb)
      as row(company_id bigint, at timestamptz, user_id bigint, key_public_id text, address text, request_id text,
             operation text, object text, before text, after text, mac text)`.execute(trx)
}

/** Links records that are not linked yet into the chain, oldest first; answers with how many. Safe to run twice. */
export async function sealAudit(db: Db, most = 10_000): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7203461020)`.execute(trx)
    const last = await sql<{ chain: Buffer }>`
      select chain from audit_record where chain is not null order by id desc limit 1`.execute(trx)
    const open = await sql<{ company_id: Id; id: Id; mac: Buffer }>`
      select company_id, id, mac from audit_record where chain is null order by id limit ${most}`.execute(trx)
    let chain = last.rows[0]?.chain ?? Buffer.alloc(32)
    const links = open.rows.map(({ company_id, id, mac }) => {
      chain = sha256(chain, id, mac)
      return { company_id, id, chain: chain.toString('hex') }
    })
    await sql`
      update audit_record set chain = decode(link.chain, 'hex')
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(company_id bigint, id bigint, chain text)
      where audit_record.company_id = link.company_id and audit_record.id = link.id`.execute(trx)
    return links.length
  })
}

/** Checks every record and the chain; answers with the ids of those that were changed, or follow one that is gone. */
export async function verifyAudit(db: Db, key: Buffer): Promise<{ records: number; broken: Id[] }> {
  const broken: Id[] = []
  let records = 0
  let after = '0'
  let chain = Buffer.alloc(32)
  for (;;) {
    const { rows } = await sql<Row & { id: Id; mac: Buffer; chain: Buffer | null }>`
      select id, company_id, at, user_id, key_public_id, address, request_id, operation, object, before, after, mac, chain
      from audit_record where id > ${after} order by id limit 1000`.execute(db)
    for (const row of rows) {
      records += 1
      after = row.id
      const linked = sha256(chain, row.id, row.mac)
      const isTrue = macOf(key, asWritten(row)).equals(row.mac) && (row.chain === null || row.chain.equals(linked))
      if (!isTrue) broken.push(row.id)
      if (row.chain !== null) chain = Buffer.from(row.chain)
    }
    if (rows.length < 1000) return { records, broken }
  }
}

/** The row as its mac saw it: jsonb comes back parsed, the time with as many digits as it needs. */
const asWritten = (row: Row): Row => ({
  ...row,
  at: new Date(row.at).toISOString(),
  before: row.before === null ? null : canonical(row.before),
  after: row.after === null ? null : canonical(row.after),
})
