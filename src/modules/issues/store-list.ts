// The SQL of lists of issues: what may be filtered, and one statement for a page with its count.

import { type RawBuilder, sql } from 'kysely'
import { COUNT_LIMIT, rememberCount, rememberedCount } from '../../core/db/large-lists.ts'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue, openStatuses } from '../../core/db/open-issues.ts'
import { offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
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
import { isSimilarTo } from './store-similar.ts'

type List<T> = readonly T[] | null | undefined
type Range = { startDate?: string | null; endDate?: string | null } | null | undefined

/** An issue matches when it matches each that is given; a list matches any of its entries, an empty one nothing. */
export type IssueFilters = {
  ids?: List<Id>
  assetIds?: List<Id>
  statuses?: List<IssueStatus>
  types?: List<IssueType>
  failureTypes?: List<IssueType>
  severities?: List<SeverityCategory>
  branchNames?: List<string>
  search?: string | null
  projectIds?: List<Id>
  assigneeEmails?: List<string>
  toolNames?: List<string>
  categories?: List<string>
  cweIds?: List<number>
  controlSyncStatusIds?: List<Id>
  deployIds?: List<Id>
  createdAtRange?: Range
  updatedAtRange?: Range
  statusChange?: { to: readonly IssueStatus[]; from?: List<IssueStatus>; range: Range } | null
  slaDueAtRange?: Range
  assetTags?: List<string>
  fileName?: string | null
  slaStates?: List<'ON_TRACK' | 'APPROACHING' | 'BREACHED' | 'RESOLVED'>
  knownExploited?: boolean | null
  minimumEpss?: number | null
  minimumPriority?: number | null
  vulnerabilityIds?: List<string>
  similarTo?: Id | null
}

export type Condition = RawBuilder<boolean>

/** Made once: most lists ask for one or two of them. */
const column = {
  id: sql`issue.id`,
  assetId: sql`issue.asset_id`,
  status: sql`issue.status`,
  type: sql`issue.type`,
  severity: sql`issue.severity`,
  projectId: sql`issue.project_id`,
  toolName: sql`issue.tool_name`,
  category: sql`issue.category`,
  scanId: sql`issue.scan_id`,
  deployId: sql`issue.deploy_id`,
  createdAt: sql`issue.created_at`,
  updatedAt: sql`issue.updated_at`,
  dueAt: sql`issue.sla_due_at`,
  branchOfPlace: sql`occurrence.branch`,
  assetOfPlace: sql`occurrence.asset_id`,
}

const type = {
  bigint: sql`bigint`,
  text: sql`text`,
  status: sql`issue_status`,
  issueType: sql`issue_type`,
  severity: sql`severity_category`,
}

/** What an issue of the company fulfils that passes the filters, as SQL over `issue`. */
export function conditionsOf(companyId: Id, filters: IssueFilters): Condition[] {
  const conditions: (Condition | null)[] = [
    among(column.id, filters.ids, type.bigint),
    among(column.assetId, filters.assetIds, type.bigint),
    among(column.status, filters.statuses, type.status),
    among(column.type, filters.types, type.issueType),
    among(column.type, filters.failureTypes, type.issueType),
    among(column.severity, filters.severities, type.severity),
    among(column.projectId, filters.projectIds, type.bigint),
    among(column.toolName, filters.toolNames, type.text),
    among(column.category, filters.categories, type.text),
    among(column.scanId, filters.controlSyncStatusIds, type.bigint),
    among(column.deployId, filters.deployIds, type.bigint),
    filters.cweIds ? hasCwe(filters.cweIds) : null,
    within(column.createdAt, filters.createdAtRange),
    within(column.updatedAt, filters.updatedAtRange),
    within(column.dueAt, filters.slaDueAtRange),
    hasChanged(companyId, filters),
    ...worthOf(filters),
    isAssigned(filters),
    hasTag(companyId, filters),
    isOnPlace(companyId, filters),
    mentions(filters),
    filters.similarTo ? isSimilarTo(companyId, filters.similarTo) : null,
  ]
  return conditions.filter((condition) => condition !== null)
}

/** True for issues with one of these weaknesses. */
export const hasCwe = (cweIds: readonly number[]): Condition => sql`issue.cwe_ids && ${cweIds}::int[]`

export const isIn = (statuses: readonly IssueStatus[]): Condition =>
  sql`issue.status = any(${statuses}::issue_status[])`

const worthOf = (filters: IssueFilters): (Condition | null)[] => {
  const { slaStates, knownExploited = null, minimumEpss = null, minimumPriority = null, vulnerabilityIds } = filters
  return [
    slaStates ? sql`(${sql.join([sql`false`, ...slaStates.map((state) => slaConditions[state])], sql` or `)})` : null,
    knownExploited === null ? null : sql`${knownExploited ? sql`` : sql`not`} issue.is_known_exploited`,
    minimumEpss === null ? null : sql`issue.epss >= ${minimumEpss}`,
    minimumPriority === null ? null : sql`issue.priority_score >= ${minimumPriority}`,
    // the second half is what the index is held to
    vulnerabilityIds
      ? sql`(issue.vulnerability_ids && ${vulnerabilityIds}::text[] and issue.vulnerability_ids <> '{}')`
      : null,
  ]
}

/** As slaOf of the scoring has it: a finding approaches its end in the last fifth of its time. */
const lastFifth = sql`issue.sla_due_at - (issue.sla_due_at - issue.sla_started_at) / 5`

const slaConditions = {
  ON_TRACK: sql<boolean>`(${isOpenIssue} and now() < ${lastFifth})`,
  APPROACHING: sql<boolean>`(${isOpenIssue} and issue.sla_due_at > now() and now() >= ${lastFifth})`,
  BREACHED: sql<boolean>`(${isOpenIssue} and issue.sla_due_at <= now())`,
  RESOLVED: sql<boolean>`(not ${isOpenIssue} and issue.sla_due_at is not null)`,
}

const among = (name: RawBuilder<unknown>, values: List<unknown>, of: RawBuilder<unknown>): Condition | null =>
  values ? sql`${name} = any(${values}::${of}[])` : null

function within(name: RawBuilder<unknown>, range: Range): Condition | null {
  const { startDate, endDate } = range ?? {}
  if (startDate && endDate) return sql`${name} between ${startDate}::timestamptz and ${endDate}::timestamptz`
  if (startDate) return sql`${name} >= ${startDate}::timestamptz`
  return endDate ? sql`${name} <= ${endDate}::timestamptz` : null
}

function hasChanged(companyId: Id, { statusChange }: IssueFilters): Condition | null {
  if (!statusChange) return null
  const { to, from, range } = statusChange
  const asked = [
    sql`event.previous_status is not null`,
    among(sql`event.status`, to, type.status),
    among(sql`event.previous_status`, from, type.status),
    within(sql`event.at`, range),
  ]
  return sql`issue.id in (
    select event.issue_id from issue_event as event where event.company_id = ${companyId}
    and ${sql.join(
      asked.filter((condition) => condition !== null),
      sql` and `,
    )})`
}

const isAssigned = ({ assigneeEmails }: IssueFilters): Condition | null =>
  assigneeEmails
    ? sql`exists (
        select 1 from issue_assignee as assignee join portal_user on portal_user.id = assignee.user_id
        where assignee.company_id = issue.company_id and assignee.issue_id = issue.id
        and lower(portal_user.email) = any(${assigneeEmails.map((email) => email.toLowerCase())}::text[]))`
    : null

const hasTag = (companyId: Id, { assetTags }: IssueFilters): Condition | null =>
  assetTags
    ? sql`issue.asset_id in (
        select asset.id from asset where asset.company_id = ${companyId} and asset.tags && ${assetTags}::text[])`
    : null

/** Open on one of the branches, or in the file; both of the same occurrence where both are asked. */
function isOnPlace(companyId: Id, { branchNames, fileName, assetIds }: IssueFilters): Condition | null {
  const branch = among(column.branchOfPlace, branchNames, type.text)
  if (fileName) {
    const places = [sql`occurrence.path = ${fileName}`, branch, among(column.assetOfPlace, assetIds, type.bigint)]
    return sql`issue.id in (
      select occurrence.issue_id from occurrence where occurrence.company_id = ${companyId} and occurrence.is_open
      and ${sql.join(
        places.filter((place) => place !== null),
        sql` and `,
      )})`
  }
  if (!branch) return null
  return sql`exists (
    select 1 from occurrence where occurrence.company_id = issue.company_id and occurrence.issue_id = issue.id
    and occurrence.is_open and ${branch})`
}

function mentions({ search }: IssueFilters): Condition | null {
  if (!search) return null
  const part = search.toLowerCase()
  return sql`(strpos(lower(issue.title), ${part}) > 0 or strpos(lower(issue.description), ${part}) > 0)`
}

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
 * match, two where a page is empty. Rows are whole records unless `shown` says otherwise.
 */
export async function listIssues<Row extends ListedIssue = IssueRecord>(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  page: PageRequest,
  { order: asked = [], shown = WHOLE, name = null }: ListOptions = {},
): Promise<Page<Row>> {
  const order = completeOrder(asked)
  const matching = sql.join([sql`issue.company_id = ${companyId}`, ...conditions], sql` and `)
  const start = page.after === null ? sql`` : sql`and ${afterCursor(order, page.after)}`
  const count = () => sql`(select count(*)::int from (
    select 1 from issue where ${matching} limit ${sql.lit(COUNT_LIMIT + 1)}) as matching)`
  const uncounted = name === null ? null : `${companyId} ${name}`
  const remembered = rememberedCount(db, uncounted)
  const columns = [
    columnsOf([...new Set([...identifying, ...fieldsOf(order), ...shown.fields])]),
    assetColumns[shown.asset],
    ownColumns(order),
    remembered === null ? sql`, ${count()} as matching` : sql``,
  ]
  const offset = offsetOf(page)
  // the numbers stand in the text: as parameters they would have PostgreSQL plan anew each time
  const { rows } = await sql<Row & ReadAlong>`
    select ${sql.join(columns, sql` `)} from issue ${shown.asset === 'NONE' ? sql`` : joinedAsset}
    where ${matching} ${start} order by ${orderBy(order)}
    limit ${sql.lit(page.limit)} ${offset === 0 ? sql`` : sql`offset ${offset}`}`.execute(db)
  const counted = remembered ?? rows[0]?.matching ?? (await countMatching(db, count(), page))
  if (remembered === null) rememberCount(db, uncounted, counted)
  complete(rows, companyId, shown.asset)
  // the order's own fields were read
  return pageOf(page, rows, counted, (row) => cursorOf(order)(row as Row & ListRow))
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

async function countMatching(db: Db, count: RawBuilder<unknown>, page: PageRequest): Promise<number> {
  if (page.after === null && page.page === 1) return 0
  const { rows } = await sql<{ matching: number }>`select ${count} as matching`.execute(db)
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
  join deploy on deploy.company_id = occurrence.company_id and coalesce(deploy.branch_name, '') = occurrence.branch
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
