// The SQL that finds what other tools report at the same place or in the same component.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { IssueType } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import { hasStatements } from './store-stated.ts'
import { ownWeaknesses } from './store-witness-words.ts'
import { codeTypes, componentTypes, type Twin } from './twins.ts'

const listed = (types: readonly IssueType[]) => sql.join(types.map((type) => sql.lit(type)))

export const typesOfComponents: RawBuilder<unknown> = listed(componentTypes)

/** The ids of vulnerabilities, wherever the tool put them. */
export const vulnerabilitiesOf = (
  finding: string,
) => sql`(coalesce(${sql.ref(`${finding}.own_vulnerability_ids`)}, ${sql.ref(`${finding}.vulnerability_ids`)})
  || vulnerability_ids_in(array_to_string(${sql.ref(`${finding}.patterns`)}, ' ')))`

/**
 * False if no other tool reports the place or component of a row that is about to be written, and no VEX document states anything about
 * components of its asset; otherwise it may still be about another weakness.
 * Needs the tables of writingOf, and `asked` with the row's resulting weaknesses and details, which are null if no other tool could match.
 */
export const isSpokenOf = (companyId: Id): RawBuilder<boolean> => sql`
  case when asked."cweIds" is null then false
    when given.type in (${listed(componentTypes)}) then exists (
      select from finding as other
      where other.company_id = ${companyId} and other.asset_id = given."assetId" and other.type in (${listed(componentTypes)})
        and component_key(other.detail) = component_key(asked.detail) and lower(other.tool_name) not in ('', lower(given."toolName")))
      or ${hasStatements(sql`${companyId}::bigint`, sql`given."assetId"`)}
    else exists (
      select from occurrence as place join finding as other on other.company_id = place.company_id and other.id = place.issue_id
      where place.company_id = ${companyId} and place.asset_id = given."assetId" and place.path = p.path
        and place.line is not distinct from p.line and place.branch = given.branch and place.is_open
        and case when given.type = 'DAST_FINDING' then other.type = 'DAST_FINDING' else other.type in (${listed(codeTypes)}) end
        and lower(other.tool_name) not in ('', lower(given."toolName")) and ${ownWeaknesses(sql`other`)} && asked."cweIds") end`

/** Open findings at the place of a row of the table `of`, and findings in the component that it names. */
const placesAt = (companyId: Id, of: RawBuilder<unknown>) => sql`
  select * from occurrence
  where company_id = ${anyCompany(companyId)} and asset_id = ${of}.asset_id and branch = ${of}.branch
    and path = ${of}.path and line is not distinct from ${of}.line and is_open offset 0`
const findingsOf = (companyId: Id, of: RawBuilder<unknown>) => sql`
  select * from finding
  where company_id = ${anyCompany(companyId)} and asset_id = ${of}.asset_id and type in (${listed(componentTypes)})
    and component_key(detail) = ${of}.component offset 0`

/** The places of a finding. By its branch too, a planner without statistics would rather read all that is open on the branch. */
const placeOf = (companyId: Id, findingId: RawBuilder<unknown>) => sql`
  select * from occurrence where company_id = ${anyCompany(companyId)} and issue_id = ${findingId} offset 0`

type FreshFinding = { id: Id; branch: string; isNew: boolean }

/**
 * For findings that are new or have moved: all open findings at the same place or in the same component on the same branch, themselves
 * included, if another tool reports it too. One statement, in which each step is an index lookup of its own (`offset 0`): while the tables'
 * statistics still say that they are empty, the planner would otherwise join everything with everything.
 */
