// The SQL of a running import: started, locked by one worker, its progress, and its end.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { KeptReading } from './reading.ts'
import { type AskedBy, type Counts, columns, type Import } from './store.ts'
import type { ImportKey } from './store-stage.ts'

export type Claimed = Import & { askedBy: AskedBy; objectKey: string | null }

/** Starts or restarts an import; null if it has ended or no longer exists. */
export async function claimImport(db: Db, { companyId, id }: ImportKey): Promise<Claimed | null> {
  const claimed = await db
    .updateTable('import')
    .set({
      status: 'RUNNING',
      attempts: sql<number>`attempts + 1`,
      started_at: sql`coalesce(started_at, now())`,
      bytes_read: '0',
      rows_staged: 0,
      rows_recorded: 0,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .returning([
      ...columns,
      sql<AskedBy>`actor`.as('askedBy'),
      sql<
        string | null
      >`(select object_key from stored_object o where o.company_id = import.company_id and o.id = object_id)`.as(
        'objectKey',
      ),
    ])
    .executeTakeFirst()
  return claimed ?? null
}

/**
 * Locks the import until the transaction ends; false if it has ended. Waits for a worker that has it, even for a lost one whose statement goes
 * on in the database: nobody would start the import again after that. Sets the statement timeout to `patience` milliseconds, because
 * statements may have to wait for other reports of the asset.
 */
export async function holdImport(trx: Trx, { companyId, id }: ImportKey, patience: number): Promise<boolean> {
  await sql`select set_config('statement_timeout', ${String(patience)}, true)`.execute(trx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${companyId}/${id}`}, 0))`.execute(trx)
  const { rows } = await sql`
    select from import where company_id = ${companyId} and id = ${id} and status = 'RUNNING'`.execute(trx)
  return rows.length > 0
}

type Progress = { bytesRead: number; rowsStaged: number; rowsRecorded: number }

export async function updateProgress(db: Db, { companyId, id }: ImportKey, progress: Progress): Promise<void> {
  await sql`
    update import set bytes_read = ${progress.bytesRead}, rows_staged = ${progress.rowsStaged},
      rows_recorded = ${progress.rowsRecorded}
    where company_id = ${companyId} and id = ${id} and status = 'RUNNING'`.execute(db)
}

/** The outcome of a successful import. */
type Finished = {
  format: string
  counts: Counts
  unclosedReason: string | null
  incompleteReason: string | null
  reading: KeptReading | null
}

/** Marks an import as succeeded, releases its report file, and returns it. */
export async function finishImport(
  trx: Trx,
  key: ImportKey,
  { format, counts, unclosedReason, incompleteReason, reading }: Finished,
): Promise<Import> {
  await releaseReport(trx, key)
  return trx
    .updateTable('import')
    .set({
      status: 'SUCCEEDED',
      format,
      rows_read: counts.read,
      created: counts.created,
      updated: counts.updated,
      unchanged: counts.unchanged,
      reopened: counts.reopened,
      merged: counts.merged,
      closed: counts.closed,
      left_out: counts.leftOut,
      components: counts.components,
      unclosed_reason: unclosedReason,
      incomplete_reason: incompleteReason,
      reading_key: reading?.key ?? null,
      reading: reading?.read ?? null,
      taken_at: sql`now()`,
      finished_at: sql`clock_timestamp()`,
    })
    .where('company_id', '=', key.companyId)
    .where('id', '=', key.id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Marks an import as failed and releases its report file; false if it had ended already. */
export async function failImport(trx: Trx, key: ImportKey, code: string, reason: string): Promise<boolean> {
  await releaseReport(trx, key)
  const { rows } = await sql`
    update import set status = 'FAILED', failure_code = ${code}, failure_reason = ${reason}, finished_at = clock_timestamp()
    where company_id = ${key.companyId} and id = ${key.id} and status in ('PENDING', 'RUNNING') returning id`.execute(
    trx,
  )
  return rows.length > 0
}

async function releaseReport(trx: Trx, { companyId, id }: ImportKey): Promise<void> {
  await sql`
    delete from stored_object where company_id = ${companyId}
      and id = (select object_id from import where company_id = ${companyId} and id = ${id})`.execute(trx)
}

/** Rows deleted by one statement. */
const SWEPT_AT_ONCE = 10_000

/**
 * Deletes rows that are no longer shown: rows of imports older than 90 days, and UNCHANGED rows older than a week. Deletes at most
 * SWEPT_AT_ONCE and returns their number, so that the caller repeats it.
 */
export async function sweepRows(db: Db): Promise<number> {
  const { rows } = await sql`
    with old as (
      select company_id, id, finished_at < now() - interval '90 days' as is_old from import
      where finished_at < now() - interval '7 days' and unchanged + rows_read + closed > 0)
    delete from import_row where ctid = any(array(
      select import_row.ctid from import_row join old on old.company_id = import_row.company_id and old.id = import_id
      where is_old or disposition = 'UNCHANGED' limit ${SWEPT_AT_ONCE})) returning 1`.execute(db)
  return rows.length
}
