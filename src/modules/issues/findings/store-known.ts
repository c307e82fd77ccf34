// The SQL that looks up known findings, and the deploys that lead from one commit to another.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import { isKnownPlace } from '../../../core/db/branch-heads.ts'
import { byId } from '../../../core/db/by-id.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Disposition, SeverityCategory } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import { type IssueRecord, issueColumns } from '../store.ts'
import type { CarryStart } from './carry.ts'
import type { ScanDigest } from './fields.ts'
import type { Detail, Spot } from './finding.ts'
import { isStated } from './store-stated.ts'
import { ownWeaknesses } from './store-witness-words.ts'

/**
 * Locks out other reports of the same buckets, and deploys of the same assets, until the transaction ends. `keys` must be ascending, so that
 * callers do not deadlock. Read everything again afterwards: a statement does not see what was committed while it waited.
 */
export async function lockBuckets(
  trx: Trx,
  companyId: Id,
  assetIds: readonly Id[],
  keys: readonly string[],
): Promise<void> {
  await lockingOf(companyId, assetIds, keys).execute(trx)
}

/** The statement behind lockBuckets. */
const lockingOf = (companyId: Id, assetIds: readonly Id[], keys: readonly string[]): RawBuilder<unknown> => sql`
    with held as materialized (
      select id from asset where company_id = ${companyId} and id = any(${assetIds}::bigint[]) order by id for share)
    select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key
    where (select count(*) from held) >= 0`

/** As lockBuckets for one asset, without waiting: false if any lock is another transaction's. The others are held all the same. */
export async function tryBuckets(trx: Trx, companyId: Id, assetId: Id, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ isHeld: boolean | null }>`
    with held as materialized (
      select id from asset where company_id = ${companyId} and id = ${assetId} for share skip locked)
    select bool_and(pg_try_advisory_xact_lock(key)) as "isHeld" from unnest(${keys}::bigint[]) as key
    where exists (select from held)`.execute(trx)
  return rows[0]?.isHeld ?? false
}

/** A known finding, as it is on one branch. */
export type KnownFinding = IssueRecord &
  Spot & {
    /** the issue that it is a witness of, and its own number of witnesses */
    mergedIntoId: Id | null
    witnesses: number
    /** the severity that its own tool gave, if a witness's severity has replaced it */
    ownSeverity: SeverityCategory | null
    tool: string
    /** the weaknesses that its own tool gave */
    cweIds: number[]
    patterns: string[]
    source: string | null
    sink: string | null
    detail: Detail
    scanDigest: ScanDigest
    partialFingerprint: string | null
    birthKey: string
    occurrenceId: Id
    branch: string
    commitRef: string | null
    seenCommit: string | null
    isPresent: boolean
    /** whether its own tool no longer reports it, but a witness does */
    isAbsent: boolean
    isExact: boolean
    seenDeployId: Id | null
    lastScanId: Id | null
    disposition: Disposition | null
    /** the first deploy that removed or replaced its line since it was last reported */
    touchedBy: Id | null
    /** whether its place is known at the head of the branch */
    isKnownAtHead: boolean
    /** whether it is FIX_ACCEPTED because a VEX statement says so: seeing it again does not open it */
    isStatedFixed: boolean
    /** the version of the row and its issue, for optimistic locking */
    version: string
  }

/** A branch to look at, with its last deploy that did not carry findings. */
type BranchScope = { assetId: Id; branch: string; breakId: Id | null; breakAt: string | null }

/** What an observation and a finding may have in common; findings of a bucket that share none of it are never matched. */
type Shared = {
  toolIds: readonly string[]
  fingerprints: readonly string[]
  partialFingerprints: readonly string[]
  paths: readonly string[]
  snippetHashes: readonly string[]
}

/**
 * What to look for: whole buckets, or findings that share an id, a fingerprint, a place or a snippet with an observation. `beyond`: if a
 * bucket has more than `most` findings, only those that share something are read. `titles`: of findings that are compared by title
 * instead of rule.
 */
export type Wanted = { types: readonly string[]; rules: readonly string[]; titles: readonly string[] } & (
  | { extent: 'WHOLE'; beyond: (Shared & { most: number }) | null }
  | ({ extent: 'PARTIAL' } & Shared)
)

/** Candidates on all branches of the assets. The result may be a superset: the caller compares buckets. */
export async function findKnown(
  db: Db | Trx,
  companyId: Id,
  scopes: readonly BranchScope[],
  wanted: Wanted,
): Promise<KnownFinding[]> {
  const assetIds = [...new Set(scopes.map(({ assetId }) => assetId))]
  return (await knownOf(anyCompany(companyId), assetIds, scopesOf(scopes), wanted).execute(db)).rows
}

