// The SQL of a report's staged rows: written by COPY as they are read, and read back bucket by bucket.

import { sql } from 'kysely'
import type { CopyRow } from '../../core/db/copy.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Observation, Statement } from '../../reports/types.ts'
import type { Finding } from '../issues/findings/service.ts'

/** Identifies an import. */
export type ImportKey = { companyId: Id; id: Id }

type Decision = NonNullable<Observation['decision']>

/** A staged finding: `bucket` and `file` are hashes of what it is matched within, `section` is the index of its section. */
export type StagedFinding = {
  bucket: string
  file: string
  number: number
  section: number
  at: string
  /** the value of reportKeyOf; null for a finding that must be decided whatever was reported before */
  reportKey: string | null
  /** characters of the payload */
  size: number
  finding: Finding
  decision: Decision | null
  /** what a VEX document states with it */
  statement: Statement | null
  /** why it makes no finding although it states something; null for a finding */
  undecided: string | null
}

export const FINDING = 0
export const COMPONENT = 1
export const LEFT_OUT = 2

/** A row to stage; `payload` is JSON, or the reason why the row is skipped. */
export type NewStaged = {
  kind: typeof FINDING | typeof COMPONENT | typeof LEFT_OUT
  bucket: string
  file: string
  number: number
  section: number
  at: string
  payload: string
  /** of a finding: its digest, the place where an unchanged earlier finding would have to be, and the evidence that would match them */
  reportKey?: string | null
  path?: string | null
  line?: number | null
  matchedBy?: string
}

/** The target of their COPY. */
export const STAGED =
  'import_staged (company_id, import_id, kind, bucket, file, number, section, at, payload, report_key, path, line, matched_by)'

/** A row as a line of COPY. */
export const stagedLine = (
  { companyId, id }: ImportKey,
  { kind, bucket, file, number, section, at, payload, reportKey, path, line, matchedBy }: NewStaged,
): CopyRow => [
  companyId,
  id,
  kind,
  bucket,
  file,
  number,
  section,
  at,
  payload,
  reportKey ? `\\x${reportKey}` : null,
  path ?? null,
  line ?? null,
  matchedBy ?? null,
]

/** The position of a walk through the rows of one kind. */
type Place = { bucket: string; file: string; number: number }

/** Before the first row. */
export const START: Place = { bucket: '-9223372036854775808', file: '-9223372036854775808', number: -1 }

/** Rows, and bytes, that are read at once. */
const PAGE_ROWS = 1000
const PAGE_SIZE = 2 * 1024 * 1024

type StagedRow = Place & { section: number; at: string; payload: string; reportKey: string | null }

/** The next rows of a kind, ordered by bucket and file; at least one if any are left. */
export async function findStaged(
  db: Db | Trx,
  { companyId, id }: ImportKey,
  kind: number,
  after: Place,
): Promise<StagedRow[]> {
  const { rows } = await sql<StagedRow>`
    select bucket, file, number, section, at, payload, encode(report_key, 'hex') as "reportKey"
    from (
      select *, sum(octet_length(payload)) over (order by bucket, file, number) - octet_length(payload) as before
      from (
        select bucket, file, number, section, at, payload, report_key from import_staged
        where company_id = ${companyId} and import_id = ${id} and kind = ${kind}
          and (bucket, file, number) > (${after.bucket}::bigint, ${after.file}::bigint, ${after.number}::int)
        order by bucket, file, number limit ${PAGE_ROWS}) as page) as summed
    where before < ${PAGE_SIZE} order by bucket, file, number`.execute(db)
  return rows
}

export async function deleteStaged(db: Db | Trx, { companyId, id }: ImportKey): Promise<void> {
  await sql`
    with first as (delete from import_first where company_id = ${companyId} and import_id = ${id})
    delete from import_staged where company_id = ${companyId} and import_id = ${id}`.execute(db)
}
