// The SQL of trouble over time: blocked deploys, failed scans, and overdue findings.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import { closes, opens, tellsStatus } from './store-history.ts'
import type { TroubleChange } from './trouble.ts'

/**
 * The increase of each kind of trouble in each interval. `limits` are the starts of the intervals, oldest first, and the end of the last.
 * Bucket 1 is the first interval. Bucket 0, which only findings have, is the time before it.
 *
 * An open finding is overdue from its due date on. The statement counts the findings that are open now, and then undoes the changes after
 * the first start; it reads no older history. A finding is never overdue before it is reported, so only later changes matter, for which
 * there is an index.
 */
export async function countTrouble(db: Db, companyId: Id, limits: readonly string[]): Promise<TroubleChange[]> {
  const [first, until] = [sql`${limits[0]}::timestamptz`, sql`${limits.at(-1)}::timestamptz`]
  // the expression of the index issue_sla_due
  const isDue = sql`coalesce(issue.sla_due_at, timestamptz '9999-12-31 00:00:00+00') < ${until}`
  const bucketOf = (time: RawBuilder<unknown>) => sql`width_bucket(${time}, ${limits}::timestamptz[])`
  const { rows } = await sql<TroubleChange>`
    with standing as (
      select ${bucketOf(sql`issue.sla_due_at`)} as due, count(*) as count
      from issue where issue.company_id = ${companyId} and ${isOpenIssue} and ${isDue} group by 1
    ), changed as (
      select ${bucketOf(sql`issue.sla_due_at`)} as due, ${bucketOf(sql`event.at`)} as bucket,
             count(*) filter (where ${opens}) - count(*) filter (where ${closes}) as opened
      from issue_event as event join issue on issue.company_id = event.company_id and issue.id = event.issue_id
      where event.company_id = ${companyId} and event.previous_status is not null and ${tellsStatus}
        and event.at >= ${first} and ${isDue} and issue.sla_due_at < event.at and (${opens} or ${closes})
      group by 1, 2
    )
    select 'breachedIssues' as kind, bucket, sum(count)::int as count from (
      select due as bucket, count from standing
      union all select due, -opened from changed
      union all select bucket, opened from changed) as past group by bucket
    union all
    select 'blockedDeploys', ${bucketOf(sql`deploy.created_at`)}, count(*)::int
    from deploy join deploy_verdict as verdict on verdict.company_id = deploy.company_id and verdict.deploy_id = deploy.id
    where deploy.company_id = ${companyId} and deploy.created_at >= ${first} and deploy.created_at < ${until}
      and verdict.decision = 'BLOCK' group by 2
    union all
    select 'failedScans', ${bucketOf(sql`scan.created_at`)}, count(*)::int
    from scan where scan.company_id = ${companyId} and scan.created_at >= ${first} and scan.created_at < ${until}
      and scan.status = 'FAILED' group by 2`.execute(db)
  return rows
}
