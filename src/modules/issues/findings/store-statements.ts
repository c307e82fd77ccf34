// The SQL of VEX statements: what documents state about vulnerabilities in components of an asset, and the issues that this concerns.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import { anyOf } from '../../../core/db/any-of.ts'
import type { Trx } from '../../../core/db/open.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { Statement } from '../../../reports/types.ts'
import type { Detail } from './finding.ts'
import { isStated } from './store-stated.ts'
import { typesOfComponents, vulnerabilitiesOf } from './store-twins.ts'

/** Where statements hold, whatever the branch. */
type Stating = { companyId: Id; assetId: Id }

/** A statement of a document; `source` is its tool or publisher, `rule` the vulnerability as the document names it. */
export type NewStatement = {
  n: number
  source: string
  rule: string
  detail: Detail
  /** the ids of the vulnerability, and other words */
  names: string
  status: Statement['status']
  reason: string
  /** ISO 8601; null if the document does not say */
  saidAt: string | null
  /** the part of the asset that the document is about; '' if it does not say */
  scope: string
}

/** Identifies the statement of a source about a vulnerability in a component. */
const keyOf = (source: RawBuilder<unknown>, rule: RawBuilder<unknown>, component: RawBuilder<unknown>) =>
  sql`decode(md5(jsonb_build_array(${source}, ${rule}, ${component})::text), 'hex')`

/** The component without its version, as a statement names it that holds for every version. */
const anyVersion = (component: RawBuilder<unknown>) => sql`regexp_replace(${component}, '@[^@]*$', '@')`

/** Titles and references name further vulnerabilities: two CVEs are never the same, whatever else both name. */
const isOtherCve = (cve: RawBuilder<unknown>, rule: RawBuilder<unknown>): RawBuilder<boolean> => sql`coalesce(
  upper(${rule}) like 'CVE-%' and ${cve} like 'CVE-%' and upper(${rule}) <> ${cve}, false)`

const cveOf = (finding: RawBuilder<unknown>) => sql`upper(coalesce(${finding}.detail->>'cve', ${finding}.rule))`

/**
 * Tables for a statement of SQL that has `stating`: VEX statements by a number `n`, with their source, rule, component and ids of
 * vulnerabilities. The last one, `concerned`, has the findings that each is about. A component may have thousands of both (an operating
 * system's kernel), so its findings are read once, and joined with what is stated by their ids.
 */
const concerning = ({ companyId, assetId }: Stating) => sql`
  place as materialized (
    select distinct component, case when component like '%@' then left(component, -1) || 'A' else component end as last from stating),
  known as materialized (
    select place.component, one.* from place cross join lateral (
      select coalesce(merged_into_id, id) as issue_id, tool_name, lower(tool_name) as tool, rule, ${cveOf(sql`finding`)} as cve,
        ${vulnerabilitiesOf('finding')} as ids
      from finding
      where company_id = ${anyCompany(companyId)} and asset_id = ${assetId} and type in (${typesOfComponents})
        -- 'A' is the character after '@': what lies between is of every version
        and component_key(detail) ~>=~ place.component and component_key(detail) ~<=~ place.last
        and place.component in (component_key(detail), ${anyVersion(sql`component_key(detail)`)}) offset 0) as one),
  concerned as (
    select stating.n, known.issue_id, known.tool_name, known.tool = stating.source and known.rule = stating.rule as is_own
    from (select n, source, rule, component, unnest(ids) as id from stating) as stating
    join (select *, unnest(ids) as id from known) as known using (component, id)
    where not ${isOtherCve(sql`known.cve`, sql`stating.rule`)}
    union
    select stating.n, known.issue_id, known.tool_name, true
    from stating join known on known.component = stating.component and known.tool = stating.source and known.rule = stating.rule
    where not ${isOtherCve(sql`known.cve`, sql`stating.rule`)})`

const named = (statements: readonly NewStatement[]) => sql`
  select n, lower(source) as source, rule, component_key(detail) as component, vulnerability_ids_in(names) as ids, status, reason, "saidAt",
    scope
  from jsonb_to_recordset(${JSON.stringify(statements)}::jsonb)
    as given (n int, source text, rule text, detail jsonb, names text, status text, reason text, "saidAt" timestamptz, scope text)`

/**
 * Stores the statements. What a source stated before about the same vulnerability and component is replaced, unless it is newer; of
 * contradicting statements of one call, the one that leaves most to do stands. Statements that name no component are ignored.
 */
export async function upsertStatements(
  trx: Trx,
  { companyId, assetId }: Stating,
  importId: Id,
  statements: readonly NewStatement[],
): Promise<void> {
  const isNewer = sql`excluded.said_at >= known.said_at`
  const isSame = sql`excluded.said_at = now() and (excluded.status, excluded.reason) = (known.status, known.reason)`
  await sql`
    insert into vex_statement as known (company_id, asset_id, source, rule, component, statement_key, vulnerability_ids, status, reason,
      said_at, scope, import_id)
    select distinct on (key) ${companyId}::bigint, ${assetId}::bigint, source, rule, component, key, ids, status, reason,
      least("saidAt", now()), scope, ${importId}::bigint
    from (${named(statements)}) as named
    cross join lateral (select ${keyOf(sql`source`, sql`rule`, sql`component`)} as key) as hashed
    where component is not null
    order by key, array_position(array['AFFECTED', 'UNDER_INVESTIGATION', 'FIXED', 'NOT_AFFECTED'], status)
    on conflict (company_id, asset_id, statement_key) do update set
      scope = excluded.scope, import_id = excluded.import_id,
      status = case when ${isNewer} then excluded.status else known.status end,
      reason = case when ${isNewer} then excluded.reason else known.reason end,
      vulnerability_ids = case when ${isNewer} then excluded.vulnerability_ids else known.vulnerability_ids end,
      said_at = case when ${isSame} then known.said_at else greatest(excluded.said_at, known.said_at) end`.execute(trx)
}

