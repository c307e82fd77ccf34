// The SQL of the first report of an asset: its findings are staged in their final form, and written by the database.

import { sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import type { CopyRow } from '../../core/db/copy.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import {
  FIELD_COLUMNS,
  type FindingWrite,
  fieldValues,
  isCountable,
  isUsual,
  type Scan,
  usualWorths,
} from '../issues/findings/service.ts'
import type { ImportKey } from './store-stage.ts'

/** A finding of the report; `write` as firstWrite has it. */
export type NewFirst = {
  number: number
  section: number
  at: string
  reportKey: string | null
  write: FindingWrite
}

/**
 * Whether the asset has a finding. In the order of an index, because one of any order is expected soon in the table, and may be its last row;
 * and with ids that the planner cannot see, because it takes those of a new asset for a single finding, which any index of the company has.
 */
export async function hasFindings(db: Db | Trx, { companyId, assetId }: Pick<Scan, 'companyId' | 'assetId'>) {
  const { rows } = await sql`
    select from finding
    where company_id = ${anyCompany(companyId)} and asset_id = (select ${assetId}::bigint) order by type limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** The target of their COPY. */
export const FIRST = `import_first (company_id, import_id, number, repeats, section, at, birth_key, report_key, type, tool_name, rule,
  ${FIELD_COLUMNS}, is_usual, path, line, first_line, column_number, snippet, snippet_hash, observed)`

/** A finding as a line of COPY; `repeats` is the number of an identical row in the same batch. */
export const firstLine = (
  { companyId, id }: ImportKey,
  { number, section, at, reportKey, write }: NewFirst,
  repeats: number | null,
): CopyRow => {
  const { place } = write
  return [
    companyId,
    id,
    number,
    repeats,
    section,
    at,
    `\\x${write.birthKey}`,
    reportKey === null ? null : `\\x${reportKey}`,
    write.type,
    write.toolName,
    write.rule,
    ...fieldValues(write),
    isUsual(write),
    place.path,
    place.line,
    place.firstLine,
    place.column,
    place.snippet,
    place.snippetHash,
    JSON.stringify(write.observed),
  ]
}

/** Marks the rows that are the same finding as an earlier row, and returns their number. One statement. */
export async function noteRepeats(trx: Trx, { companyId, id }: ImportKey): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with told as materialized (
      select * from (
        select ctid as row, number, min(number) over (partition by birth_key) as first from import_first
        where company_id = ${companyId} and import_id = ${id}) as counted
      where first < number)
    update import_first set repeats = told.first from told where import_first.ctid = told.row`.execute(trx)
  return Number(numAffectedRows)
}

/** The origin of a report: its scan, the value of reportAskOf, the sender, and the scope of each section. */
type FirstOrigin = { scan: Scan; reportAsk: string; authorId: Id; scopeIds: readonly Id[] }

/**
 * Writes the findings of the rows from `from` to `to` (exclusive) with their related rows, leaving out repeats of earlier rows, and returns
 * their number. Requires that the asset is locked, that it has no findings but those of this report's earlier rows, and that the scan is
 * not of an older commit. One statement.
 */
