// The SQL of lists of issues: one statement for a page with its count, and what deploys and weaknesses narrow them to.

import { type RawBuilder, sql } from 'kysely'
import { COUNT_LIMIT, rememberCount, rememberedCount } from '../../core/db/large-lists.ts'
import type { Db } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import { offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import {
  afterCursor,
  completeOrder,
  cursorOf,
  fieldsOf,
  type ListRow,
  orderBy,
  ownColumns,
  type SortOption,
} from './list-order.ts'
import { columnsOf, type IssueRecord, issueFields } from './store.ts'
import { type Condition, isIn } from './store-filters.ts'
import { type Bounds, type Finding, findingAll, type Narrowing } from './store-narrowings.ts'

/** What is read of the asset beside the issue: nothing, its name, or its name and tags. */
export type AssetPart = 'NONE' | 'NAME' | 'NAME_AND_TAGS'

/** Which fields of an issue a list reads, and what of the asset. */
export type Shown = { fields: readonly (keyof IssueRecord)[]; asset: AssetPart }

/** What every list reads, beside the company's id, which is known. */
type Identifying = 'id' | 'assetId' | 'type'

/** An asset as far as a list reads it along. */
type ListedAsset = { id: Id; companyId: Id; name: string; assetsTagList?: string[] }

/** An issue of a list; what was not read of it is undefined. */
export type ListedIssue = Pick<IssueRecord, Identifying | 'companyId'> & Partial<IssueRecord> & { asset?: ListedAsset }

/** What a statement may read beside the issue. */
type ReadAlong = { matching?: number; assetName?: string; assetTags?: string[] }

/** How a list is asked for, beside its conditions. */
export type ListOptions = {
  order?: readonly SortOption[]
  shown?: Shown
  /** tells the list from others of the company; one that is too long to be counted is not counted again for ten seconds */
  name?: string | null
  /** what narrows it beside the conditions */
  narrowings?: readonly Narrowing[]
  bounds?: Bounds
}

const assetColumns = {
  NONE: sql``,
  NAME: sql`, asset.name as "assetName"`,
  NAME_AND_TAGS: sql`, asset.name as "assetName", asset.tags as "assetTags"`,
} satisfies Record<AssetPart, RawBuilder<unknown>>

const joinedAsset = sql`join asset on asset.company_id = issue.company_id and asset.id = issue.asset_id`

const WHOLE: Shown = { fields: issueFields.filter((field) => field !== 'companyId'), asset: 'NONE' }

const identifying: readonly Identifying[] = ['id', 'assetId', 'type']

/**
 * A page of the company's issues that fulfil all the conditions: one statement for the rows and the count of all that
 * match, two where a page is empty. Of a narrowed list the page is found first, from an index where it has what is asked, and only
 * its rows are read. Rows are whole records unless `shown` says otherwise.
 */
export async function listIssues<Row extends ListedIssue = IssueRecord>(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  page: PageRequest,
  { order: asked = [], shown = WHOLE, name = null, narrowings = [], bounds }: ListOptions = {},
): Promise<Page<Row>> {
  const order = completeOrder(asked)
  const uncounted = name === null ? null : `${companyId} ${name}`
  // what narrows may lie far from the start of the order: only who goes on from a cursor walks there again
  const isWalked = narrowings.length === 0 || page.after !== null
  const remembered = isWalked ? rememberedCount(db, uncounted) : null
  const start = page.after === null ? sql`` : sql`and ${afterCursor(order, page.after)}`
  const sorted = sql`order by ${orderBy(order)}`
  const ofPage = sql`${start} ${sorted} ${limitOf(page)}`
  const beside = sql.join([sql`issue.company_id = ${companyId}`, ...conditions], sql` and `)
  const matching = sql.join([beside, ...narrowings.map(({ probe }) => probe)], sql` and `)
  const finding = narrowings.length > 0 && remembered === null ? findingAll(narrowings, beside, order, bounds) : null
  const first = finding?.first ?? sql``
  const count = () => finding?.count ?? countOf(matching)
  const columns = [
    columnsOf([...new Set([...identifying, ...fieldsOf(order), ...shown.fields])]),
    assetColumns[shown.asset],
    ownColumns(order),
    remembered === null ? sql`, ${count()} as matching` : sql``,
  ]
  const withAsset = shown.asset === 'NONE' ? sql`issue` : sql`issue ${joinedAsset}`
  const listed =
    conditions.length + narrowings.length === 0
      ? sql`${withAsset} where ${matching} ${ofPage}`
      : sql`${withAsset} where issue.company_id = ${companyId}
          and issue.id = any(array(${idsOf(matching, ofPage, finding)})) ${sorted}`
  const { rows } = await sql<Row & ReadAlong>`${first} select ${sql.join(columns, sql` `)} from ${listed}`.execute(db)
  const counting = () => sql<{ matching: number }>`${first} select ${count()} as matching`
  const counted = remembered ?? rows[0]?.matching ?? (await countMatching(db, counting, page))
  if (remembered === null) rememberCount(db, uncounted, counted)
  complete(rows, companyId, shown.asset)
  // the order's own fields were read
  return pageOf(page, rows, counted, (row) => cursorOf(order)(row as Row & ListRow))
}

type Part = RawBuilder<unknown>

/** The ids of the page: of what was found, where that is all, else by walking through the list. */
function idsOf(matching: Part, ofPage: Part, finding: Finding | null): Part {
  const walked = sql`select id from issue where ${matching}`
  if (!finding) return sql`${walked} ${ofPage}`
  return sql`(select id from found as issue where ${finding.isWhole} ${ofPage})
    union all (${walked} and not (${finding.isWhole}) ${ofPage})`
}

const countOf = (matching: Part): Part => sql`(select count(*)::int from (
    select 1 from issue where ${matching} limit ${sql.lit(COUNT_LIMIT + 1)}) as matching)`

/** The numbers stand in the text: as parameters they would have PostgreSQL plan anew each time. */
function limitOf(page: PageRequest): RawBuilder<unknown> {
  const offset = offsetOf(page)
  return sql`limit ${sql.lit(page.limit)} ${offset === 0 ? sql`` : sql`offset ${offset}`}`
}

/** What is the same in all rows is not sent in each; an asset of which its part was read stands in the row as it is answered. */
function complete(rows: readonly (ListedIssue & ReadAlong)[], companyId: Id, asset: AssetPart): void {
  for (const row of rows) {
    row.companyId = companyId
    if (asset === 'NONE') continue
    const { assetId: id, assetName: name = '', assetTags: assetsTagList } = row
    row.asset = { id, companyId, name, assetsTagList }
  }
}

async function countMatching(
  db: Db,
  counting: () => RawBuilder<{ matching: number }>,
  page: PageRequest,
): Promise<number> {
  if (page.after === null && page.page === 1) return 0
  const { rows } = await counting().execute(db)
  return rows[0]?.matching ?? 0
}

export type DeployFindingKind = 'introduced' | 'touched' | 'fixed'

/** True for what a deploy did to the findings of its branch. */
export function isOfDeploy(companyId: Id, deployId: Id, kind: DeployFindingKind): Condition {
  const named = (fact: Condition) => sql<boolean>`issue.id in (
    select issue_id from deploy_finding where company_id = ${companyId} and deploy_id = ${deployId} and ${fact})`
  if (kind === 'introduced') return named(sql`is_introduced`)
  if (kind === 'touched') return sql`(${named(sql`disposition = 'TOUCHED'`)} and ${isIn(openStatuses)})`
  return sql`((${named(sql`disposition = 'REMOVED'`)} and (issue.status = 'FIX_ACCEPTED' or ${isGone(companyId, deployId)}))
    or (issue.status = 'FIX_ACCEPTED' and issue.id in (
      select issue_id from issue_event
      where company_id = ${companyId} and deploy_id = ${deployId} and status = 'FIX_ACCEPTED')))`
}

/** True for an issue that stands nowhere on the deploy's branch any more. */
const isGone = (companyId: Id, deployId: Id): Condition => sql`not exists (
  select 1 from occurrence
  join deploy on deploy.company_id = occurrence.company_id and deploy.branch = occurrence.branch
  where occurrence.company_id = ${companyId} and occurrence.issue_id = issue.id and deploy.id = ${deployId}
  and occurrence.is_open and occurrence.disposition is distinct from 'REMOVED')`

/** How many issues in one of the statuses have a weakness of each set, in one statement. */
export async function countByCwe(
  db: Db,
  companyId: Id,
  sets: readonly (readonly number[])[],
  statuses: readonly IssueStatus[],
): Promise<number[]> {
  if (sets.length === 0) return []
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)::int from (
        select 1 from issue where company_id = ${companyId} and status = any(${statuses}::issue_status[])
        and cwe_ids && array(select jsonb_array_elements_text(wanted.cwes)::int)
        limit ${sql.lit(COUNT_LIMIT)}) as matching) as count
    from jsonb_array_elements(${JSON.stringify(sets)}::jsonb) with ordinality as wanted (cwes, place)
    order by place`.execute(db)
  return rows.map(({ count }) => count)
}
