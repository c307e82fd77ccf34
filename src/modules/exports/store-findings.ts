// The SQL that reads findings with their places for an export, however many, in bounded memory.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import { byId } from '../../core/db/by-id.ts'
import { walkRows } from '../../core/db/cursor.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { ExportedFinding, FindingOrder } from '../../exports/types.ts'
import { type Condition, conditionsOf } from '../issues/service.ts'
import type { Wanted } from './store.ts'

/** The most findings read at a time, and the most bytes of their texts; a larger finding is read alone. */
const AT_ONCE = 500
const MOST_BYTES = 1024 * 1024
/** The most branches of one finding whose places are exported. */
const MOST_PLACES = 100

/** Which findings of a company are exported; `ofComponentsOnly`: only those that name a vulnerability in a component. */
export type Selected = { companyId: Id; wanted: Wanted; ofComponentsOnly: boolean }

const isOfComponent: Condition = sql`(issue.vulnerability_ids <> '{}'
  and coalesce(nullif(issue.detail ->> 'package', ''), nullif(issue.detail ->> 'purl', '')) is not null)`

function matching({ companyId, wanted, ofComponentsOnly }: Selected): Condition {
  const { assetIds, filters, branchName } = wanted
  const conditions = [sql<boolean>`issue.company_id = ${companyId}::bigint`, ...conditionsOf(companyId, filters)]
  if (assetIds) conditions.push(sql`issue.asset_id = any(${assetIds}::bigint[])`)
  if (ofComponentsOnly) conditions.push(isOfComponent)
  if (branchName !== null) {
    conditions.push(sql`exists (
      select from occurrence where occurrence.company_id = issue.company_id and occurrence.issue_id = issue.id
      and occurrence.branch = ${branchName})`)
  }
  return sql`${sql.join(conditions, sql` and `)}`
}

export async function countFindings(db: Db, selected: Selected): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from issue where ${matching(selected)}`.execute(db)
  return rows[0]?.count ?? 0
}

const reportedPurl = sql`case when issue.detail ->> 'purl' like 'pkg:%' then issue.detail ->> 'purl' end collate "C"`
const component = sql`${reportedPurl}, coalesce(nullif(issue.detail ->> 'package', ''), issue.detail ->> 'purl'),
  nullif(issue.detail ->> 'affectedVersion', ''), issue.asset_id`

const idsBy = {
  BY_ID: (rows) => sql`select issue.id from issue where ${rows} order by issue.id`,
  BY_VULNERABILITY: (rows) =>
    sql`select issue.id from issue where ${rows} order by issue.vulnerability_ids[1] collate "C", issue.id`,
  FIRST_OF_COMPONENT: (rows) => sql`select distinct on (${component}) issue.id from issue where ${rows}
    order by ${component}, issue.id`,
  FIRST_OF_RULE: (rows) => sql`select distinct on (issue.tool_name, issue.rule) issue.id from issue where ${rows}
    order by issue.tool_name, issue.rule, issue.id`,
} satisfies Record<FindingOrder, (rows: Condition) => RawBuilder<{ id: Id }>>

/** The findings in their order, read page by page from the transaction's snapshot. */
export async function* readFindings(
  trx: Trx,
  selected: Selected,
  order: FindingOrder,
): AsyncGenerator<ExportedFinding> {
  const ids: RawBuilder<{ id: Id }> = idsBy[order](matching(selected))
  for await (const page of walkRows<{ id: Id }>(trx, ids, AT_ONCE)) {
    for (const part of await inParts(trx, selected.companyId, page)) yield* await findFindings(trx, selected, part)
  }
}

/** Divides the ids into parts by the sizes of the findings' texts, without reading the texts. */
async function inParts(trx: Trx, companyId: Id, page: readonly { id: Id }[]): Promise<Id[][]> {
  const { rows } = await sql<{ id: Id; bytes: number }>`
    select issue.id, (octet_length(title) + octet_length(description) + coalesce(octet_length(reference), 0)
      + coalesce(octet_length(solution), 0) + coalesce(octet_length(summary), 0) + coalesce(octet_length(source), 0)
      + coalesce(octet_length(sink), 0) + coalesce(octet_length(impact_description), 0)
      + coalesce(octet_length(steps_to_reproduce), 0) + coalesce(octet_length(status_reason), 0)
      + octet_length(detail::text) + coalesce((
        select sum(octet_length(snippet)) from occurrence where occurrence.company_id = issue.company_id
        and occurrence.issue_id = issue.id), 0))::float8 as bytes
    from unnest(${page.map(({ id }) => id)}::bigint[]) with ordinality as asked (id, place)
    cross join lateral ${byId(sql`issue`, anyCompany(companyId), sql`asked.id`)} as issue
    order by asked.place`.execute(trx)
  const parts: Id[][] = []
  let room = 0
  for (const { id, bytes } of rows) {
    if (parts.length === 0 || bytes > room) {
      parts.push([])
      room = MOST_BYTES
    }
    parts.at(-1)?.push(id)
    room -= bytes
  }
  return parts
}

async function findFindings(trx: Trx, { companyId, wanted }: Selected, ids: readonly Id[]): Promise<ExportedFinding[]> {
  const { branchName } = wanted
  const { rows } = await sql<ExportedFinding>`
    select issue.id, issue.type, issue.title, issue.description, issue.severity, impact_level as "impactLevel",
      probability_level as "probabilityLevel", issue.status, status_reason as "statusReason", decided_at as "decidedAt",
      risk_accepted_until as "riskAcceptedUntil", closed_at as "closedAt", sla_started_at as "slaStartedAt", cvss_score as "cvssScore",
      cvss_vector as "cvssVector", category, cwe_ids as "cweIds", vulnerability_ids as "vulnerabilityIds",
      tool_name as "toolName", rule, original_issue_id as "originalIssueIdFromTool", fingerprint,
      partial_fingerprint as "partialFingerprint", reference, solution, patterns, source, sink, summary,
      impact_description as "impactDescription", steps_to_reproduce as "stepsToReproduce",
      compromised_environment as "compromisedEnvironment", jsonb_strip_nulls(detail) as detail,
      jsonb_build_object('id', asset.id::text, 'name', asset.name) as asset, places.places,
      issue.created_at as "createdAt", issue.updated_at as "updatedAt"
    from unnest(${ids}::bigint[]) with ordinality as asked (id, place)
    cross join lateral ${byId(sql`issue`, anyCompany(companyId), sql`asked.id`)} as issue
    join asset on asset.company_id = issue.company_id and asset.id = issue.asset_id
    cross join lateral (
      select coalesce(json_agg(json_build_object('branch', branch, 'path', path, 'line', line, 'column', column_number,
        'firstLine', first_line, 'snippet', nullif(snippet, ' '), 'commit', commit_ref, 'disposition', disposition,
        'isOpen', is_open)), '[]') as places
      from (
        select * from occurrence
        where occurrence.company_id = issue.company_id and occurrence.issue_id = issue.id
          and (path is not null or line is not null or nullif(snippet, ' ') is not null or branch <> '')
          and (${branchName}::text is null or branch = ${branchName})
        order by is_open desc, (branch in ('main', 'master')) desc, last_seen_at desc, branch
        limit ${sql.lit(MOST_PLACES)}) as occurrence) as places
    order by asked.place`.execute(trx)
  return rows
}