export async function writeFirst(
  trx: Trx,
  { companyId, id }: ImportKey,
  { scan, reportAsk, authorId, scopeIds }: FirstOrigin,
  from: number,
  to: number,
): Promise<number> {
  const { assetId, branch, commit, deployId, scanId, projectId, newestDeployId, isExact } = scan
  const company = sql`${companyId}::bigint`
  const deploy = sql`${deployId}::bigint`
  const { rows } = await sql<{ count: number }>`
    with given as materialized (
      select staged.*, nextval('issue_id_seq') as issue_id, nextval('occurrence_id_seq') as occurrence_id
      from (
        select * from import_first as told
        where company_id = ${companyId} and import_id = ${id} and number >= ${from}::int and number < ${to}::int and repeats is null
          and not exists (
            select from (
              select asset_id from finding
              where company_id = ${anyCompany(companyId)} and birth_key = told.birth_key offset 0) as before
            where asset_id = ${assetId} offset 0)
        order by number offset 0) as staged),
    worth as materialized (${usualWorths(companyId, assetId)}),
    created as (
      insert into finding (company_id, id, asset_id, type, tool_name, rule, title, description, severity, impact_level, probability_level,
        cvss_score, cvss_vector, status, category, cwe_ids, patterns, reference, solution, source, sink, detail, original_issue_id,
        fingerprint, partial_fingerprint, scan_digest, birth_key, commit_ref, project_id, scan_id, deploy_id, author_id, sla_started_at,
        sla_due_at, priority_score, revalue_at)
      select ${company}, issue_id, ${assetId}::bigint, type, tool_name, rule, title, description, given.severity, impact_level,
        probability_level, cvss_score, cvss_vector, 'CREATED', category, cwe_ids, patterns, reference, solution, source, sink, detail,
        original_issue_id, fingerprint, partial_fingerprint, scan_digest, birth_key, ${commit}::text, ${projectId}::bigint,
        ${scanId}::bigint, ${deploy}, ${authorId}::bigint, worth.started_at, worth.due_at, coalesce(worth.score, 0),
        case when worth.severity is null then '-infinity' else worth.revalue_at end
      from given left join worth on is_usual and worth.severity = given.severity),
    placed as (
      insert into occurrence (company_id, id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet, snippet_hash,
        commit_ref, seen_commit, seen_deploy_id, first_deploy_id, last_deploy_id, last_scan_id, is_exact, matched_by, report_key,
        report_ask, report_at, report_deploy_id)
      select ${company}, occurrence_id, issue_id, ${assetId}::bigint, ${branch}, path, line, first_line, column_number, snippet,
        snippet_hash, ${commit}::text, ${commit}::text, ${deploy}, ${deploy}, ${deploy}, ${scanId}::bigint, ${isCountable(scan)}::boolean, 'NEW', report_key,
        ${reportAsk}::bigint, now(), ${newestDeployId}::bigint
      from given),
    places as (
      insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id, matched_by, observed)
      select ${company}, occurrence_id, issue_id, ${branch}, path, line, ${commit}::text, ${deploy}, 'NEW', observed from given),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, status, scan_id, deploy_id)
      select ${company}, issue_id, 'SCAN', 'CREATED', ${authorId}::bigint, 'CREATED', ${scanId}::bigint, ${deploy} from given),
    introduced as (
      insert into deploy_finding (company_id, deploy_id, issue_id, is_introduced)
      select ${company}, ${deploy}, issue_id, true from given where ${isExact && deployId !== null}),
    told as (
      insert into import_row (company_id, import_id, number, at, disposition, matched_by, issue_id)
      select ${company}, ${id}::bigint, number, at, 'CREATED', 'NEW', issue_id from given),
    noted as (
      insert into import_seen (company_id, scope_id, issue_id)
      select ${company}, (${scopeIds}::bigint[])[section + 1], issue_id from given)
    select count(*)::int as count from given`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Writes the outcome of the repeated rows, once all findings are written. One statement. */
export async function tellRepeats(trx: Trx, { companyId, id }: ImportKey, scopeIds: readonly Id[]): Promise<void> {
  await sql`
    with again as materialized (
      select later.number, later.at, later.section, first.issue_id, first.at as first_at
      from import_first as later
      cross join lateral (
        select issue_id, at from import_row where company_id = ${companyId} and import_id = ${id} and number = later.repeats offset 0) as first
      where later.company_id = ${companyId} and later.import_id = ${id} and later.repeats is not null),
    told as (
      insert into import_row (company_id, import_id, number, at, disposition, matched_by, issue_id, reason)
      select ${companyId}::bigint, ${id}::bigint, number, at, 'MERGED', 'PLACE', issue_id, 'The same finding as ' || first_at from again)
    insert into import_seen (company_id, scope_id, issue_id)
    select distinct ${companyId}::bigint, (${scopeIds}::bigint[])[section + 1], issue_id from again
    on conflict do nothing`.execute(trx)
}
