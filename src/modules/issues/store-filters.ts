// The SQL of the filters of lists of issues, as conditions over `issue`.

import { type RawBuilder, sql } from 'kysely'
import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { type SlaState, severities } from '../../core/issue-words.ts'
import { isSimilarTo } from './store-similar.ts'
import { areNear, isInState } from './store-sla.ts'

type List<T> = readonly T[] | null | undefined
type Range = { startDate?: string | null; endDate?: string | null } | null | undefined

/** An issue matches if it passes every given filter; it passes a list if it matches any entry. */
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
  statusChange?: { to: List<IssueStatus>; from?: List<IssueStatus>; range: Range } | null
  slaDueAtRange?: Range
  assetTags?: List<string>
  fileName?: string | null
  slaStates?: List<SlaState>
  knownExploited?: boolean | null
  minimumEpss?: number | null
  minimumPriority?: number | null
  vulnerabilityIds?: List<string>
  similarTo?: Id | null
}

export type Condition = RawBuilder<boolean>

/** Created once, because most lists need only one or two of them. */
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

/** The conditions over `issue` for a company and the filters, without those that `narrowingsOf` handles. */
export function plainConditionsOf(companyId: Id, filters: IssueFilters): Condition[] {
  const conditions: (Condition | null)[] = [
    among(column.id, filters.ids, type.bigint),
    among(column.assetId, filters.assetIds, type.bigint),
    among(column.status, filters.statuses, type.status),
    among(column.type, filters.types, type.issueType),
    among(column.type, filters.failureTypes, type.issueType),
    ofSeverity(filters),
    among(column.projectId, filters.projectIds, type.bigint),
    isOfTool(filters),
    among(column.category, filters.categories, type.text),
    among(column.scanId, filters.controlSyncStatusIds, type.bigint),
    among(column.deployId, filters.deployIds, type.bigint),
    within(column.createdAt, filters.createdAtRange),
    within(column.updatedAt, filters.updatedAtRange),
    within(column.dueAt, filters.slaDueAtRange),
    hasChanged(companyId, filters),
    ...worthOf(filters),
    isAssigned(filters),
    hasTag(companyId, filters),
    isInFile(companyId, filters),
    filters.similarTo ? isSimilarTo(companyId, filters.similarTo) : null,
  ]
  return conditions.filter((condition) => condition !== null)
}

export const isIn = (statuses: readonly IssueStatus[]): Condition =>
  sql`issue.status = any(${statuses}::issue_status[])`

const worthOf = (filters: IssueFilters): (Condition | null)[] => {
  const { slaStates, knownExploited = null, minimumEpss = null, minimumPriority = null, vulnerabilityIds } = filters
  return [
    slaStates && !areNear(slaStates) ? isInState(slaStates) : null,
    knownExploited === null ? null : sql`${knownExploited ? sql`` : sql`not`} issue.is_known_exploited`,
    minimumEpss === null ? null : sql`issue.epss >= ${minimumEpss}`,
    minimumPriority === null ? null : sql`issue.priority_score >= ${minimumPriority}`,
    // the second half matches the condition of the partial index
    vulnerabilityIds
      ? sql`(issue.vulnerability_ids && ${vulnerabilityIds}::text[] and issue.vulnerability_ids <> '{}')`
      : null,
  ]
}

const among = (name: RawBuilder<unknown>, values: List<unknown>, of: RawBuilder<unknown>): Condition | null =>
  values ? sql`${name} = any(${values}::${of}[])` : null

/**
 * Severities are asked for by their bounds: an index in their order is then read from the first of them on. Of a list it would be read
 * from the worst there is, since before PostgreSQL 17 only a bound or an equality leaves the order as it is. What lies in a gap between
 * them is passed over where it is reached; that it is not wanted is said in a way that no index is entered by.
 */
function ofSeverity({ severities: wanted }: IssueFilters): Condition | null {
  if (!wanted) return null
  const places = severities.flatMap((one, place) => (wanted.includes(one) ? [place] : []))
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return among(column.severity, wanted, type.severity)
  const bounds = sql<boolean>`${column.severity} between ${severities[first]}::${type.severity} and ${severities[last]}::${type.severity}`
  const between = severities.slice(first, last).filter((one) => !wanted.includes(one))
  if (between.length === 0) return bounds
  return sql`${bounds} and ${column.severity} <> all(${between}::${type.severity}[])`
}

/** Up to this many names are compared one by one. */
const FEW_NAMES = 8

/** Matches tools case-insensitively. By ilike, because the planner then estimates by how common a tool is, which it cannot for lower(). */
function isOfTool({ toolNames }: IssueFilters): Condition | null {
  if (!toolNames) return null
  if (toolNames.length > FEW_NAMES) {
    return sql`lower(${column.toolName}) = any(${toolNames.map((name) => name.toLowerCase())}::text[])`
  }
  return sql`${column.toolName} ilike any(${toolNames.map((name) => name.replace(/[\\%_]/g, '\\$&'))}::text[])`
}

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
    sql`event.previous_status <> event.status`,
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

/** Open in the file, and on one of the branches if those are filtered too. */
function isInFile(companyId: Id, { branchNames, fileName, assetIds }: IssueFilters): Condition | null {
  if (!fileName) return null
  const places = [
    sql`occurrence.path = ${fileName}`,
    among(column.branchOfPlace, branchNames, type.text),
    among(column.assetOfPlace, assetIds, type.bigint),
  ]
  return sql`issue.id in (
    select occurrence.issue_id from occurrence where occurrence.company_id = ${companyId} and occurrence.is_open
    and ${sql.join(
      places.filter((place) => place !== null),
      sql` and `,
    )})`
}
