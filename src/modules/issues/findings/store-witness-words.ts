// The SQL that combines an issue's own weaknesses and vulnerabilities with those of its open witnesses.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'

/** The weaknesses that a row of findings names itself, without those of its witnesses. */
export const ownWeaknesses = (row: RawBuilder<unknown>): RawBuilder<number[]> =>
  sql`coalesce(${row}.own_cwe_ids, ${row}.cwe_ids)`

/** Updates the names of issues, and how much they are exploited, from their witnesses. One statement. */
export async function settleWords(trx: Trx, companyId: Id, issueIds: readonly Id[]): Promise<void> {
  await sql`
    with issue as materialized (
      select id, ${ownWeaknesses(sql`finding`)} as cwes, coalesce(own_vulnerability_ids, vulnerability_ids) as vulnerabilities
      from finding where company_id = ${companyId} and id = any(${issueIds}::bigint[]) order by id for update),
    witness as materialized (
      select merged_into_id as issue_id, cwe_ids, vulnerability_ids from finding
      where company_id = ${companyId} and merged_into_id = any(${issueIds}::bigint[]) and exists (
        select from occurrence where company_id = ${companyId} and issue_id = finding.id and is_open and not is_absent offset 0)),
    weakness as (
      select issue_id, array_agg(distinct cwe order by cwe) as named from witness cross join unnest(cwe_ids) as cwe group by issue_id),
    vulnerability as (
      select issue_id, array_agg(distinct name order by name) as named from witness cross join unnest(vulnerability_ids) as name
      group by issue_id),
    said as (
      select issue.*, cwes || array(select cwe from unnest(weakness.named) as cwe where cwe <> all(cwes)) as all_cwes,
        vulnerabilities || array(
          select name from unnest(vulnerability.named) as name where name <> all(vulnerabilities)) as all_vulnerabilities
      from issue left join weakness on weakness.issue_id = issue.id left join vulnerability on vulnerability.issue_id = issue.id),
    due as (
      select *, (select max(score) from epss where cve = any(all_vulnerabilities)) as likely,
        exists (select from known_exploited where cve = any(all_vulnerabilities)) as is_known
      from said)
    update finding set cwe_ids = all_cwes, own_cwe_ids = case when all_cwes <> cwes then cwes end,
      vulnerability_ids = all_vulnerabilities,
      own_vulnerability_ids = case when all_vulnerabilities <> vulnerabilities then vulnerabilities end,
      epss = likely, is_known_exploited = is_known, updated_at = now()
    from due
    where finding.company_id = ${anyCompany(companyId)} and finding.id = due.id
      and (cwe_ids, vulnerability_ids, epss, is_known_exploited) is distinct from (all_cwes, all_vulnerabilities, likely, is_known)`.execute(
    trx,
  )
}
