// The SQL that writes the findings of an import: new ones by COPY, unchanged ones by a single update.

import { sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import { type CopyTable, copyAllIn, rowsOf } from '../../../core/db/copy.ts'
import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { FIELD_COLUMNS, fieldValues } from './copied-fields.ts'
import type { MatchedBy } from './evidence.ts'
import type { Scan } from './scan.ts'
import { type FirstWorth, findFirstWorths } from './store-worth.ts'
import type { FindingWrite } from './store-write.ts'

/** The ids assigned to a new finding, and the time of the transaction in ISO 8601. */
type Born = { birthKey: string; id: Id; occurrenceId: Id; now: string }

type NewFinding = Born & { write: FindingWrite; worth: FirstWorth }

/**
 * Writes new findings of one scan with their related rows, and returns their ids by birth key. Requires that the asset is locked. Skips
 * findings whose birth key exists already, and all of them if a deploy has been added meanwhile. Two statements and four or five COPYs,
 * whatever the number.
 */
export async function copyFindings(
  trx: Trx,
  { companyId, assetId, newestDeployId }: Scan,
  authorId: Id,
  given: readonly FindingWrite[],
): Promise<ReadonlyMap<string, Id>> {
  const { rows: born } = await sql<Born>`
    select "birthKey", nextval('issue_id_seq') as id, nextval('occurrence_id_seq') as "occurrenceId", now()::text as now
    from string_to_table(${given.map(({ birthKey }) => birthKey).join()}, ',') as "birthKey"
    where (select id from finding where company_id = ${anyCompany(companyId)} and birth_key = decode("birthKey", 'hex')) is null
      and (select max(id) from deploy where company_id = ${companyId} and asset_id = ${assetId})
        is not distinct from ${newestDeployId}::bigint`.execute(trx)
  const worthOf = await findFirstWorths(trx, companyId, assetId)
  const writes = new Map(given.map((write) => [write.birthKey, write]))
  const rows = born.flatMap((one): NewFinding[] => {
    const write = writes.get(one.birthKey)
    return write ? [{ ...one, write, worth: worthOf(write) }] : []
  })
  // in this order, because the later tables refer to the earlier ones
  await copyAllIn(trx, [
    findingRows(companyId, authorId, rows),
    occurrenceRows(companyId, rows),
    placeRows(companyId, rows),
    eventRows(companyId, authorId, rows),
    introducedRows(companyId, rows),
  ])
  return new Map(rows.map(({ birthKey, id }) => [birthKey, id]))
}

const findingRows = (companyId: Id, authorId: Id, rows: readonly NewFinding[]): CopyTable => ({
  into: `finding (company_id, id, asset_id, type, tool_name, rule, ${FIELD_COLUMNS}, status, birth_key, commit_ref, project_id,
      scan_id, deploy_id, author_id, sla_started_at, sla_due_at, priority_score, revalue_at)`,
  rows: rowsOf(rows, ({ id, birthKey, worth, write }) => [
    companyId,
    id,
    write.assetId,
    write.type,
    write.toolName,
    write.rule,
    ...fieldValues(write),
    write.status,
    `\\x${birthKey}`,
    write.commit,
    write.projectId,
    write.scanId,
    write.deployId,
    authorId,
    worth.startedAt,
    worth.dueAt,
    worth.score,
    worth.revalueAt,
  ]),
})

/** Where each finding is on its branch, with the report that named it. */
const occurrenceRows = (companyId: Id, rows: readonly NewFinding[]): CopyTable => ({
  into: `occurrence (company_id, id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet, snippet_hash, commit_ref,
      seen_commit, seen_deploy_id, first_deploy_id, last_deploy_id, last_scan_id, disposition, is_open, is_absent, is_exact, matched_by,
      report_key, report_ask, report_at, report_deploy_id)`,
  rows: rowsOf(rows, ({ id, occurrenceId, now, write: { place, ...write } }) => [
    companyId,
    occurrenceId,
    id,
    write.assetId,
    write.branch,
    place.path,
    place.line,
    place.firstLine,
    place.column,
    place.snippet,
    place.snippetHash,
    place.commitRef,
    write.commit,
    write.seenDeployId,
    write.deployId,
    write.deployId,
    write.scanId,
    place.disposition,
    place.isPresent,
    place.isAbsent,
    place.isExact,
    write.matchedBy,
    write.reportKey === null ? null : `\\x${write.reportKey}`,
    write.reportAsk,
    now,
    write.newestDeployId,
  ]),
})

/** The first entry in each finding's list of places. */
const placeRows = (companyId: Id, rows: readonly NewFinding[]): CopyTable => ({
  into: 'occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id, disposition, matched_by, observed)',
  rows: rowsOf(rows, ({ id, occurrenceId, write: { place, ...write } }) => [
    companyId,
    occurrenceId,
    id,
    write.branch,
    place.path,
    place.line,
    place.commitRef,
    write.deployId,
    place.disposition,
    write.matchedBy,
    JSON.stringify(write.observed),
  ]),
})

const eventRows = (companyId: Id, authorId: Id, rows: readonly NewFinding[]): CopyTable => ({
  into: 'issue_event (company_id, issue_id, kind, action, author_id, status, scan_id, deploy_id)',
  rows: rowsOf(rows, ({ id, write }) => [
    companyId,
    id,
    'SCAN',
    'CREATED',
    authorId,
    write.status,
    write.scanId,
    write.deployId,
  ]),
})

/** The deploys that introduced findings, where one did. */
const introducedRows = (companyId: Id, rows: readonly NewFinding[]): CopyTable => ({
  into: 'deploy_finding (company_id, deploy_id, issue_id, is_introduced)',
  rows: rowsOf(
    rows.filter(({ write }) => write.introducedBy !== null),
    ({ id, write }) => [companyId, write.introducedBy, id, true],
  ),
})

/** A finding that a report contains unchanged. */
export type SeenAgain = {
  occurrenceId: Id
  matchedBy: MatchedBy
  reportKey: string | null
  updatedAt: string
  commitRef: string | null
  isExact: boolean
}

/** Records that findings were seen again, and returns the occurrences that still exist. Requires that the asset is locked. One statement. */
export async function touchFindings(
  trx: Trx,
  scan: Scan,
  reportAsk: string,
  seen: readonly SeenAgain[],
): Promise<ReadonlySet<Id>> {
  if (seen.length === 0) return new Set()
  const { companyId, commit, deployId, seenDeployId, scanId, newestDeployId } = scan
  const { rows } = await sql<{ id: Id }>`
    update occurrence set last_seen_at = now(), matched_by = given.matched_by, seen_commit = coalesce(${commit}::text, seen_commit),
      commit_ref = given.commit_ref, is_exact = given.is_exact,
      seen_deploy_id = greatest(seen_deploy_id, ${seenDeployId}::bigint), last_deploy_id = greatest(last_deploy_id, ${deployId}::bigint),
      last_scan_id = coalesce(${scanId}::bigint, last_scan_id), report_key = decode(given.report_key, 'hex'),
      report_ask = ${reportAsk}::bigint, report_at = given.updated_at, report_deploy_id = ${newestDeployId}::bigint
    from unnest(${seen.map(({ occurrenceId }) => occurrenceId)}::bigint[], ${seen.map(({ matchedBy }) => matchedBy)}::text[],
      ${seen.map(({ reportKey }) => reportKey)}::text[], ${seen.map(({ updatedAt }) => updatedAt)}::timestamptz[],
      ${seen.map(({ commitRef }) => commitRef)}::text[], ${seen.map(({ isExact }) => isExact)}::boolean[])
      as given (id, matched_by, report_key, updated_at, commit_ref, is_exact)
    where company_id = ${anyCompany(companyId)} and occurrence.id = given.id
    returning occurrence.id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