/** The statement of findKnown; `scope` is a table of BranchScope rows. */
const knownOf = (
  companyId: RawBuilder<unknown>,
  assetIds: readonly Id[],
  scope: RawBuilder<unknown>,
  wanted: Wanted,
): RawBuilder<KnownFinding> => knownIn(matching(companyId, assetIds, wanted), scope)

/** Selects the known findings for `found`, a table of issues with each of their places. */
export const knownIn = (
  found: RawBuilder<unknown>,
  scope: RawBuilder<unknown>,
): RawBuilder<KnownFinding> => sql<KnownFinding>`
    select ${issueColumns}, issue.merged_into_id as "mergedIntoId", issue.witnesses, issue.own_severity as "ownSeverity",
      issue.tool_name as tool, ${ownWeaknesses(sql`issue`)} as "cweIds", issue.patterns, issue.source, issue.sink,
      issue.detail, issue.scan_digest as "scanDigest", issue.partial_fingerprint as "partialFingerprint",
      encode(issue.birth_key, 'hex') as "birthKey", place.id as "occurrenceId", place.branch, place.path, place.line,
      place.first_line as "firstLine", place.column_number as "column", place.snippet, place.snippet_hash as "snippetHash",
      place.commit_ref as "commitRef", place.seen_commit as "seenCommit", place.is_open as "isPresent",
      place.is_absent as "isAbsent", place.is_exact as "isExact",
      place.seen_deploy_id as "seenDeployId", ${version} as version, place.last_scan_id as "lastScanId", place.disposition,
      case when scope.branch is not null then (
        select min(deploy.id) from (
          select deploy_id from deploy_finding
          where company_id = issue.company_id and issue_id = issue.id and disposition in ('TOUCHED', 'REMOVED') offset 0) as told
        cross join lateral ${byId(sql`deploy`, sql`issue.company_id`, sql`told.deploy_id`)} as deploy
        where deploy.branch = place.branch
          and case when place.seen_deploy_id is null then deploy.created_at > place.last_seen_at
                   else deploy.id > place.seen_deploy_id end) end as "touchedBy",
      place.is_open and place.disposition is distinct from 'REMOVED' and scope.branch is not null
        and ${isKnownPlace(sql`place`, sql`scope."breakId"`, sql`scope."breakAt"`)} as "isKnownAtHead",
      issue.status = 'FIX_ACCEPTED' and ${isStated(sql`issue.company_id`, sql`coalesce(issue.merged_into_id, issue.id)`)} as "isStatedFixed"
    from ${found}
    left join ${scope} on scope."assetId" = place.asset_id and scope.branch = place.branch`

/** Changes with every report, every deploy that carries the finding, and every change that a person makes to the issue. */
export const version = sql`row(place.id, issue.updated_at, place.last_seen_at, place.is_open, place.disposition,
  place.last_deploy_id, place.path, place.line)::text collate "C"`

/** The wanted issues with their places, each looked up by its key, even if the planner still takes the tables for empty. */
const matching = (companyId: RawBuilder<unknown>, assetIds: readonly Id[], wanted: Wanted) =>
  matchingOf(
    companyId,
    idsOf(companyId, assetIds, wanted),
    sql`${oneOf('type', 'issue_type', wanted.types)} and ${isNamed(wanted)}`,
  )

/** The issues among `ids` for which `ofBucket` holds, each with its places. */
export const matchingOf = (
  companyId: RawBuilder<unknown>,
  ids: RawBuilder<unknown>,
  ofBucket: RawBuilder<unknown>,
) => sql`
    (${ids}) as wanted
    cross join lateral (
      select * from finding where company_id = ${companyId} and id = wanted.id and ${ofBucket} offset 0) as issue
    cross join lateral (
      select * from occurrence where company_id = ${companyId} and issue_id = issue.id offset 0) as place`

const isNamed = ({ rules, titles }: Wanted): RawBuilder<unknown> =>
  titles.length === 0
    ? oneOf('rule', 'text', rules)
    : sql`(${oneOf('rule', 'text', rules)} or ${oneOf('title', 'text', titles)})`

function idsOf(companyId: RawBuilder<unknown>, assetIds: readonly Id[], wanted: Wanted): RawBuilder<unknown> {
  const mine = sql`company_id = ${companyId} and ${oneOf('asset_id', 'bigint', assetIds)}`
  if (wanted.extent === 'WHOLE') return idsOfBuckets(mine, wanted)
  return idsSharing(mine, wanted)
}

