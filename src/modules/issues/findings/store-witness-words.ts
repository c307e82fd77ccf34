// The SQL that combines an issue's own weaknesses and vulnerabilities with those of its open witnesses.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import { anyOf } from '../../../core/db/any-of.ts'
import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'

/** The weaknesses that a row of findings names itself, without those of its witnesses. */
export const ownWeaknesses = (row: RawBuilder<unknown>): RawBuilder<number[]> =>
  sql`coalesce(${row}.own_cwe_ids, ${row}.cwe_ids)`

/** What the open witnesses of a row of the table `issue` name in a column beside what it names itself. */
const namedBy = (companyId: Id, column: RawBuilder<unknown>, own: RawBuilder<unknown>) => sql`
  select distinct name from finding as witness cross join unnest(witness.${column}) as name
  where company_id = ${anyCompany(companyId)} and merged_into_id = issue.id and name <> all(${own}) and exists (
    select from occurrence
    where company_id = ${anyCompany(companyId)} and issue_id = witness.id and is_open and not is_absent offset 0)
  order by name`

/** Updates the names of issues, and how much they are exploited, from their witnesses. One statement. */
export async function settleWords(trx: Trx, companyId: Id, issueIds: readonly Id[]): Promise<void> {
  await sql`
    with issue as materialized (
      select id, ${ownWeaknesses(sql`finding`)} as cwes, coalesce(own_vulnerability_ids, vulnerability_ids) as vulnerabilities
      from finding where company_id = ${anyCompany(companyId)} and id = ${anyOf(issueIds)} order by id for update),
    said as materialized (
      select issue.*, cwes || array(${namedBy(companyId, sql`cwe_ids`, sql`cwes`)}) as all_cwes,
        vulnerabilities || array(${namedBy(companyId, sql`vulnerability_ids`, sql`vulnerabilities`)}) as all_vulnerabilities
      from issue),
    due as (
      select *, (select max(score) from epss where cve = any(all_vulnerabilities)) as likely,
        exists (select from known_exploited where cve = any(all_vulnerabilities)) as is_known
      from said)
    update finding set cwe_ids = all_cwes, own_cwe_ids = case when all_cwes <> cwes then cwes end,
      vulnerability_ids = all_vulnerabilities,
      own_vulnerability_ids = case when all_vulnerabilities <> vulnerabilities then vulnerabilities end,
      epss = likely, is_known_exploited = is_known, updated_at = now()
    from due
    where finding.company_id = ${anyCompany(companyId)} and finding.id = any(array(select id from due)) and finding.id = due.id
      and (cwe_ids, vulnerability_ids, epss, is_known_exploited) is distinct from (all_cwes, all_vulnerabilities, likely, is_known)`.execute(
    trx,
  )
}
