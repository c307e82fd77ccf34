// The SQL of what is shown beside an issue's row: long texts, places, people and events, for many issues at once.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { Disposition, IssueStatus } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'

/** Identifies an issue across companies: `company id/issue id`. */
export type IssueKey = string

export const keyOf = ({ companyId, id }: { companyId: Id; id: Id }): IssueKey => `${companyId}/${id}`

/** The most entries shown of the history and of the places. */
const MOST_SHOWN = 100

/** The issues of the keys as a table `wanted (company_id, id)`. */
export const wantedOf = (keys: readonly IssueKey[]): RawBuilder<unknown> => {
  const pairs = keys.map((key) => key.split('/'))
  return sql`unnest(${pairs.map(([company]) => company)}::bigint[], ${pairs.map(([, id]) => id)}::bigint[])
    as wanted (company_id, id)`
}

/** Fields that are long or rarely requested, and the place on the branch seen last. */
export type Facets = {
  key: IssueKey
  cweIds: number[]
  patterns: string[]
  summary: string | null
  impactDescription: string | null
  stepsToReproduce: string | null
  source: string | null
  sink: string | null
  commitRef: string | null
  scanSource: string | null
  detail: Readonly<Record<string, unknown>>
  fileName: string | null
  vulnerableLine: number | null
  firstLine: number | null
  column: number | null
  codeSnippet: string | null
  branchName: string | null
}

export async function findFacets(db: Db, keys: readonly IssueKey[]): Promise<Facets[]> {
  const { rows } = await sql<Facets>`
    select issue.company_id || '/' || issue.id as key, issue.cwe_ids as "cweIds", issue.patterns, issue.summary,
           issue.impact_description as "impactDescription", issue.steps_to_reproduce as "stepsToReproduce", issue.source,
           issue.sink, coalesce(place.commit_ref, issue.commit_ref) as "commitRef",
           coalesce(scan.integration, nullif(issue.tool_name, '')) as "scanSource", issue.detail,
           place.path as "fileName", place.line as "vulnerableLine", place.first_line as "firstLine",
           place.column_number as column, place.snippet as "codeSnippet", nullif(place.branch, '') as "branchName"
    from ${wantedOf(keys)}
    join issue on issue.company_id = wanted.company_id and issue.id = wanted.id
    left join scan on scan.company_id = issue.company_id and scan.id = issue.scan_id
    left join lateral (
      select * from occurrence where company_id = wanted.company_id and issue_id = wanted.id
      order by is_open desc, last_seen_at desc, id desc limit 1) as place on true`.execute(db)
  return rows
}

export type Occurrence = {
  key: IssueKey
  branchName: string | null
  path: string | null
  line: number | null
  commit: string | null
  disposition: Disposition | null
  isOpen: boolean
  firstSeenAt: string
  lastSeenAt: string
  firstDeployId: Id | null
  lastDeployId: Id | null
}

export async function findOccurrences(db: Db, keys: readonly IssueKey[]): Promise<Occurrence[]> {
  const { rows } = await sql<Occurrence>`
    select occurrence.company_id || '/' || issue_id as key, nullif(branch, '') as "branchName", path, line,
           commit_ref as commit, disposition, is_open as "isOpen", first_seen_at as "firstSeenAt",
           last_seen_at as "lastSeenAt", first_deploy_id as "firstDeployId", last_deploy_id as "lastDeployId"
    from ${wantedOf(keys)}
    join occurrence on occurrence.company_id = wanted.company_id and occurrence.issue_id = wanted.id
    order by occurrence.is_open desc, last_seen_at desc, occurrence.id desc`.execute(db)
  return rows
}

export type Place = {
  key: IssueKey
  branchName: string | null
  path: string | null
  line: number | null
  commit: string | null
  deployId: Id | null
  disposition: Disposition | null
  at: string
}

export async function findPlaces(db: Db, keys: readonly IssueKey[]): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select wanted.company_id || '/' || wanted.id as key, nullif(branch, '') as "branchName", path, line,
           commit_ref as commit, deploy_id as "deployId", disposition, at
    from ${wantedOf(keys)}
    cross join lateral (
      select * from occurrence_place where company_id = wanted.company_id and issue_id = wanted.id
      order by id desc limit ${MOST_SHOWN}) as place
    order by place.id`.execute(db)
  return rows
}

export type IssueEvent = {
  key: IssueKey
  eventId: Id
  at: string
  action: string
  kind: string
  authorEmail: string | null
  externalAuthorIdentifier: string | null
  assigneeEmail: string | null
  previousStatus: IssueStatus | null
  status: IssueStatus | null
  reason: string | null
  controlSyncStatusId: Id | null
  deployId: Id | null
}

export async function findEvents(db: Db, keys: readonly IssueKey[]): Promise<IssueEvent[]> {
  const { rows } = await sql<IssueEvent>`
    select wanted.company_id || '/' || wanted.id as key, event.id as "eventId", at, action, kind,
           author.email as "authorEmail", external_author as "externalAuthorIdentifier",
           assignee.email as "assigneeEmail", previous_status as "previousStatus", status, reason,
           scan_id as "controlSyncStatusId", deploy_id as "deployId"
    from ${wantedOf(keys)}
    cross join lateral (
      select * from issue_event where company_id = wanted.company_id and issue_id = wanted.id
      order by id desc limit ${MOST_SHOWN}) as event
    left join portal_user as author on author.id = event.author_id
    left join portal_user as assignee on assignee.id = event.assignee_id
    order by event.id desc`.execute(db)
  return rows
}

/** The users that each issue is assigned to, by id. */
export async function findAssigneeIds(db: Db, keys: readonly IssueKey[]): Promise<{ key: IssueKey; userId: Id }[]> {
  const { rows } = await sql<{ key: IssueKey; userId: Id }>`
    select assignee.company_id || '/' || issue_id as key, user_id as "userId"
    from ${wantedOf(keys)}
    join issue_assignee as assignee on assignee.company_id = wanted.company_id and assignee.issue_id = wanted.id
    order by assigned_at, user_id`.execute(db)
  return rows
}
