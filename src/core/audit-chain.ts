// The chain of audit records: links new records, and detects those that were edited or removed.

import { sql } from 'kysely'
import { canonical, macOf, type Row } from './audit.ts'
import { hmac } from './crypto.ts'
import type { Db } from './db/open.ts'
import type { Id } from './ids.ts'

/** The end of the chain: the number of records and the last link. */
type Head = { sequence: number; chain: Buffer }

const EMPTY_CHAIN: Head = { sequence: 0, chain: Buffer.alloc(32) }

/** A link cannot be computed without the key, so somebody who has only the database cannot close a gap in the chain. */
const linkAfter = (key: Buffer, { sequence, chain }: Head, id: Id, mac: Buffer): Head => ({
  sequence: sequence + 1,
  chain: hmac(key, canonical([chain.toString('hex'), sequence + 1, id, mac.toString('hex')])),
})

const headMac = (key: Buffer, { sequence, chain }: Head): Buffer =>
  hmac(key, canonical(['head', sequence, chain.toString('hex')]))

/**
 * Appends unlinked records to the chain and returns their number. The position in the chain is assigned here, not by id, so that a
 * transaction that commits late simply comes later in the chain. Safe to run twice.
 */
export async function sealAudit(db: Db, key: Buffer, most = 10_000): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7203461020)`.execute(trx)
    let head = await findHead(trx)
    const { rows } = await sql<{ company_id: Id; id: Id; mac: Buffer }>`
      select company_id, id, mac from audit_record where sequence is null order by id limit ${most}`.execute(trx)
    const links = rows.map(({ company_id, id, mac }) => {
      head = linkAfter(key, head, id, mac)
      return { company_id, id, sequence: head.sequence, chain: head.chain.toString('hex') }
    })
    if (links.length === 0) return 0
    await sql`
      update audit_record set sequence = link.sequence, chain = decode(link.chain, 'hex')
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
        as link(company_id bigint, id bigint, sequence bigint, chain text)
      where audit_record.company_id = link.company_id and audit_record.id = link.id`.execute(trx)
    await sql`
      insert into audit_head (sequence, chain, mac) values (${head.sequence}, ${head.chain}, ${headMac(key, head)})
      on conflict (id) do update set sequence = excluded.sequence, chain = excluded.chain, mac = excluded.mac`.execute(
      trx,
    )
    return links.length
  })
}

async function findHead(db: Db): Promise<Head & { mac?: Buffer }> {
  const { rows } = await sql<{ sequence: string; chain: Buffer; mac: Buffer }>`
    select sequence, chain, mac from audit_head`.execute(db)
  const [head] = rows
  return head ? { ...head, sequence: Number(head.sequence) } : EMPTY_CHAIN
}

type KeptRow = Row & { id: Id; mac: Buffer; sequence: string | null; chain: Buffer | null }

/** The result of a check: records that were changed, and places where records are missing. */
export type AuditFindings = {
  records: number
  /** ids of records whose content was changed */
  broken: Id[]
  /** ids of records before which records are missing, and `end` if the last ones are */
  gaps: string[]
}

/** Checks every record against its MAC, and the chain against its links and its end. */
export async function verifyAudit(db: Db, key: Buffer): Promise<AuditFindings> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const found: AuditFindings = { records: 0, broken: [], gaps: [] }
      let head = EMPTY_CHAIN
      const check = (row: KeptRow) => {
        found.records += 1
        if (!macOf(key, asWritten(row)).equals(row.mac)) found.broken.push(row.id)
        if (row.sequence === null) return
        const linked = linkAfter(key, head, row.id, row.mac)
        const isNext = Number(row.sequence) === linked.sequence && row.chain?.equals(linked.chain)
        if (!isNext) found.gaps.push(row.id)
        head = { sequence: Number(row.sequence), chain: row.chain ?? linked.chain }
      }
      for await (const row of sealedRows(trx)) check(row)
      for await (const row of unsealedRows(trx)) check(row)
      const end = await findHead(trx)
      const isWhole = end.sequence === head.sequence && end.chain.equals(head.chain)
      const isTrue = end.mac ? end.mac.equals(headMac(key, end)) : end.sequence === 0
      if (!isWhole || !isTrue) found.gaps.push('end')
      return found
    })
}

const columns = sql`id, company_id, at, user_id, key_public_id, address, request_id, operation, object, before, after, mac,
  sequence, chain`

async function* sealedRows(db: Db): AsyncGenerator<KeptRow> {
  for (let after = '0'; ; ) {
    const { rows } = await sql<KeptRow>`
      select ${columns} from audit_record where sequence > ${after} order by sequence limit 1000`.execute(db)
    yield* rows
    after = rows.at(-1)?.sequence ?? after
    if (rows.length < 1000) return
  }
}

async function* unsealedRows(db: Db): AsyncGenerator<KeptRow> {
  for (let after = '0'; ; ) {
    const { rows } = await sql<KeptRow>`
      select ${columns} from audit_record where sequence is null and id > ${after} order by id limit 1000`.execute(db)
    yield* rows
    after = rows.at(-1)?.id ?? after
    if (rows.length < 1000) return
  }
}

/** The row as it was when its MAC was computed: jsonb is parsed, and the time has as many digits as it needs. */
const asWritten = (row: Row): Row => ({
  ...row,
  at: new Date(row.at).toISOString(),
  before: row.before === null ? null : canonical(row.before),
  after: row.after === null ? null : canonical(row.after),
})
