// The SQL of issue identity: the evidence that matched findings, their places, and their witnesses.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Disposition, IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { MatchedBy } from './findings/evidence.ts'
import { type IssueKey, wantedOf } from './store-beside.ts'

/** The most places shown of an issue. */
const MOST_SHOWN = 100

export type Witness = {
  key: IssueKey
  id: Id
  isOwn: boolean
  toolName: string | null
  ruleId: string
  title: string
  type: IssueType
  severity: SeverityCategory
  isOpen: boolean
  lastSeenAt: string | null
  mergedAt: string | null
  mergedBy: 'PERSON' | 'SAME_PLACE' | 'SAME_VULNERABILITY' | null
  /** the reason given by the person who merged it */
  reason: string | null
  decidedById: Id | null
}

/** Each issue's own finding and its witnesses, ordered by id. */
export async function findWitnesses(db: Db, keys: readonly IssueKey[]): Promise<Witness[]> {
  const { rows } = await sql<Witness>`
    select wanted.company_id || '/' || wanted.id as key, said.id, said.id = wanted.id as "isOwn",
      nullif(said.tool_name, '') as "toolName", said.rule as "ruleId", said.title, said.type,
      coalesce(said.own_severity, said.severity) as severity, coalesce(seen.is_open, false) as "isOpen", seen.at as "lastSeenAt",
      said.merged_at as "mergedAt", said.merged_by as "mergedBy", decided.reason, decided.decided_by as "decidedById"
    from ${wantedOf(keys)}
    cross join lateral (
      select * from finding where company_id = wanted.company_id and id = wanted.id
      union all
      select * from finding where company_id = wanted.company_id and merged_into_id = wanted.id) as said
    left join lateral (
      select bool_or(is_open and not is_absent) as is_open, max(last_seen_at) filter (where not is_absent) as at
      from occurrence where company_id = wanted.company_id and issue_id = said.id) as seen on true
    left join lateral (
      select reason, decided_by from identity_decision
      where company_id = wanted.company_id and verdict = 'SAME' and said.merged_by = 'PERSON'
        and (finding_id = said.id or other_id = said.id)
      order by id desc limit 1) as decided on true
    order by said.id = wanted.id desc, said.id`.execute(db)
  return rows
}

export type IdentityPlace = {
  key: IssueKey
  id: Id
  witnessId: Id | null
  branch: string | null
  path: string | null
  line: number | null
  commit: string | null
  deployId: Id | null
  disposition: Disposition | null
  matchedBy: MatchedBy | null
  at: string
}

export async function findIdentityPlaces(db: Db, keys: readonly IssueKey[]): Promise<IdentityPlace[]> {
  const { rows } = await sql<IdentityPlace>`
    select wanted.company_id || '/' || wanted.id as key, place.id, nullif(place.issue_id, wanted.id) as "witnessId",
      nullif(place.branch, '') as branch, place.path, place.line, place.commit_ref as commit, place.deploy_id as "deployId",
      place.disposition, place.matched_by as "matchedBy", place.at
    from ${wantedOf(keys)}
    cross join lateral (
      select occurrence_place.* from occurrence_place
      where company_id = wanted.company_id and issue_id in (
        select wanted.id union all select id from finding where company_id = wanted.company_id and merged_into_id = wanted.id)
      order by id desc limit ${MOST_SHOWN}) as place
    order by place.id`.execute(db)
  return rows
}

/** How the last report of an issue's own finding was matched, and its place then; deploys may have moved it since. */
export type LastMatch = {
  key: IssueKey
  matchedBy: MatchedBy | null
  branch: string
  path: string | null
  line: number | null
  toolName: string | null
  rule: string
  toolId: string | null
  fingerprint: string | null
}

export async function findLastMatches(db: Db, keys: readonly IssueKey[]): Promise<LastMatch[]> {
  const { rows } = await sql<LastMatch>`
    select wanted.company_id || '/' || wanted.id as key, seen.*
    from ${wantedOf(keys)}
    cross join lateral (
      select place.matched_by as "matchedBy", place.branch, reported.path, reported.line, nullif(said.tool_name, '') as "toolName",
        said.rule, said.original_issue_id as "toolId", said.fingerprint
      from finding as said
      left join lateral (
        select id, issue_id, company_id, branch, matched_by,
          coalesce((own_place->>'last_seen_at')::timestamptz, last_seen_at) as last_seen_at
        from occurrence
        where company_id = said.company_id and issue_id = said.id and (not is_absent or own_place is not null)) as place on true
      -- of a branch that began with the findings of another, where it began
      left join lateral (
        select path, line from occurrence_place
        where company_id = place.company_id and issue_id = place.issue_id and branch = place.branch
        order by at <= place.last_seen_at desc, case when at <= place.last_seen_at then id end desc, id limit 1) as reported on true
      where said.company_id = wanted.company_id and said.id = wanted.id
      order by place.last_seen_at desc nulls last, place.id
      limit 1) as seen`.execute(db)
  return rows
}

/** The members of issues with at least two findings: the issue itself and its witnesses. */
export async function findMembers(
  trx: Trx,
  companyId: Id,
  issueIds: readonly Id[],
): Promise<{ id: Id; issueId: Id }[]> {
  const { rows } = await sql<{ id: Id; issueId: Id }>`
    select id, coalesce(merged_into_id, id) as "issueId" from finding
    where company_id = ${companyId} and (id = any(${issueIds}::bigint[]) or merged_into_id = any(${issueIds}::bigint[]))`.execute(
    trx,
  )
  return rows
}

/** Stores a person's decisions about pairs of findings, replacing earlier ones. */
export async function saveDecisions(
  trx: Trx,
  companyId: Id,
  pairs: readonly (readonly [Id, Id])[],
  { verdict, reason, decidedById }: { verdict: 'SAME' | 'DISTINCT'; reason: string; decidedById: Id },
): Promise<void> {
  const ordered = pairs.map(([one, other]) => (BigInt(one) < BigInt(other) ? [one, other] : [other, one]))
  await sql`
    insert into identity_decision (company_id, finding_id, other_id, verdict, reason, decided_by)
    select distinct ${companyId}::bigint, one, other, ${verdict}, ${reason}, ${decidedById}::bigint
    from unnest(${ordered.map(([one]) => one)}::bigint[], ${ordered.map(([, other]) => other)}::bigint[]) as pair (one, other)
    on conflict (company_id, finding_id, other_id) do update
      set verdict = excluded.verdict, reason = excluded.reason, decided_by = excluded.decided_by, decided_at = now()`.execute(
    trx,
  )
}

export async function findAssetOf(db: Db, companyId: Id, issueId: Id): Promise<Id | null> {
  const { rows } = await sql<{ assetId: Id }>`
    select asset_id as "assetId" from finding where company_id = ${companyId} and id = ${issueId}`.execute(db)
  return rows[0]?.assetId ?? null
}

/** Locks the issues in the order of their ids until the transaction ends, and reads what decides whether they may be merged. */
export async function lockForIdentity(
  trx: Trx,
  companyId: Id,
  ids: readonly Id[],
): Promise<{ id: Id; assetId: Id; status: IssueStatus; mergedStatus: IssueStatus | null; mergedIntoId: Id | null }[]> {
  const { rows } = await sql<{
    id: Id
    assetId: Id
    status: IssueStatus
    mergedStatus: IssueStatus | null
    mergedIntoId: Id | null
  }>`
    select id, asset_id as "assetId", status, merged_status as "mergedStatus", merged_into_id as "mergedIntoId" from finding
    where company_id = ${companyId} and id = any(${ids}::bigint[]) order by id for update`.execute(trx)
  return rows
}
