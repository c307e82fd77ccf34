// The SQL statements of a list of issues: a page with or without its count, and the count alone.

import { type RawBuilder, sql } from 'kysely'
import { FOR_ITS_VALUES } from '../../core/db/driver.ts'
import { COUNT_LIMIT } from '../../core/db/large-lists.ts'
import { offsetOf, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { afterCursor, completeOrder, fieldsOf, orderBy, ownColumns, type SortOption } from './list-order.ts'
import { columnsOf, type IssueRecord, issueFields } from './store.ts'
import type { Condition } from './store-filters.ts'
import {
  type Bounds,
  type Finding,
  findingFew,
  findingNarrowed,
  findingNear,
  type Narrowing,
  USUAL,
} from './store-narrowings.ts'

/** What is read of the issue's asset: nothing, its name, or its name and tags. */
export type AssetPart = 'NONE' | 'NAME' | 'NAME_AND_TAGS'

/** The fields of an issue and the part of the asset that a list reads, and whether its rows and its count are shown. */
export type Shown = { fields: readonly (keyof IssueRecord)[]; asset: AssetPart; hasRows: boolean; hasCount: boolean }

/** The columns that a statement may read beside the issue. */
export type ReadAlong = { matching?: number; assetName?: string; assetTags?: string[] }

export type StatementOptions = {
  order?: readonly SortOption[]
  shown?: Shown
  /** filters in addition to the conditions */
  narrowings?: readonly Narrowing[]
  bounds?: Bounds
  /** the conditions hold of the tally's rows as well, which then tells how many pass them */
  isTallied?: boolean
}

/** isCounting: each row has the count. isWalked (without a count): walks the list from the start of the page, whatever narrows it. */
export type How = { isCounting: boolean; isWalked: boolean }

export type ListStatements<Row> = {
  order: readonly SortOption[]
  shown: Shown
  rows: (how: How) => RawBuilder<Row & ReadAlong>
  /** the rows found near the start of a narrowed list: correct if they fill the page, meaningless otherwise */
  near: (() => RawBuilder<Row & ReadAlong>) | null
  count: () => RawBuilder<{ matching: number }>
}

const assetColumns = {
  NONE: sql``,
  NAME: sql`, asset.name as "assetName"`,
  NAME_AND_TAGS: sql`, asset.name as "assetName", asset.tags as "assetTags"`,
} satisfies Record<AssetPart, RawBuilder<unknown>>

const joinedAsset = sql`join asset on asset.company_id = issue.company_id and asset.id = issue.asset_id`

export const WHOLE: Shown = {
  fields: issueFields.filter((field) => field !== 'companyId'),
  asset: 'NONE',
  hasRows: true,
  hasCount: true,
}

/** The fields that every list reads; the company's id is known already. */
const identifying: readonly (keyof IssueRecord)[] = ['id', 'assetId', 'type']

/** For a narrowed list the page's ids are found first, index-only if possible, and only the rows of the page are read. */
export function statementsOf<Row>(
  companyId: Id,
  conditions: readonly Condition[],
  page: PageRequest,
  { order: asked = [], shown = WHOLE, narrowings = [], bounds = USUAL, isTallied = false }: StatementOptions,
): ListStatements<Row> {
  const order = completeOrder(asked)
  const start = page.after === null ? sql`` : sql`and ${afterCursor(order, page.after)}`
  const sorted = sql`order by ${orderBy(order)}`
  const limit = limitOf(page)
  const ofPage = sql`${start} ${sorted} ${limit}`
  const ofCompany = sql`issue.company_id = ${companyId}`
  const beside = sql.join([ofCompany, ...conditions], sql` and `)
  const matching = sql.join([beside, ...narrowings.map(({ probe }) => probe)], sql` and `)
  const columns = [
    columnsOf([...new Set([...identifying, ...fieldsOf(order), ...shown.fields])]),
    assetColumns[shown.asset],
    ownColumns(order),
  ]
  const isNarrowed = conditions.length + narrowings.length > 0
  const withAsset = shown.asset === 'NONE' ? sql`issue` : sql`issue ${joinedAsset}`
  // the narrowings are evaluated without relying on the planner's estimates
  const planning = conditions.length > 0 ? sql.raw(FOR_ITS_VALUES) : sql``
  const read = (where: Part, before: Part, matched: Part) =>
    sql<Row & ReadAlong>`${planning} ${before}
      select ${sql.join([...columns, matched], sql` `)} from ${withAsset} where ${where}`
  const withIds = (ids: Part) => sql`${ofCompany} and issue.id = any(array(${ids})) ${sorted}`
  const listed = (found: Finding | null) =>
    isNarrowed ? withIds(idsOf(matching, { start, sorted, limit }, found)) : sql`${matching} ${ofPage}`
  const foundFor = ({ isCounting, isWalked }: How): Finding | null => {
    if (isWalked || !isNarrowed) return null
    if (narrowings.length === 0) return isCounting && !isTallied ? null : findingFew(beside, order, bounds)
    // without a count, a walk soon finds a page if more than so many match
    const counted = isCounting ? bounds.counted : bounds.soon + 1
    const passing = isTallied ? tallyOf(beside) : null
    return findingNarrowed(
      narrowings,
      { ofCompany, conditions: beside, passing },
      order,
      { ...bounds, counted },
      isCounting,
    )
  }
  const near = () => findingNear(narrowings, beside, order, { start, ofPage: sql`${sorted} ${limit}`, bounds })
  const isCountTallied = isTallied && narrowings.length === 0
  const countFrom = (found: Finding | null) =>
    isCountTallied ? tallyOf(matching) : (found?.count ?? countOf(matching))
  return {
    order,
    shown,
    rows: (how) => {
      const found = foundFor(how)
      return read(listed(found), found?.first ?? sql``, how.isCounting ? sql`, ${countFrom(found)} as matching` : sql``)
    },
    near: narrowings.length > 0 ? () => read(withIds(near()), sql``, sql``) : null,
    count: () => {
      const found = isCountTallied ? null : foundFor({ isCounting: true, isWalked: false })
      return sql`${planning} ${found?.first ?? sql``} select ${countFrom(found)} as matching`
    },
  }
}

type Part = RawBuilder<unknown>

/** The ids of the page: from what was found if that is complete, else by walking the list, or what is known to have all matches. */
function idsOf(
  matching: Part,
  { start, sorted, limit }: Record<'start' | 'sorted' | 'limit', Part>,
  finding: Finding | null,
): Part {
  const ofPage = sql`${start} ${sorted} ${limit}`
  const walked = sql`select id from issue where ${matching}`
  if (!finding) return sql`${walked} ${ofPage}`
  const { isWhole, sieved } = finding
  const found = sql`(select id from found as issue where ${isWhole} ${ofPage})`
  if (!sieved) return sql`${found} union all (${walked} and not (${isWhole}) ${ofPage})`
  return sql`${found}
    union all (${walked} and not (${isWhole}) and not (${sieved.isUsed}) ${ofPage})
    ${sql.join(
      sieved
        .walks(start)
        .map(
          ({ select, isTaken }) =>
            sql`union all (${select} and not (${isWhole}) and ${sieved.isUsed} and ${isTaken} ${sorted} ${limit})`,
        ),
      sql` `,
    )}`
}

const countOf = (matching: Part): Part => sql`(select count(*)::int from (
    select 1 from issue where ${matching} limit ${sql.lit(COUNT_LIMIT + 1)}) as matching)`

const tallyOf = (matching: Part): Part => sql`(select least(coalesce(sum(count), 0), ${sql.lit(COUNT_LIMIT + 1)})::int
    from finding_tally as issue where ${matching})`

/** Writes the numbers into the text; as parameters they would make PostgreSQL plan the statement each time. */
function limitOf(page: PageRequest): Part {
  const offset = offsetOf(page)
  return sql`limit ${sql.lit(page.limit)} ${offset === 0 ? sql`` : sql`offset ${offset}`}`
}
