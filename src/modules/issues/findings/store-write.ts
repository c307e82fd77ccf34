// The SQL that writes the outcomes of reports: new and changed findings, with their related rows.

import { type RawBuilder, sql } from 'kysely'
import { isKnownPlace } from '../../../core/db/branch-heads.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Disposition, IssueStatus, IssueType } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import type { Evidence, MatchedBy } from './evidence.ts'
import type { ScanDigest } from './fields.ts'
import type { ScanFields, Spot } from './finding.ts'
import { isUsual } from './store-worth.ts'
import {
  asking,
  askingNothing,
  changing,
  changingNone,
  creating,
  creatingNone,
  introducing,
  introducingNone,
} from './store-write-parts.ts'

/** A finding to write; `n` is its number within the statement. */
export type FindingWrite = {
  n: number
  assetId: Id
  branch: string
  /** set for a known finding, with the time of its last change as it was read */
  issueId: Id | null
  updatedAt: string | null
  /** set for a new finding; with its id if that was assigned before */
  birthKey: string | null
  newId: Id | null
  type: IssueType
  toolName: string
  rule: string
  status: IssueStatus | null
  /** the fields to write: all for a new finding, the changed ones for a known finding */
  fields: Partial<ScanFields>
  digest: ScanDigest
  /** the evidence that matched it, and what was compared of the report */
  matchedBy: MatchedBy
  observed: Evidence
  isChanged: boolean
  reopens: boolean
  projectId: Id | null
  scanId: Id | null
  /** the scanned deploy and commit */
  deployId: Id | null
  /** the deploy at which the finding counts as seen, see Scan */
  seenDeployId: Id | null
  commit: string | null
  place: PlaceWrite
  /** the deploy at which the finding is seen first on its branch */
  introducedBy: Id | null
  /** the deploy that appeared to have removed it */
  presentAt: Id | null
  /** whether a known finding is on the branch, and was not before */
  standsAnew: boolean
  /** the values of reportKeyOf and reportAskOf for the report, and the asset's newest deploy */
  reportKey: string | null
  reportAsk: string | null
  newestDeployId: Id | null
}

/** The finding's place at the head of its branch. */
export type PlaceWrite = Spot & {
  commitRef: string | null
  disposition: Disposition | null
  isPresent: boolean
  /** its own tool no longer reports it, but a witness does */
  isAbsent: boolean
  /** whether the branch's deploys tell where it is; if not, they may once there is a deploy of `commitRef` */
  isExact: boolean
  /** whether to add it to the finding's list of places */
  isNew: boolean
}

/** `issue` is null for a known finding without a changed field. */
export type Written = { n: number; issue: IssueRecord | null }

type NewestDeploy = { assetId: Id; deployId: Id | null }

/**
 * Writes all rows in one statement and returns them, except those that somebody else created or changed since they were read; none at all if
 * a deploy has been added meanwhile.
 */
export async function writeFindings(
  trx: Trx,
  companyId: Id,
  authorId: Id,
  newestDeploys: readonly NewestDeploy[],
  rows: readonly FindingWrite[],
): Promise<Written[]> {
  return writtenOf((await writingOf(companyId, authorId, newestDeploys, rows).execute(trx)).rows)
}

export const writtenOf = (rows: readonly WrittenRow[]): Written[] =>
  rows.map(({ n, birthKey: _, ...issue }) => ({ n, issue: issue.id === null ? null : issue }))

type WrittenRow = IssueRecord & { n: number; birthKey: string | null }

/** An id for a new issue. */
export async function nextIssueId(db: Db): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`select nextval('issue_id_seq') as id`.execute(db)
  return rows[0]?.id ?? ''
}

const isNew = ({ issueId }: FindingWrite): boolean => issueId === null
const isChange = ({ issueId, isChanged }: FindingWrite): boolean => issueId !== null && isChanged
const isOfDeploy = ({ introducedBy, presentAt }: FindingWrite): boolean => introducedBy !== null || presentAt !== null
const isCountedAnew = (row: FindingWrite): boolean =>
  row.issueId !== null && !row.reopens && (isOfDeploy(row) || row.standsAnew || row.fields.severity !== undefined)

/** Marks whether a new finding's values are computed with the statement, see store-worth.ts. */
const withUsual = (row: FindingWrite) => ({ ...row, isUsual: isNew(row) && isUsual(row) })

