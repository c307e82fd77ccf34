// The SQL of the findings that deploys introduced, touched or fixed: of one deploy, and of all deploys of a page at once.

import { type RawBuilder, sql } from 'kysely'
import { FOR_ITS_VALUES } from '../../core/db/driver.ts'
import type { Db } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import { type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { cursorOf, type ListRow, type SortOption } from './list-order.ts'
import type { IssueRecord } from './store.ts'
import { type Condition, isIn } from './store-filters.ts'
import { listIssues } from './store-list.ts'
import { type ReadAlong, statementsOf } from './store-list-statements.ts'

export type DeployFindingKind = 'introduced' | 'touched' | 'fixed'

/** The worst first, and the newest first among equals. */
const options: { order: readonly SortOption[] } = { order: [{ field: 'SEVERITY', isDescending: true }] }

/** A page of the findings of one deploy. */
export const listOfDeploy = (
  db: Db,
  companyId: Id,
  deployId: Id,
  kind: DeployFindingKind,
  page: PageRequest,
): Promise<Page<IssueRecord>> =>
  listIssues(db, companyId, [isOfDeploy(companyId, sql`${deployId}`, kind)], page, options)

/** The first page of the findings of each deploy, by the deploy's id, in one statement. */
export async function listOfDeploys(
  db: Db,
  companyId: Id,
  deployIds: readonly Id[],
  kind: DeployFindingKind,
  page: PageRequest,
): Promise<Map<Id, Page<IssueRecord>>> {
  const conditions = [isOfDeploy(companyId, sql`asked.id`, kind)]
  const { rows: rowsOfOne, order } = statementsOf<IssueRecord>(companyId, conditions, page, options)
  const ofOne = rowsOfOne({ isCounting: true, isWalked: false })
  const { rows } = await sql<IssueRecord & ListRow & ReadAlong & { ofDeploy: Id }>`${sql.raw(FOR_ITS_VALUES)}
    select asked.id as "ofDeploy", listed.* from unnest(${deployIds}::bigint[]) as asked (id)
    cross join lateral (select *, row_number() over () as position from (${ofOne}) as sorted) as listed
    order by asked.id, listed.position`.execute(db)
  const found = Map.groupBy(rows, ({ ofDeploy }) => ofDeploy)
  return new Map(
    deployIds.map((id) => {
      const own = found.get(id) ?? []
      for (const row of own) row.companyId = companyId
      return [id, pageOf(page, own, own[0]?.matching ?? 0, cursorOf(order))]
    }),
  )
}

/** True for findings that the deploy affected in the given way. Its own few are named first, so that no list looks through all of the company. */
function isOfDeploy(companyId: Id, deployId: RawBuilder<unknown>, kind: DeployFindingKind): Condition {
  const told = (fact: Condition) =>
    sql`select issue_id from deploy_finding where company_id = ${companyId} and deploy_id = ${deployId} and ${fact}`
  if (kind === 'introduced') return sql`issue.id in (${told(sql`is_introduced`)})`
  if (kind === 'touched') return sql`(issue.id in (${told(sql`disposition = 'TOUCHED'`)}) and ${isIn(openStatuses)})`
  const removed = told(sql`disposition = 'REMOVED'`)
  const accepted = sql`
    select issue_id from issue_event
    where company_id = ${companyId} and deploy_id = ${deployId} and status = 'FIX_ACCEPTED'`
  return sql`(issue.id in (${removed} union all ${accepted})
    and (issue.status = 'FIX_ACCEPTED' or (issue.id in (${removed}) and ${isGone(companyId, deployId)})))`
}

/** True for an issue that is no longer anywhere on the deploy's branch. */
const isGone = (companyId: Id, deployId: RawBuilder<unknown>): Condition => sql`not exists (
  select 1 from occurrence
  join deploy on deploy.company_id = occurrence.company_id and deploy.branch = occurrence.branch
  where occurrence.company_id = ${companyId} and occurrence.issue_id = issue.id and deploy.id = ${deployId}
  and occurrence.is_open and occurrence.disposition is distinct from 'REMOVED')`
