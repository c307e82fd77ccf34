// The SQL of the list of projects: its filters and orders.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import { boundedCount, newestFirst, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import { columns, type Project } from './store.ts'

/** Null and undefined do not filter. Dates are YYYY-MM-DD, moments ISO 8601. */
export type ProjectSearch = {
  companyId?: Id | null
  ids?: readonly Id[] | null
  pidEq?: string | null
  search?: string | null
  labelCont?: string | null
  labelEq?: string | null
  statuses?: readonly string[] | null
  projectTypeLabelCont?: string | null
  typeLabels?: readonly string[] | null
  createdAtGteq?: string | null
  createdAtLteq?: string | null
  startDateEq?: string | null
  startDateGteq?: string | null
  startDateLteq?: string | null
  endDateEq?: string | null
  endDateGteq?: string | null
  endDateLteq?: string | null
  tags?: readonly string[] | null
  assetIds?: readonly Id[] | null
  analystsEmailIn?: readonly string[] | null
  environmentCompromised?: boolean | null
}

const sortKeys = {
  createdAt: sql`created_at`,
  startDate: sql`start_date`,
  endDate: sql`end_date`,
  label: sql`lower(label)`,
  status: sql`status`,
} as const satisfies Record<string, RawBuilder<unknown>>

type ProjectOrder = { by: keyof typeof sortKeys; direction: 'asc' | 'desc' }

export const sortable = Object.keys(sortKeys)

export const isSortable = (name: string): name is keyof typeof sortKeys => Object.hasOwn(sortKeys, name)

export async function listProjects(
  db: Db,
  viewer: Viewer,
  page: PageRequest,
  search: ProjectSearch,
  order: ProjectOrder | null,
): Promise<Page<Project>> {
  let projects = db.selectFrom('project').select(columns).where(seenBy(viewer, 'company_id'))
  for (const condition of conditionsOf(search)) projects = projects.where(condition)
  if (order === null) return newestFirst(db, projects, page, 'project.id')
  const rows = await projects
    .orderBy(sortKeys[order.by], order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return pageOf(page, rows, await boundedCount(db, projects, rows.length, page), ({ id }) => [id])
}

const typesLabelled = (condition: RawBuilder<unknown>) =>
  sql<boolean>`type_id in (select id from project_type where ${condition})`

const contains = (column: string, part: string) =>
  sql<boolean>`strpos(lower(${sql.ref(column)}), ${part.toLowerCase()}) > 0`

const when = <T>(wanted: T | null | undefined, ask: (wanted: T) => RawBuilder<boolean>): RawBuilder<boolean>[] =>
  wanted === null || wanted === undefined ? [] : [ask(wanted)]

const conditionsOf = (search: ProjectSearch): RawBuilder<boolean>[] => [
  ...when(search.companyId, (id) => sql`company_id = ${id}`),
  ...when(search.ids, (ids) => sql`id = any(${ids}::bigint[])`),
  ...when(search.pidEq, (pid) => sql`pid = ${pid}`),
  ...when(
    search.search,
    (part) => sql`(${contains('label', part)} or ${contains('goal', part)} or ${contains('scope', part)})`,
  ),
  ...when(search.labelCont, (part) => contains('label', part)),
  ...when(search.labelEq, (label) => sql`label = ${label}`),
  ...when(search.statuses, (statuses) => sql`status = any(${statuses}::text[])`),
  ...when(search.projectTypeLabelCont, (part) => typesLabelled(contains('project_type.label', part))),
  ...when(search.typeLabels, (labels) => typesLabelled(sql`project_type.label = any(${labels}::text[])`)),
  ...when(search.createdAtGteq, (at) => sql`created_at >= ${at}`),
  ...when(search.createdAtLteq, (at) => sql`created_at <= ${at}`),
  ...when(search.startDateEq, (date) => sql`start_date = ${date}`),
  ...when(search.startDateGteq, (date) => sql`start_date >= ${date}`),
  ...when(search.startDateLteq, (date) => sql`start_date <= ${date}`),
  ...when(search.endDateEq, (date) => sql`end_date = ${date}`),
  ...when(search.endDateGteq, (date) => sql`end_date >= ${date}`),
  ...when(search.endDateLteq, (date) => sql`end_date <= ${date}`),
  ...when(search.tags, (tags) => sql`tags @> ${tags}::text[]`),
  ...when(
    search.assetIds,
    (ids) => sql`exists (
    select from project_asset where project_asset.company_id = project.company_id
    and project_asset.project_id = project.id and project_asset.asset_id = any(${ids}::bigint[]))`,
  ),
  ...when(
    search.analystsEmailIn,
    (emails) => sql`exists (
    select from project_user join portal_user on portal_user.id = project_user.user_id
    where project_user.company_id = project.company_id and project_user.project_id = project.id
    and part = 'ALLOCATED' and lower(email) = any(${emails.map((email) => email.toLowerCase())}::text[]))`,
  ),
  ...when(
    search.environmentCompromised,
    (wanted) => sql`exists (
    select from issue where issue.company_id = project.company_id and issue.project_id = project.id
    and compromised_environment and ${isOpenIssue}
  ) = ${wanted}`,
  ),
]
