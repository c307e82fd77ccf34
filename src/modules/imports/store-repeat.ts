// The SQL of a report that is identical to an earlier one: finds the earlier import, and takes its rows in again.

import { sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Read } from './reading.ts'
import type { ImportKey } from './store-stage.ts'
import { isAsReported, isOpenNow, type Origin, seenAgain } from './store-unchanged.ts'

/** An earlier import, with the outcome of reading its report. */
export type Before = { id: Id; read: Read }

/** The last import with this reading key; null if there is none. */
export async function findRead(
  trx: Trx,
  { companyId, assetId }: { companyId: Id; assetId: Id },
  readingKey: Buffer,
): Promise<Before | null> {
  const { rows } = await sql<Before>`
    select id, reading as read from import
    where company_id = ${companyId} and asset_id = ${assetId} and reading_key = ${readingKey}
    order by taken_at desc limit 1`.execute(trx)
  return rows[0] ?? null
}

/**
 * Takes the rows of an earlier import in again, provided that all of them still exist and that no report, deploy or person has changed
 * their findings since. Returns the number of open findings, or null if nothing was written. Requires that the asset is locked and that the
 * scan is not of an older commit. One statement.
 */
export async function takeRepeated(
  trx: Trx,
  { companyId, id }: ImportKey,
  { scan, reportAsk, scopeIds }: Origin,
  { id: beforeId, read: { findings, unreadable, unwanted } }: Before,
): Promise<number | null> {
  const { rows } = await sql<{ open: number }>`
    with before as materialized (
      select number, at, disposition, matched_by, issue_id, reason from import_row
      where company_id = ${companyId} and import_id = ${beforeId} and disposition in ('CREATED', 'UNCHANGED', 'LEFT_OUT')),
    standing as materialized (
      select before.number, before.at, known.*
      from (select * from before where disposition <> 'LEFT_OUT') as before
      cross join lateral (
        select place.id, place.issue_id, issue.is_open,
          case when before.disposition = 'UNCHANGED' then before.matched_by when issue.original_issue_id is not null then 'TOOL_ID'
            when issue.fingerprint is not null then 'FINGERPRINT' else 'PLACE' end as matched_by
        from (
          select * from occurrence
          where company_id = ${anyCompany(companyId)} and issue_id = before.issue_id and branch = ${scan.branch} offset 0) as place
        cross join lateral (
          select updated_at, status, decided_at, witnesses, merged_into_id, original_issue_id, fingerprint, ${isOpenNow} as is_open
          from finding where company_id = ${anyCompany(companyId)} and id = before.issue_id offset 0) as issue
        where place.asset_id = ${scan.assetId} and place.report_key is not null and ${isAsReported}
          and place.last_seen_at = (select taken_at from import where company_id = ${companyId} and id = ${beforeId})) as known),
    whole as materialized (
      select where (select count(*) from standing) = ${findings}::int
        and (select count(*) from before) = ${findings + unreadable + unwanted}::int),
    taken as materialized (select standing.* from standing cross join whole),
    left_out as (
      insert into import_row (company_id, import_id, number, at, disposition, reason)
      select ${companyId}::bigint, ${id}::bigint, number, at, disposition, reason from before cross join whole
      where disposition = 'LEFT_OUT'),
    ${seenAgain({ companyId, id }, { scan, reportAsk }, sql`${scopeIds[0] ?? null}::bigint`)}
    select (select count(*) from taken where is_open)::int as open from whole`.execute(trx)
  return rows[0]?.open ?? null
}
