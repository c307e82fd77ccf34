// Projects: who may see and change them, and what other modules ask of them.

import { type Trx, transaction } from '../../core/db/open.ts'
import { type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { LONGEST_TEXT, readText } from '../../core/text.ts'
import {
  audit,
  auditAll,
  authorize,
  authorizeAdministrator,
  authorizeRecord,
  membersByEmail,
} from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context, SentAttachment } from '../context.ts'
import { blankProject, changed, type ProjectChange, type ProjectFields, readChange } from './fields.ts'
import * as store from './store.ts'
import * as list from './store-list.ts'
import * as parts from './store-parts.ts'

export { loadProjectTypes } from './loads.ts'
export type { Project } from './store.ts'
export type { ProjectSearch } from './store-list.ts'
export type { StatusChange } from './store-parts.ts'

/** Projects by id, for fields of other records that refer to them; only those that the viewer sees. */
export const loadProjects = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Project>> =>
  new Map((await store.findProjects(context.db, context.viewer, ids)).map((project) => [project.id, project]))

/** The project, if the viewer may do `action` in its company; NOT_FOUND if it is missing or belongs to another company. */
export const authorizeProject = (
  context: Context,
  action: Parameters<typeof authorize>[1],
  id: Id,
): Promise<store.Project> =>
  authorizeRecord(context, action, 'Project', id, async () => {
    const [project] = await store.findProjects(context.db, context.viewer, [id])
    return project ?? null
  })

/** The projects of the company, or of every company that the viewer sees; `sortBy` names a sort key. */
export async function listProjects(
  context: Context,
  page: PageRequest,
  search: list.ProjectSearch,
  sortBy: string | null,
  descending: boolean,
): Promise<Page<store.Project>> {
  if (search.companyId) await authorize(context, 'projects:read', search.companyId)
  else await authorizeEverywhere(context)
  if (sortBy === null) return list.listProjects(context.db, context.viewer, page, search, null)
  if (!list.isSortable(sortBy)) throw badUserInput(`sortBy is one of ${list.sortable.join(', ')}`, 'sortBy')
  if (page.after !== null) throw badUserInput('after works only in the list’s default order', 'after')
  const order = { by: sortBy, direction: descending ? 'desc' : 'asc' } as const
  return list.listProjects(context.db, context.viewer, page, search, order)
}

async function authorizeEverywhere(context: Context): Promise<void> {
  const { memberships } = context.viewer
  if (memberships === null) return authorizeAdministrator(context, 'projects:read')
  for (const companyId of memberships.keys()) await authorize(context, 'projects:read', companyId)
}

/** NOT_FOUND also if `companyId` is given and is not the project's company. */
export async function getProject(context: Context, id: Id, companyId: Id | null): Promise<store.Project> {
  return requireOf(await authorizeProject(context, 'projects:read', id), companyId)
}

/** The records that a project refers to. Undefined leaves them as they are; attachments are added. */
export type ProjectTies = {
  assetIds?: readonly Id[]
  allocatedEmails?: readonly string[]
  accessEmails?: readonly string[]
  attachments?: readonly SentAttachment[]
}

type NewProject = ProjectChange & Pick<ProjectFields, 'typeId' | 'label' | 'goal' | 'scope' | 'startDate'>

export async function createProject(context: Context, companyId: Id, given: NewProject, ties: ProjectTies) {
  await authorize(context, 'projects:write', companyId)
  const read = readChange(given)
  const fields = changed(blankProject(given), read)
  const type = await requireType(context, fields.typeId)
  const tied = await readTies(context, companyId, read, ties)
  return transaction(context.db, async (trx) => {
    const project = await store.insertProject(trx, companyId, type.code, fields)
    await store.insertFirstStatus(trx, project, context.viewer.userId)
    await tie(trx, context, project, tied)
    await audit(trx, context, { companyId, object: `Project ${project.id}`, after: { ...project, ...shown(tied) } })
    return project
  })
}

export async function updateProject(
  context: Context,
  id: Id,
  companyId: Id | null,
  given: ProjectChange,
  ties: ProjectTies,
): Promise<store.Project> {
  const project = requireOf(await authorizeProject(context, 'projects:write', id), companyId)
  const change = readChange(given)
  if (change.typeId) await requireType(context, change.typeId)
  const tied = await readTies(context, project.companyId, change, ties)
  return transaction(context.db, async (trx) => {
    const [before] = await store.lockProjects(trx, project.companyId, [id])
    if (!before) throw notFound('Project', id)
    const after = await store.updateProject(trx, project.companyId, id, changed(before, change))
    await tie(trx, context, project, tied)
    const record = { object: `Project ${id}`, before, after: { ...after, ...shown(tied) } }
    await audit(trx, context, { companyId: project.companyId, ...record })
    return after
  })
}

type StatusInput = { status: store.ProjectStatus; reason: string | null }

export async function updateProjectStatus(context: Context, id: Id, input: StatusInput): Promise<store.Project> {
  const { companyId } = await authorizeProject(context, 'projects:write', id)
  const [project] = await changeStatuses(context, companyId, [id], input)
  if (!project) throw notFound('Project', id)
  return project
}