/** An issue that the statement with the number `n` is about. `isOwn`: its source reports it as a finding itself. */
type Concerned = { n: number; issueId: Id; toolName: string; isOwn: boolean }

/** The issues that statements are about, by number of the statement and then the oldest first. */
export async function findConcerned(
  trx: Trx,
  asset: Stating,
  statements: readonly NewStatement[],
): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`
    with stating as materialized (${named(statements)}), ${concerning(asset)}
    select n, issue_id as "issueId", min(tool_name) as "toolName", bool_or(is_own) as "isOwn" from concerned
    group by 1, 2 order by 1, 2`.execute(trx)
  return rows
}

/** What the newest statement about an issue says; `isStated`: the issue has its present status by the word of a statement. */
export type Told = {
  issueId: Id
  status: IssueStatus
  isDecided: boolean
  isStated: boolean
  statementId: Id | null
  stated: Statement['status'] | null
  reason: string | null
}

/** For each of the findings, its issue and the newest statement about any finding of that issue; read and joined as in `concerning`. */
export async function findTold(trx: Trx, companyId: Id, findingIds: readonly Id[]): Promise<Told[]> {
  const company = anyCompany(companyId)
  const { rows } = await sql<Told>`
    with asked as materialized (
      select distinct coalesce(merged_into_id, id) as id from finding
      where company_id = ${company} and id = ${anyOf(findingIds)}),
    issue as materialized (
      select one.* from asked cross join lateral (
        select id, company_id, status, decided_at, ${cveOf(sql`finding`)} as cve from finding
        where company_id = ${company} and id = asked.id offset 0) as one),
    member as materialized (
      select issue.id as issue_id, issue.cve as issue_cve, one.asset_id, lower(one.tool_name) as tool, one.rule, ${cveOf(sql`one`)} as cve,
        ${vulnerabilitiesOf('one')} as ids, component, place = 1 as is_exact
      from issue
      cross join lateral (
        select * from finding where company_id = ${company} and id = issue.id
        union all
        select * from finding where company_id = ${company} and merged_into_id = issue.id) as one
      cross join lateral (select component_key(one.detail) as key offset 0) as exact
      cross join unnest(array[key, ${anyVersion(sql`key`)}]) with ordinality as named (component, place)
      where one.type in (${typesOfComponents})),
    statement as materialized (
      select one.* from (select distinct asset_id, component from member) as place
      cross join lateral (
        select asset_id, component, id, source, rule, vulnerability_ids, status, reason, said_at from vex_statement
        where company_id = ${company} and asset_id = place.asset_id and component = place.component offset 0) as one),
    pair as (
      select issue_id, issue_cve, cve, is_exact, statement.id
      from (select *, unnest(ids) as vulnerability from member) as member
      join (select *, unnest(vulnerability_ids) as vulnerability from statement) as statement using (asset_id, component, vulnerability)
      union
      select issue_id, issue_cve, cve, is_exact, statement.id
      from member join statement using (asset_id, component) where tool = source and member.rule = statement.rule),
    told as (
      select distinct on (issue_id) issue_id, id, status, reason from pair join statement using (id)
      where not ${isOtherCve(sql`cve`, sql`rule`)} and not ${isOtherCve(sql`issue_cve`, sql`rule`)}
      order by issue_id, said_at desc, is_exact desc, id desc)
    select issue.id as "issueId", issue.status, issue.decided_at is not null as "isDecided",
      ${isStated(sql`issue.company_id`, sql`issue.id`)} as "isStated",
      told.id as "statementId", told.status as stated, told.reason
    from issue left join told on told.issue_id = issue.id`.execute(trx)
  return rows
}

/** What no longer holds: statements by their keys, or those of documents of these sections that the import does not repeat. */
type Ended =
  | { keys: readonly Pick<NewStatement, 'source' | 'rule' | 'detail'>[] }
  | { sections: readonly { tool: string; scope: string }[]; importId: Id }

const isEnded = (ended: Ended) =>
  'keys' in ended
    ? sql`statement_key = any(array(
        select ${keyOf(sql`lower(source)`, sql`rule`, sql`component_key(detail)`)}
        from jsonb_to_recordset(${JSON.stringify(ended.keys)}::jsonb) as given (source text, rule text, detail jsonb)))`
    : sql`(source, scope) in (
        select lower(tool), scope
        from jsonb_to_recordset(${JSON.stringify(ended.sections)}::jsonb) as given (tool text, scope text))
        and import_id <> ${ended.importId}`

/** Deletes statements; returns the issues that they were about. */
export async function deleteStatements(trx: Trx, asset: Stating, ended: Ended): Promise<Id[]> {
  const { companyId, assetId } = asset
  const { rows } = await sql<{ id: Id }>`
    with stating as materialized (
      delete from vex_statement
      where company_id = ${anyCompany(companyId)} and asset_id = ${assetId} and ${isEnded(ended)}
      returning id as n, source, rule, component, vulnerability_ids as ids),
    ${concerning(asset)}
    select distinct issue_id as id from concerned`.execute(trx)
  return rows.map(({ id }) => id)
}
