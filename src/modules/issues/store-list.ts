// Runs the SQL of lists of issues: pages and counts.

import { sql } from 'kysely'
import { executeKept } from '../../core/db/kept.ts'
import { rememberCount, rememberedCount } from '../../core/db/large-lists.ts'
import type { Db } from '../../core/db/open.ts'
import { type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { cursorOf, type ListRow } from './list-order.ts'
import type { IssueRecord } from './store.ts'
import { type Condition, type IssueFilters, plainConditionsOf } from './store-filters.ts'
import { keptStatementsOf } from './store-first-pages.ts'
import type { AssetPart, How, ListStatements, ReadAlong, StatementOptions } from './store-list-statements.ts'

/** The part of an asset that a list reads. */
type ListedAsset = { id: Id; companyId: Id; name: string; assetsTagList?: string[] }

/** An issue of a list; fields that were not read are undefined. */
export type ListedIssue = Pick<IssueRecord, 'id' | 'assetId' | 'type' | 'companyId'> &
  Partial<IssueRecord> & { asset?: ListedAsset }

/** The options of a list, in addition to its conditions. */
type ListOptions = StatementOptions & {
  /** identifies the list within the company, so that one too long to count is not counted again for ten seconds */
  name?: string | null
}

/**
 * A page of the company's issues that match all conditions, and their number, each only if shown. One statement for both; two if the page is
 * empty, or if nothing is counted and the page is not near the start of its order. Rows are whole records unless `shown` says otherwise.
 */
export async function listIssues<Row extends ListedIssue = IssueRecord>(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  page: PageRequest,
  { name = null, ...options }: ListOptions = {},
): Promise<Page<Row>> {
  const statements = keptStatementsOf<Row>(companyId, conditions, page, options)
  const { order, shown } = statements
  const uncounted = name === null ? null : `${companyId} ${name}`
  const remembered = rememberedCount(db, uncounted)
  const isCounting = shown.hasCount && remembered === null
  // matches may be far from the start of the order, so a walk is used again only when continuing from a cursor
  const isWalked = remembered !== null && page.after !== null
  const rows = shown.hasRows ? await readRows(db, statements, page, { isCounting, isWalked }) : []
  complete(rows, companyId, shown.asset)
  const counted = remembered ?? rows[0]?.matching ?? (isCounting ? await countMatching(db, statements, page) : 0)
  if (isCounting) rememberCount(db, uncounted, counted)
  // the fields of the order were read
  return pageOf(page, rows, counted, (row) => cursorOf(order)(row as Row & ListRow))
}

/** Without a count, looks near the start of the order before it gathers everything that matches. */
async function readRows<Row>(
  db: Db,
  { near, rows }: ListStatements<Row>,
  page: PageRequest,
  how: How,
): Promise<(Row & ReadAlong)[]> {
  if (near && !how.isCounting && !how.isWalked) {
    const found = await near().execute(db)
    if (found.rows.length === page.limit) return found.rows
  }
  return (await executeKept(db, rows(how))).rows
}

/** For a list of which no row was read; an empty first page means that nothing matches. */
async function countMatching(db: Db, { count, shown }: ListStatements<unknown>, page: PageRequest): Promise<number> {
  if (shown.hasRows && page.after === null && page.page === 1) return 0
  const { rows } = await count().execute(db)
  return rows[0]?.matching ?? 0
}

/** Adds the values that are the same in all rows and so were not sent with each, and nests the asset that was read along. */
function complete(rows: readonly (ListedIssue & ReadAlong)[], companyId: Id, asset: AssetPart): void {
  for (const row of rows) {
    row.companyId = companyId
    if (asset === 'NONE') continue
    const { assetId: id, assetName: name = '', assetTags: assetsTagList } = row
    row.asset = { id, companyId, name, assetsTagList }
  }
}

/** With more assets than these, a list of their findings is as soon found among those of all. */
const MOST_ASSETS = 100

/** The assets with findings of the filters' tools, by the tally; null if no tool is asked for, or if there are many. */
export async function assetsOfTools(db: Db, companyId: Id, { toolNames }: IssueFilters): Promise<Id[] | null> {
  if (!toolNames) return null
  const { rows } = await sql<{ assetId: Id }>`
    select distinct issue.asset_id as "assetId" from finding_tally as issue
    where issue.company_id = ${companyId} and ${sql.join(plainConditionsOf(companyId, { toolNames }), sql` and `)}
    order by issue.asset_id limit ${sql.lit(MOST_ASSETS + 1)}`.execute(db)
  return rows.length > MOST_ASSETS ? null : rows.map(({ assetId }) => assetId)
}