function idsOfBuckets(mine: RawBuilder<unknown>, wanted: Extract<Wanted, { extent: 'WHOLE' }>): RawBuilder<unknown> {
  const { beyond, types, rules, titles } = wanted
  const limit = beyond === null ? sql`` : sql`limit ${beyond.most + 1}`
  const titled = sql`union all
    select array(
      select id from finding where ${mine} and ${oneOf('type', 'issue_type', types)} and ${oneOf('title', 'text', titles)} ${limit}) as ids`
  // one index lookup per bucket: during an import the planner takes an asset for smaller than it is
  const buckets = sql`
    select array(
      select id from finding where ${mine} and type = asked.type and md5(rule) = md5(named.rule) ${limit}) as ids
    from unnest(${types}::issue_type[]) as asked (type)
    cross join unnest(${rules}::text[]) as named (rule)
    ${titles.length === 0 ? sql`` : titled}`
  if (beyond === null) return sql`select distinct unnest(ids) as id from (${buckets}) as bucket`
  return sql`with bucket as materialized (${buckets})
    select unnest(ids) as id from bucket where cardinality(ids) <= ${beyond.most}::int
    union select id from (${idsSharing(mine, beyond)}) as shared
    where (select coalesce(max(cardinality(ids)), 0) from bucket) > ${beyond.most}::int`
}

const idsSharing = (mine: RawBuilder<unknown>, shared: Shared): RawBuilder<unknown> =>
  sql`select id from finding where ${mine} and ${oneOf('original_issue_id', 'text', shared.toolIds)}
    union select id from finding where ${mine} and ${oneOf('fingerprint', 'text', shared.fingerprints)}
    union select id from finding where ${mine} and ${oneOf('partial_fingerprint', 'text', shared.partialFingerprints)}
    union select issue_id from occurrence where ${mine} and ${oneOf('path', 'text', shared.paths)}
    union select issue_id from occurrence where ${mine} and ${oneOf('snippet_hash', 'bigint', shared.snippetHashes)}`

/** Whether the column has one of the values; no array for zero or one values, so that PostgreSQL can use a generic plan. */
export function oneOf(column: string, type: keyof typeof casts, values: readonly string[]): RawBuilder<unknown> {
  const name = sql.ref(column)
  const [value] = values
  if (value === undefined) return sql`false`
  return values.length === 1 ? sql`${name} = ${value}${casts[type]}` : sql`${name} = any(${values}${casts[type]}[])`
}

const casts = { text: sql`::text`, bigint: sql`::bigint`, issue_type: sql`::issue_type` }

function scopesOf(scopes: readonly BranchScope[]): RawBuilder<unknown> {
  const [scope] = scopes
  if (scope && scopes.length === 1) {
    return sql`(select ${scope.assetId}::bigint as "assetId", ${scope.branch}::text as branch,
      ${scope.breakId}::bigint as "breakId", ${scope.breakAt}::timestamptz as "breakAt") as scope`
  }
  return sql`jsonb_to_recordset(${JSON.stringify(scopes)}::jsonb) as scope ("assetId" bigint, branch text,
    "breakId" bigint, "breakAt" timestamptz)`
}

type CarryRow = { n: number; step: number; deployId: Id; path: string | null; hunks: Buffer | null }

/** For each start, the gapless sequence of deploys to the head of its branch, with the changes of its file. */
export async function findCarrySteps(db: Db | Trx, companyId: Id, starts: readonly CarryStart[]): Promise<CarryRow[]> {
  const numbered = starts.map((start, n) => ({ n, ...start }))
  const { rows } = await sql<CarryRow>`
    with recursive walk as (
      select start.n, 0 as step, deploy.id as deploy_id, deploy.asset_id, deploy.branch, deploy.current_commit,
        start."headId" as head_id, start.path, null::bytea as hunks
      from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
        as start (n int, "deployId" bigint, "headId" bigint, path text)
      join deploy on deploy.company_id = ${companyId} and deploy.id = start."deployId"
      union all
      select walk.n, walk.step + 1, next.id, walk.asset_id, walk.branch, next.current_commit, walk.head_id,
        case when file.number is null then walk.path else file.new_path end, file.hunks
      from walk
      cross join lateral (
        select id, current_commit from deploy
        where company_id = ${companyId} and asset_id = walk.asset_id
          and branch = walk.branch and id > walk.deploy_id and id <= walk.head_id
          and previous_commit = walk.current_commit and diff_state = 'PARSED' and lineage <> 'LATE'
        order by id limit 1) as next
      left join lateral (
        select number, new_path, hunks from deploy_file
        where company_id = ${companyId} and deploy_id = next.id and old_path = walk.path and kind <> 'COPIED'
        order by number limit 1) as file on true
      where walk.path is not null and walk.step < 1000)
    select n, step, deploy_id as "deployId", path, hunks from walk where step > 0 order by n, step`.execute(db)
  return rows
}
