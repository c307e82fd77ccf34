// The SQL of stored verdicts: the last verdict on each deploy, by which deploys are listed.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { DiffState } from '../../diff/types.ts'

type Decision = 'PASS' | 'WARN' | 'BLOCK'

export type JudgedDeploy = {
  companyId: Id
  id: Id
  assetId: Id
  branchName: string | null
  isCarried: boolean
  lineage: string
  diffState: DiffState
  diffReason: string | null
}

const judged = sql`company_id as "companyId", id, asset_id as "assetId", nullif(branch, '') as "branchName", is_carried as "isCarried", lineage,
  diff_state as "diffState", diff_reason as "diffReason"`

/** The deploy, locked so that only one worker judges it; null if it no longer exists. */
export async function findJudged(trx: Trx, companyId: Id, id: Id): Promise<JudgedDeploy | null> {
  const { rows } = await sql<JudgedDeploy>`
    select ${judged} from deploy where company_id = ${companyId} and id = ${id} for no key update`.execute(trx)
  return rows[0] ?? null
}

/** Stores the verdict and returns the previous one. */
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

/** `isHead`: the branch stands at this deploy, which is never one that arrived late. `before`: its previous verdict. */
type JudgedAmong = JudgedDeploy & { isHead: boolean; before: Decision | null }

/** The next deploys below an id, newest first, locked as by findJudged; `assetId` null: of all the company's assets. */
export async function listJudged(
  trx: Trx,
  { companyId, assetId, below }: { companyId: Id; assetId: Id | null; below: Id | null },
  limit: number,
): Promise<JudgedAmong[]> {
  const { rows } = await sql<JudgedAmong>`
    with held as materialized (
      select * from deploy where company_id = ${companyId}
        ${assetId === null ? sql`` : sql`and asset_id = ${assetId}`} ${below === null ? sql`` : sql`and id < ${below}`}
      order by id desc limit ${limit} for no key update)
    select ${judged}, lineage <> 'LATE' and not exists (
        select from deploy as later where later.company_id = held.company_id and later.asset_id = held.asset_id
          and later.branch = held.branch and later.id > held.id
          and later.lineage <> 'LATE') as "isHead",
      (select decision from deploy_verdict where deploy_verdict.company_id = held.company_id and deploy_id = held.id) as before
    from held order by id desc`.execute(trx)
  return rows
}

export async function saveVerdicts(
  trx: Trx,
  companyId: Id,
  verdicts: readonly { id: Id; decision: Decision }[],
): Promise<void> {
  await sql`
    insert into deploy_verdict (company_id, deploy_id, decision)
    select ${companyId}, id, decision from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as given (id bigint, decision text)
    on conflict (company_id, deploy_id) do update set decision = excluded.decision, judged_at = now()`.execute(trx)
}

/** The owners whose verdicts time alone can change: companies, and assets of companies that are not among them. `assetId` null: the company. */
export async function listTimedOwners(db: Db): Promise<{ companyId: Id; assetId: Id | null }[]> {
  const { rows } = await sql<{ companyId: Id; assetId: Id | null }>`
    with timed as materialized (
      select company_id, asset_id from gate_policy where jsonb_path_exists(rules, '$[*] ? (@.olderThanDays != null)'))
    select company_id as "companyId", asset_id as "assetId" from timed
    where asset_id is null or not exists (
      select from timed as whole where whole.company_id = timed.company_id and whole.asset_id is null)
    order by company_id, asset_id`.execute(db)
  return rows
}
