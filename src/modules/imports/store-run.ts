// The SQL of an import that runs: begun, held by one worker, told of as it goes on, and ended.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Reading } from './reading.ts'
import { type AskedBy, type Counts, columns, type Import } from './store.ts'
import type { ImportKey } from './store-stage.ts'

export type Claimed = Import & { askedBy: AskedBy; objectKey: string | null }

/** Begins, or begins again, an import that has not ended; null for one that has, or is gone. */
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
 * True when no other worker is at this import; until the transaction ends, whose statements may take `patience` milliseconds:
 * they may have to wait for other reports of the asset.
 */
export async function holdImport(trx: Trx, { companyId, id }: ImportKey, patience: number): Promise<boolean> {
  await sql`select set_config('statement_timeout', ${String(patience)}, true)`.execute(trx)
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`import ${companyId}/${id}`}, 0))
      and exists (select from import where company_id = ${companyId} and id = ${id} and status = 'RUNNING') as held`.execute(
    trx,
  )
  return rows[0]?.held ?? false
}

export type Progress = { bytesRead: number; rowsStaged: number; rowsRecorded: number }

export async function updateProgress(db: Db, { companyId, id }: ImportKey, progress: Progress): Promise<void> {
  await sql`
    update import set bytes_read = ${progress.bytesRead}, rows_staged = ${progress.rowsStaged},
      rows_recorded = ${progress.rowsRecorded}
    where company_id = ${companyId} and id = ${id} and status = 'RUNNING'`.execute(db)
}

/** What an import that has succeeded came to. */
export type Finished = {
  format: string
  counts: Counts
  unclosedReason: string | null
  incompleteReason: string | null
  reading: Reading | null
}

/** Ends an import well, and lets go of its report. Answers with it. */
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

/** Ends an import that has not ended yet, and lets go of its report; false when it has. */
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

/** Rows that one statement deletes. */
const SWEPT_AT_ONCE = 10_000

/**
 * Deletes rows that are no longer shown: of imports older than 90 days, and those that said UNCHANGED after a week. Answers with
 * how many; as many as a statement takes, so that it is to be asked again.
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
