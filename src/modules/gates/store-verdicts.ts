// The SQL of verdicts that were told: what a deploy's gate came to when it was last judged.

import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

export type Decision = 'PASS' | 'WARN' | 'BLOCK'

export type JudgedDeploy = {
  companyId: Id
  id: Id
  assetId: Id
  branchName: string | null
  isCarried: boolean
  lineage: string
}

/** The deploy, held so that it is judged by one at a time; null for one that is gone. */
export async function findJudged(trx: Trx, companyId: Id, id: Id): Promise<JudgedDeploy | null> {
  const { rows } = await sql<JudgedDeploy>`
    select company_id as "companyId", id, asset_id as "assetId", branch_name as "branchName", is_carried as "isCarried", lineage
    from deploy where company_id = ${companyId} and id = ${id} for no key update`.execute(trx)
  return rows[0] ?? null
}

/** Notes the verdict and answers with the one before it. */
export async function saveVerdict(trx: Trx, companyId: Id, id: Id, decision: Decision): Promise<Decision | null> {
  const { rows } = await sql<{ before: Decision | null }>`
    with before as materialized (
      select decision from deploy_verdict where company_id = ${companyId} and deploy_id = ${id}),
    saved as (
      insert into deploy_verdict (company_id, deploy_id, decision) values (${companyId}, ${id}, ${decision})
      on conflict (company_id, deploy_id) do update set decision = excluded.decision, judged_at = now())
    select (select decision from before) as before`.execute(trx)
  return rows[0]?.before ?? null
}