/** Changes all of them, or none if one is not the company's. */
export async function bulkUpdateProjectStatus(
  context: Context,
  companyId: Id,
  ids: readonly Id[],
  input: StatusInput,
): Promise<store.Project[]> {
  await authorize(context, 'projects:write', companyId)
  return changeStatuses(context, companyId, ids, input)
}

async function changeStatuses(context: Context, companyId: Id, ids: readonly Id[], { status, reason }: StatusInput) {
  readText(reason, 'input.reason', LONGEST_TEXT)
  return transaction(context.db, async (trx) => {
    const before = await lockEach(trx, companyId, ids)
    const change = { status, reason, userId: context.viewer.userId }
    const after = new Map((await store.updateStatuses(trx, companyId, ids, change)).map((found) => [found.id, found]))
    const records = before.map((project) => ({
      companyId,
      object: `Project ${project.id}`,
      before: { status: project.status, statusReason: project.statusReason },
      after: { status, statusReason: reason },
    }))
    await auditAll(trx, context, records)
    return ids.flatMap((id) => after.get(id) ?? [])
  })
}

/** Deletes all of them, or none if one is not the company's. Their assets and findings stay. */
export async function bulkDeleteProjects(context: Context, companyId: Id, ids: readonly Id[]) {
  await authorize(context, 'projects:write', companyId)
  return transaction(context.db, async (trx) => {
    const projects = await lockEach(trx, companyId, ids)
    await store.deleteProjects(trx, companyId, ids)
    const records = projects.map((before) => ({ companyId, object: `Project ${before.id}`, before }))
    await auditAll(trx, context, records)
    return projects
  })
}

export async function deleteProject(context: Context, id: Id, companyId: Id | null): Promise<store.Project> {
  const project = requireOf(await authorizeProject(context, 'projects:write', id), companyId)
  await bulkDeleteProjects(context, project.companyId, [id])
  return project
}

async function lockEach(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<store.Project[]> {
  const found = new Map((await store.lockProjects(trx, companyId, ids)).map((project) => [project.id, project]))
  return ids.map((id) => {
    const project = found.get(id)
    if (!project) throw notFound('Project', id)
    return project
  })
}

/** The project types of the installation, which all companies share. */
export const listProjectTypes = (context: Context, page: PageRequest, search: parts.ProjectTypeSearch) =>
  parts.listProjectTypes(context.db, page, search)

const statuses: readonly store.ProjectStatus[] = ['PLANNED', 'ANALYSIS', 'PAUSED', 'DONE', 'DISCONTINUED']

/** The statuses in the order of a project's life; a project starts with the first. */
export function listProjectStatuses(page: PageRequest) {
  const all = statuses.map((label, index) => ({ id: String(index + 1), label, isInitial: index === 0 }))
  const start = (page.page - 1) * page.limit
  return pageOf(page, all.slice(start, start + page.limit), all.length, ({ id }) => [id])
}

function requireOf(project: store.Project, companyId: Id | null): store.Project {
  if (companyId !== null && project.companyId !== companyId) throw notFound('Project', project.id)
  return project
}

async function requireType(context: Context, id: Id): Promise<parts.ProjectType> {
  const [type] = await parts.findProjectTypes(context.db, [id])
  if (!type) throw notFound('ProjectType', id)
  return type
}

type Tied = {
  assetIds: readonly Id[] | undefined
  allocated: readonly Id[] | undefined
  access: readonly Id[] | undefined
  attachments: readonly SentAttachment[]
}

/** Throws unless everything that the project refers to belongs to the company. */
async function readTies(context: Context, companyId: Id, change: ProjectChange, ties: ProjectTies): Promise<Tied> {
  const membersOf = async (emails: readonly string[] | undefined, argument: string) =>
    emails && (await membersByEmail(context, companyId, emails, argument)).map(({ id }) => id)
  await requireAssets(context, companyId, ties.assetIds ?? [])
  if (change.playbookIds?.length) await context.upward.requirePlaybooks(context, companyId, change.playbookIds)
  return {
    assetIds: ties.assetIds,
    allocated: await membersOf(ties.allocatedEmails, 'input.allocatedPortalUserEmails'),
    access: await membersOf(ties.accessEmails, 'input.accessPortalUserEmails'),
    attachments: ties.attachments ?? [],
  }
}

async function tie(trx: Trx, context: Context, { companyId, id }: store.Project, tied: Tied): Promise<void> {
  if (tied.assetIds) await parts.replaceAssets(trx, companyId, id, tied.assetIds)
  if (tied.allocated) await parts.replaceUsers(trx, companyId, id, 'ALLOCATED', tied.allocated)
  if (tied.access) await parts.replaceUsers(trx, companyId, id, 'ACCESS', tied.access)
  if (tied.attachments.length > 0)
    await context.upward.keepProjectAttachments(trx, context, { companyId, id }, tied.attachments)
}

const shown = ({ assetIds, allocated, access }: Tied) => ({ assetIds, allocated, access })
