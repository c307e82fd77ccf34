// The SQL of VEX statements: what documents state about vulnerabilities in components of an asset, and the issues that this concerns.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
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

/** The component without its version, as a statement names it that holds for every version. */
const anyVersion = (component: RawBuilder<unknown>) => sql`regexp_replace(${component}, '@[^@]*$', '@')`

/** Whether a row of a finding with these ids is about the vulnerability of a statement. */
const isAbout = (
  finding: RawBuilder<unknown>,
  known: RawBuilder<unknown>,
  source: RawBuilder<unknown>,
  rule: RawBuilder<unknown>,
  ids: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`(${ids} && ${known}
  or (${source} = lower(${finding}.tool_name) and ${rule} = ${finding}.rule))
  and not ${isOtherCve(finding, rule)}`

/** Titles and references name further vulnerabilities: two CVEs are never the same, whatever else both name. */
const isOtherCve = (finding: RawBuilder<unknown>, rule: RawBuilder<unknown>): RawBuilder<boolean> => sql`coalesce(
  upper(${rule}) like 'CVE-%' and ${cveOf(finding)} like 'CVE-%' and upper(${rule}) <> ${cveOf(finding)}, false)`

const cveOf = (finding: RawBuilder<unknown>) => sql`upper(coalesce(${finding}.detail->>'cve', ${finding}.rule))`

const named = (statements: readonly NewStatement[]) => sql`
  select given.*, lower(given.source) as teller, component_key(given.detail) as component, vulnerability_ids_in(given.names) as ids
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
    select distinct on (key) ${companyId}::bigint, ${assetId}::bigint, teller, rule, component, key, ids, status, reason,
      least("saidAt", now()), scope, ${importId}::bigint
    from (${named(statements)}) as named
    cross join lateral (
      select decode(md5(jsonb_build_array(teller, rule, component)::text), 'hex') as key) as hashed
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
  { companyId, assetId }: Stating,
  statements: readonly NewStatement[],
): Promise<Concerned[]> {
  const mine = sql`company_id = ${companyId} and asset_id = ${assetId} and type in (${typesOfComponents})`
  // reads all findings of the asset in components, so only where a statement may need it
  const isOfAny = statements.some(({ detail }) => !detail.affectedVersion)
  const ofAnyVersion = sql`
      union
      select named.*, one.id from named
      join (select id, ${anyVersion(sql`component_key(detail)`)} as component from finding where ${mine}) as one
        on one.component = named.component
      where named.component like '%@'`
  const { rows } = await sql<Concerned>`
    with named as materialized (${named(statements)}),
    met as (
      select named.*, one.id from named
      cross join lateral (
        select id from finding where ${mine} and component_key(detail) = named.component offset 0) as one
      ${isOfAny ? ofAnyVersion : sql``})
    select met.n, coalesce(finding.merged_into_id, finding.id) as "issueId", min(finding.tool_name) as "toolName",
      bool_or(lower(finding.tool_name) = met.teller and finding.rule = met.rule) as "isOwn"
    from met join finding on finding.company_id = ${companyId} and finding.id = met.id
    where ${isAbout(sql`finding`, vulnerabilitiesOf('finding'), sql`met.teller`, sql`met.rule`, sql`met.ids`)}
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

/** For each of the findings, its issue and the newest statement about any finding of that issue. */
export async function findTold(trx: Trx, companyId: Id, findingIds: readonly Id[]): Promise<Told[]> {
  const { rows } = await sql<Told>`
    with asked as materialized (
      select distinct coalesce(merged_into_id, id) as id from finding
      where company_id = ${companyId} and id = any(${findingIds}::bigint[]))
    select issue.id as "issueId", issue.status, issue.decided_at is not null as "isDecided",
      ${isStated(sql`issue.company_id`, sql`issue.id`)} as "isStated",
      told.id as "statementId", told.status as stated, told.reason
    from asked
    cross join lateral (
      select * from finding where company_id = ${anyCompany(companyId)} and id = asked.id offset 0) as issue
    left join lateral (
      select statement.id, statement.status, statement.reason
      from (
        select * from finding where company_id = ${companyId} and id = issue.id
        union all
        select * from finding where company_id = ${companyId} and merged_into_id = issue.id) as member
      cross join lateral (
        select component_key(member.detail) as exact, ${vulnerabilitiesOf('member')} as ids offset 0) as known
      cross join unnest(array[exact, ${anyVersion(sql`exact`)}]) as named (component)
      -- each by its key: the planner knows nothing yet of statements that this import has brought
      cross join lateral (
        select * from vex_statement
        where company_id = ${companyId} and asset_id = member.asset_id and component = named.component offset 0) as statement
      where member.type in (${typesOfComponents})
        and ${isAbout(sql`member`, sql`known.ids`, sql`statement.source`, sql`statement.rule`, sql`statement.vulnerability_ids`)}
        and not ${isOtherCve(sql`issue`, sql`statement.rule`)}
      order by statement.said_at desc, statement.component = exact desc, statement.id desc limit 1) as told on true`.execute(
    trx,
  )
  return rows
}

/** What no longer holds: statements by their keys, or those of documents of these sections that the import does not repeat. */
type Ended =
  | { keys: readonly Pick<NewStatement, 'source' | 'rule' | 'detail'>[] }
  | { sections: readonly { tool: string; scope: string }[]; importId: Id }

const isEnded = (ended: Ended) =>
  'keys' in ended
    ? sql`(source, rule, component) in (
        select lower(source), rule, component_key(detail)
        from jsonb_to_recordset(${JSON.stringify(ended.keys)}::jsonb) as given (source text, rule text, detail jsonb))`
    : sql`(source, scope) in (
        select lower(tool), scope
        from jsonb_to_recordset(${JSON.stringify(ended.sections)}::jsonb) as given (tool text, scope text))
        and import_id <> ${ended.importId}`

/** Deletes statements; returns the issues that they were about. */
export async function deleteStatements(trx: Trx, { companyId, assetId }: Stating, ended: Ended): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    with gone as (
      delete from vex_statement where company_id = ${companyId} and asset_id = ${assetId} and ${isEnded(ended)}
      returning source, rule, component, vulnerability_ids)
    select distinct coalesce(finding.merged_into_id, finding.id) as id
    from gone join finding on finding.company_id = ${companyId} and finding.asset_id = ${assetId} and type in (${typesOfComponents})
      and gone.component in (component_key(detail), ${anyVersion(sql`component_key(detail)`)})
    where ${isAbout(sql`finding`, vulnerabilitiesOf('finding'), sql`gone.source`, sql`gone.rule`, sql`gone.vulnerability_ids`)}`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}
