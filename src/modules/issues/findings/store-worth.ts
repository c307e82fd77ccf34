// The priority and due date of many new findings of an asset, computed once per severity instead of by the trigger for each row.

import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { IssueStatus, SeverityCategory } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { ScanFields } from './finding.ts'

/** What decides the values of a new finding, beside its asset. */
type NewFinding = { status: IssueStatus | null; fields: Partial<ScanFields>; rule: string }

/** The computed columns of a new finding. The trigger computes them for a finding whose revalueAt is -infinity. */
export type FirstWorth = { startedAt: string | null; dueAt: string | null; score: string; revalueAt: string | null }

const left: FirstWorth = { startedAt: null, dueAt: null, score: '0', revalueAt: '-infinity' }

/** Matches everything that could be the id of a vulnerability, which affects the priority; may match more than real ids. */
const vulnerability = /(CVE|GHSA|SEC|GO|MAL|OSV)-.{4}-/iu

/** Whether its values are those of any other finding of its severity; one that is not open, or may name a vulnerability, is left to the trigger. */
export function isUsual({ status, fields, rule }: NewFinding): boolean {
  const { cve, vulnerabilityIds } = fields.detail ?? {}
  if (status === null || !openStatuses.includes(status)) return false
  return !vulnerability.test(`${cve} ${vulnerabilityIds} ${rule} ${fields.title}`)
}

/** The values of a new finding of the asset, by severity: severity, started_at, due_at, score, revalue_at. */
export const usualWorths = (companyId: Id, assetId: Id | RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select severity, now() as started_at, due_at,
      priority_score(severity, false, null, exploitability, audience, business_impact, 0) as score,
      due_at - (due_at - now()) / 5 as revalue_at
    from (
      select usual.severity, asset.exploitability, asset.audience, asset.business_impact,
        now() + make_interval(days => case when policy.severity is null then usual.days else policy.days end) as due_at
      from asset
      join sla_default as usual on usual.business_impact = asset.business_impact
      left join sla_policy as policy on policy.company_id = asset.company_id and policy.severity = usual.severity
        and policy.business_impact = asset.business_impact
      where asset.company_id = ${companyId} and asset.id = ${assetId}) as home`

/** Returns a function from a new finding of the asset to its values; unusual findings are left to the trigger. One statement. */
export async function findFirstWorths(
  trx: Trx,
  companyId: Id,
  assetId: Id,
): Promise<(write: NewFinding) => FirstWorth> {
  const { rows } = await sql<FirstWorth & { severity: SeverityCategory }>`
    select severity, started_at::text as "startedAt", due_at::text as "dueAt", score::text, revalue_at::text as "revalueAt"
    from (${usualWorths(companyId, assetId)}) as worth`.execute(trx)
  const worths = new Map<string | null | undefined, FirstWorth>(rows.map(({ severity, ...worth }) => [severity, worth]))
  return (write) => (isUsual(write) ? (worths.get(write.fields.severity) ?? left) : left)
}