/** True as long as none of the assets has a newer deploy. */
const areNewest = (companyId: Id, newestDeploys: readonly NewestDeploy[]) => sql`not exists (
        select from jsonb_to_recordset(${JSON.stringify(newestDeploys)}::jsonb) as newest ("assetId" bigint, "deployId" bigint)
        where (select max(id) from deploy where company_id = ${companyId} and asset_id = newest."assetId")
          is distinct from newest."deployId")`

/** What else is written with the findings; `waits`: wait for a known finding that somebody has locked, instead of skipping it. */
type Manner = { beside: RawBuilder<unknown> | undefined; waits: boolean }

/** The statement of writeFindings, made of the parts that its rows need; it writes the rows of a table `given` for which `condition` holds. */
export const writingOf = (
  companyId: Id,
  authorId: Id,
  newestDeploys: readonly NewestDeploy[],
  rows: readonly FindingWrite[],
  condition: RawBuilder<boolean> = sql`true`,
  { beside = sql`select`, waits }: Manner = { beside: undefined, waits: true },
): RawBuilder<WrittenRow> => sql<WrittenRow>`
    with given as materialized (
      select given.*, i.*, p.* from jsonb_to_recordset(${JSON.stringify(rows.map(withUsual))}::jsonb) as given (n int, "assetId" bigint, branch text,
        "issueId" bigint, "updatedAt" timestamptz, "birthKey" text, "newId" bigint, type issue_type, "toolName" text, rule text,
        status issue_status, fields jsonb, digest jsonb, "matchedBy" text, observed jsonb, "isChanged" boolean, reopens boolean, "isUsual" boolean, "projectId" bigint,
        "scanId" bigint, "deployId" bigint, "seenDeployId" bigint, commit text, place jsonb, "introducedBy" bigint, "presentAt" bigint,
        "standsAnew" boolean, "reportKey" text, "reportAsk" bigint, "newestDeployId" bigint),
      jsonb_to_record(fields) as i (title text, description text, severity severity_category, "impactLevel" text,
        "probabilityLevel" text, "cvssScore" numeric, "cvssVector" text, category text, "cweIds" int[], patterns text[],
        reference text, solution text, source text, sink text, detail jsonb, "originalIssueIdFromTool" text,
        fingerprint text, "partialFingerprint" text),
      jsonb_to_record(place) as p (path text, line int, "firstLine" int, "column" int, snippet text, "snippetHash" bigint,
        "commitRef" text, disposition disposition, "isPresent" boolean, "isAbsent" boolean, "isExact" boolean, "isNew" boolean)
      where ${condition} ${newestDeploys.length === 0 ? sql`` : sql`and ${areNewest(companyId, newestDeploys)}`}),
    ${rows.some(isNew) ? creating(companyId, authorId) : creatingNone},
    ${rows.some(isChange) ? changing(companyId, waits) : changingNone},
    target as (
      select given.*, coalesce(given."issueId", created.id) as issue_id
      from given left join created on created."birthKey" = given."birthKey"
      where coalesce(given."issueId", created.id) is not null
        and (not "isChanged" or given."issueId" is null or given."issueId" in (select id from changed))),
    placed as (
      insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet,
        snippet_hash, commit_ref, seen_commit, seen_deploy_id, first_deploy_id, last_deploy_id, last_scan_id, disposition, is_open,
        is_absent, is_exact, matched_by, report_key, report_ask, report_at, report_deploy_id)
      select ${companyId}::bigint, issue_id, "assetId", branch, path, line, "firstLine", "column", snippet, "snippetHash",
        "commitRef", commit, "seenDeployId", "deployId", "deployId", "scanId", disposition, "isPresent",
        "isAbsent", "isExact", "matchedBy", decode("reportKey", 'hex'), "reportAsk", case when "isChanged" or "issueId" is null then now() else "updatedAt" end, "newestDeployId"
      from target order by issue_id
      on conflict (company_id, issue_id, branch) do update set path = excluded.path, line = excluded.line,
        first_line = excluded.first_line, column_number = excluded.column_number, snippet = excluded.snippet,
        snippet_hash = excluded.snippet_hash, commit_ref = excluded.commit_ref,
        seen_commit = coalesce(excluded.seen_commit, occurrence.seen_commit), last_seen_at = now(),
        seen_deploy_id = greatest(occurrence.seen_deploy_id, excluded.seen_deploy_id),
        last_deploy_id = greatest(occurrence.last_deploy_id, excluded.last_deploy_id),
        last_scan_id = coalesce(excluded.last_scan_id, occurrence.last_scan_id),
        disposition = excluded.disposition, is_open = excluded.is_open, is_absent = excluded.is_absent,
        own_place = case when excluded.is_absent then occurrence.own_place end,
        is_exact = excluded.is_exact, matched_by = excluded.matched_by, report_key = excluded.report_key, report_ask = excluded.report_ask,
        report_at = excluded.report_at, report_deploy_id = excluded.report_deploy_id
      returning id, issue_id, branch),
    places as (
      insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id, disposition,
        matched_by, observed)
      select ${companyId}::bigint, placed.id, placed.issue_id, target.branch, path, line, "commitRef", "deployId", disposition,
        "matchedBy", observed
      from placed join target on target.issue_id = placed.issue_id and target.branch = placed.branch where "isNew"),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, previous_status, status, reason, scan_id, deploy_id)
      select ${companyId}::bigint, issue_id, 'SCAN', case when reopens then 'STATUS_CHANGED' else 'CREATED' end,
        ${authorId}::bigint, case when reopens then 'FIX_ACCEPTED'::issue_status end,
        case when reopens then 'IDENTIFIED' else status end, case when reopens then 'Seen again by a scan' end,
        "scanId", "deployId"
      from target where reopens or "issueId" is null),
    ${rows.some(isOfDeploy) ? introducing(companyId) : introducingNone},
    ${rows.some(isCountedAnew) ? asking(companyId) : askingNothing},
    beside as (${beside})
    select target.n, fresh.*
    from target left join (select *, null as "birthKey" from changed union all select * from created) as fresh
      on fresh.id = target.issue_id
    order by target.n`

