// The SQL of a report's rows on their way: put down by COPY as they are read, taken up again bucket by bucket.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { withClient } from '../../core/db/driver.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Database } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Observation } from '../../reports/types.ts'
import type { Finding } from '../issues/findings/service.ts'

/** An import that is under way. */
export type ImportKey = { companyId: Id; id: Id }

export type Decision = NonNullable<Observation['decision']>

/** A finding of the report: `bucket` and `file` are hashes of what it is compared within, `section` counts its scopes. */
export type StagedFinding = {
  bucket: string
  file: string
  number: number
  section: number
  at: string
  /** characters of what was put down */
  size: number
  finding: Finding
  decision: Decision | null
}

export const FINDING = 0
export const COMPONENT = 1
export const LEFT_OUT = 2

/** A row as it is put down; `payload` is JSON, or the reason of a row that is left out. */
export type NewStaged = {
  kind: typeof FINDING | typeof COMPONENT | typeof LEFT_OUT
  bucket: string
  file: string
  number: number
  section: number
  at: string
  payload: string
}

/** Puts rows down in one COPY. */
export async function insertStaged(db: Db | Trx, { companyId, id }: ImportKey, rows: readonly NewStaged[]) {
  await copyIn(
    db,
    'import_staged (company_id, import_id, kind, bucket, file, number, section, at, payload)',
    rows.map(({ kind, bucket, file, number, section, at, payload }) => [
      companyId,
      id,
      kind,
      bucket,
      file,
      number,
      section,
      at,
      payload,
    ]),
  )
}

type CopyValue = string | number | null

/** Writes rows through COPY; `into` names the table and its columns. */
export async function copyIn(db: Db | Trx, into: string, rows: readonly (readonly CopyValue[])[]): Promise<void> {
  if (rows.length === 0) return
  await withClient<Database, void>(db, async (client) => {
    await pipeline(
      Readable.from(copyLines(rows), { objectMode: false }),
      client.query(copyFrom(`copy ${into} from stdin`)),
    )
  })
}

/** Characters that are gathered before they are handed on. */
const BLOCK = 256 * 1024

function* copyLines(rows: readonly (readonly CopyValue[])[]): Generator<Buffer> {
  let block = ''
  for (const row of rows) {
    block += `${row.map(copyText).join('\t')}\n`
    if (block.length < BLOCK) continue
    yield Buffer.from(block)
    block = ''
  }
  yield Buffer.from(block)
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const copyText = (value: CopyValue): string =>
  value === null ? '\\N' : typeof value === 'number' ? String(value) : value.replace(/[\\\t\n\r]/g, escaped)

const escaped = (char: string): string => escapes[char] ?? char

/** Where a walk through the rows of one kind stands. */
export type Place = { bucket: string; file: string; number: number }

/** Before every row. */
export const START: Place = { bucket: '-9223372036854775808', file: '-9223372036854775808', number: -1 }

/** Rows, and characters of them, that are taken up at once. */
const PAGE_ROWS = 1000
const PAGE_SIZE = 2 * 1024 * 1024

type StagedRow = Place & { section: number; at: string; payload: string }

/** The next rows of a kind, bucket by bucket and file by file; at least one while there are any. */
export async function findStaged(
  db: Db | Trx,
  { companyId, id }: ImportKey,
  kind: number,
  after: Place,
): Promise<StagedRow[]> {
  const { rows } = await sql<StagedRow>`
    select bucket, file, number, section, at, payload
    from (
      select *, sum(length(payload)) over (order by bucket, file, number) - length(payload) as before
      from (
        select bucket, file, number, section, at, payload from import_staged
        where company_id = ${companyId} and import_id = ${id} and kind = ${kind}
          and (bucket, file, number) > (${after.bucket}::bigint, ${after.file}::bigint, ${after.number}::int)
        order by bucket, file, number limit ${PAGE_ROWS}) as page) as summed
    where before < ${PAGE_SIZE} order by bucket, file, number`.execute(db)
  return rows
}

export async function deleteStaged(db: Db | Trx, { companyId, id }: ImportKey): Promise<void> {
  await sql`delete from import_staged where company_id = ${companyId} and import_id = ${id}`.execute(db)
}