export async function findTwins(trx: Trx, companyId: Id, fresh: readonly FreshFinding[]): Promise<Twin[]> {
  const { rows } = await sql<Twin>`
    with fresh as materialized (
      select given.id, given.branch, finding.asset_id, finding.type, lower(finding.tool_name) as tool,
        ${ownWeaknesses(sql`finding`)} as cwe_ids,
        case when finding.type in (${listed(componentTypes)}) then component_key(finding.detail) end as component,
        place.path, place.line, case when finding.type = 'DAST_FINDING' then place.snippet end as token
      from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as given (id bigint, branch text)
      cross join lateral (select * from finding where company_id = ${anyCompany(companyId)} and id = given.id and tool_name <> '' offset 0) as finding
      cross join lateral (${placeOf(companyId, sql`given.id`)}) as place
      where place.branch = given.branch and place.is_open),
    spoken as materialized (
      select distinct fresh.branch, fresh.asset_id, fresh.path, fresh.line, fresh.token, null as component, fresh.type = 'DAST_FINDING' as is_exchange
      from fresh
      where component is null and path <> '' and (line is not null or token is not null) and cwe_ids <> '{}' and exists (
        select from (${placesAt(companyId, sql`fresh`)}) as place
        cross join lateral (select * from finding where company_id = ${anyCompany(companyId)} and id = place.issue_id offset 0) as other
        where lower(other.tool_name) <> fresh.tool and other.tool_name <> '' and ${ownWeaknesses(sql`other`)} && fresh.cwe_ids)
      union all
      -- asked once for each component, which may have a thousand findings of this tool before the first of another
      select distinct one.branch, one.asset_id, null, null::int, null, one.component, false
      from (select distinct branch, asset_id, component, tool from fresh where component is not null) as one
      where exists (
        select from (${findingsOf(companyId, sql`one`)}) as other where lower(tool_name) <> one.tool and tool_name <> '')),
    twin as (
      select finding.*, place.path, 'SAME_PLACE' as by, jsonb_build_array(spoken.branch, spoken.path, spoken.line, spoken.token) as "where",
        array(select cwe::text from unnest(${ownWeaknesses(sql`finding`)}) as cwe) as keys
      from spoken
      cross join lateral (${placesAt(companyId, sql`spoken`)}) as place
      cross join lateral (
        select * from finding where company_id = ${anyCompany(companyId)} and id = place.issue_id and tool_name <> '' offset 0) as finding
      where spoken.component is null and (not is_exchange or place.snippet is not distinct from spoken.token)
        and case when is_exchange then finding.type = 'DAST_FINDING' else finding.type in (${listed(codeTypes)}) end
      union all
      select finding.*, place.path, 'SAME_VULNERABILITY', jsonb_build_array(spoken.branch, spoken.component), ${vulnerabilitiesOf('finding')}
      from spoken
      cross join lateral (${findingsOf(companyId, sql`spoken`)}) as finding
      cross join lateral (${placeOf(companyId, sql`finding.id`)}) as place
      where finding.tool_name <> '' and place.branch = spoken.branch and place.is_open)
    select twin.id, issue.id as "issueId", lower(twin.tool_name) as tool, twin.by, twin."where"::text, twin.path, twin.keys,
      false as "isFresh", false as "isNew", issue.status = any(${openStatuses}::issue_status[]) as "isOpen", family.ids::text[] as family,
      family.tools, array(
        select case when decided.finding_id = any(family.ids) then decided.other_id else decided.finding_id end::text
        from identity_decision as decided
        where decided.company_id = ${companyId} and decided.verdict = 'DISTINCT'
          and (decided.finding_id = any(family.ids) or decided.other_id = any(family.ids))) as "distinctFrom"
    from twin
    cross join lateral (
      select * from finding where company_id = ${anyCompany(companyId)} and id = coalesce(twin.merged_into_id, twin.id) offset 0) as issue
    cross join lateral (
      select array_agg(member.id) as ids, array_agg(distinct lower(member.tool_name)) as tools
      from (
        select id, tool_name from finding where company_id = ${anyCompany(companyId)} and id = issue.id
        union all
        select id, tool_name from finding where company_id = ${anyCompany(companyId)} and merged_into_id = issue.id) as member) as family
    where issue.status not in ('FIX_ACCEPTED', 'DRAFT')
    order by twin.id`.execute(trx)
  const given = new Map(fresh.map((one) => [one.id, one]))
  return rows.map((row) => ({ ...row, isFresh: given.has(row.id), isNew: given.get(row.id)?.isNew ?? false }))
}