/** A repeated report of a finding whose place and fields are unchanged. */
type Touch = {
  occurrenceId: Id
  path: string | null
  line: number | null
  disposition: Disposition | null
  deployId: Id | null
  scanId: Id | null
  commit: string | null
  commitRef: string | null
  /** whether the report itself tells where the finding is at the head; if not, what is known stays */
  isExact: boolean
  matchedBy: MatchedBy
  reportKey: string | null
  reportAsk: string
  assetId: Id
  newestDeployId: Id | null
  breakId: Id | null
  breakAt: string | null
  /** the issue's value as it was read */
  updatedAt: string
}

/** Records that the finding was seen again; false if it has changed or was deleted since it was read, or if a deploy has been added. */
export async function touchFinding(db: Db | Trx, companyId: Id, touch: Touch): Promise<boolean> {
  const isKnown = isKnownPlace(sql`occurrence`, sql`${touch.breakId}::bigint`, sql`${touch.breakAt}::timestamptz`)
  const { rows } = await sql`
    update occurrence set last_seen_at = now(), matched_by = ${touch.matchedBy}, seen_commit = coalesce(${touch.commit}, seen_commit),
      commit_ref = ${touch.commitRef}, is_exact = ${touch.isExact}::boolean or ${isKnown},
      seen_deploy_id = greatest(seen_deploy_id, ${touch.deployId}::bigint),
      last_deploy_id = greatest(last_deploy_id, ${touch.deployId}::bigint),
      last_scan_id = coalesce(${touch.scanId}::bigint, last_scan_id), report_key = decode(${touch.reportKey}::text, 'hex'),
      report_ask = ${touch.reportAsk}::bigint,
      report_at = ${touch.updatedAt}::timestamptz, report_deploy_id = ${touch.newestDeployId}::bigint
    where company_id = ${companyId} and id = ${touch.occurrenceId} and is_open and not is_absent
      and path is not distinct from ${touch.path} and line is not distinct from ${touch.line}::int
      and disposition is not distinct from ${touch.disposition}::disposition
      and (select max(id) from deploy where company_id = ${companyId} and asset_id = ${touch.assetId}::bigint)
        is not distinct from ${touch.newestDeployId}::bigint
    returning id`.execute(db)
  return rows.length === 1
}
