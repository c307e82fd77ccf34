// Lists of outside tools (projects, workspaces, groups, statuses), read through a company's integration.

import type { ExternalProject, Named } from '../../connectors/session.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { authorize } from '../access/service.ts'
import type { ExternalProjectFiltersInput, ToolTypeCategory } from '../api.generated.ts'
import type { Context } from '../context.ts'
import type { Connection } from './connection.ts'
import { authorizeOfType, openConnection, requireOne } from './connections.ts'
import { type IntegrationType, isIntegrationType } from './kinds.ts'
import * as store from './store.ts'
import { vendor, type Workspace } from './vendor.ts'
import { nowhere, type TaskStatus } from './vendor-trackers.ts'

/** Whose integration is asked; null: the only one of its type. */
type Whose = { companyId: Id; integrationId: Id | null }

type ProjectsAsked = {
  integrationType: ToolTypeCategory
  filterName: string | null
  filters: ExternalProjectFiltersInput
}

export async function listProjects(
  context: Context,
  whose: Whose,
  asked: ProjectsAsked,
  page: PageRequest,
): Promise<Page<ExternalProject>> {
  await authorize(context, 'integrations:read', whose.companyId)
  const { integrationType, filters } = asked
  if (!isIntegrationType(integrationType)) {
    throw badUserInput(`${integrationType} is the platform itself and has no projects outside`, 'integrationType')
  }
  requireOwnFilter(integrationType, filters)
  requirePages(page)
  const filterName = readText(asked.filterName, 'filterName', 500)
  const connection = await connect(context, whose, integrationType)
  const query = { filterName, page, workspaceId: filters.hostA?.workspaceId, groupId: filters.hostB?.groupId }
  return vendor(context).listProjects(connection, {
    ...query,
    workspaceId: query.workspaceId ?? null,
    groupId: query.groupId ?? null,
  })
}

function requireOwnFilter(type: IntegrationType, { hostA, hostB }: ExternalProjectFiltersInput): void {
  if (hostA && type !== 'HOST_A') throw badUserInput(`filters.hostA is for HOST_A, not for ${type}`, 'filters.hostA')
  if (hostB && type !== 'HOST_B') throw badUserInput(`filters.hostB is for HOST_B, not for ${type}`, 'filters.hostB')
}

function requirePages({ after }: PageRequest): void {
  if (after !== null)
    throw badUserInput('Lists of outside tools are paged by number; leave out after', 'pagination.after')
}

export async function listWorkspaces(
  context: Context,
  integrationId: Id,
  search: string | null,
  page: PageRequest,
): Promise<Workspace[]> {
  const integration = await authorizeOfType(context, 'integrations:read', 'HOST_A', integrationId)
  requirePages(page)
  const query = { search: readText(search, 'filters.search', 500), page }
  return vendor(context).listWorkspaces(await openConnection(context, integration), query)
}

export async function listGroups(
  context: Context,
  integrationId: Id,
  search: string | null,
  page: PageRequest,
): Promise<Named[]> {
  const integration = await authorizeOfType(context, 'integrations:read', 'HOST_B', integrationId)
  requirePages(page)
  const query = { search: readText(search, 'filters.search', 500), page }
  return vendor(context).listGroups(await openConnection(context, integration), query)
}

export async function listBoardProjects(
  context: Context,
  whose: Whose,
  organizationName: string | null,
): Promise<Named[]> {
  await authorize(context, 'integrations:read', whose.companyId)
  readText(organizationName, 'filters.organizationName', 255)
  const connection = await connect(context, whose, 'BOARDS_TRACKER')
  return vendor(context).listBoardProjects(connection, organizationName ?? connection.settings.organizationName)
}

/** Teams of a project, for who makes a configuration; ids are the vendor's. */
export async function listTeams(context: Context, whose: Whose, projectId: string): Promise<Named[]> {
  await authorize(context, 'integrations:read', whose.companyId)
  const asked = readName(projectId, 'trackerProjectId', 200)
  return vendor(context).listTeams(await connect(context, whose, 'BOARDS_TRACKER'), asked)
}

export async function listBoards(context: Context, whose: Whose, projectId: string, teamId: string): Promise<Named[]> {
  await authorize(context, 'integrations:read', whose.companyId)
  const asked = [readName(projectId, 'trackerProjectId', 200), readName(teamId, 'trackerTeamId', 200)] as const
  return vendor(context).listBoards(await connect(context, whose, 'BOARDS_TRACKER'), ...asked)
}

export async function listStatuses(context: Context, whose: Whose, listId: string): Promise<TaskStatus[]> {
  await authorize(context, 'integrations:read', whose.companyId)
  if (!/^[\w-]{1,100}$/.test(listId)) throw badUserInput('listId is the id of a list', 'listId')
  return vendor(context).listStatuses(await connect(context, whose, 'TASK_TRACKER'), { ...nowhere, listId })
}

/** Ids as the tracker has them. */
type BoardAsked = { projectId: string; teamId: string; boardId: string; workItemType: string | null }

/** The states of a board's cards, for who makes a configuration. */
export async function listStates(context: Context, whose: Whose, asked: BoardAsked): Promise<TaskStatus[]> {
  await authorize(context, 'integrations:read', whose.companyId)
  const named = (id: string, argument: string): Named => {
    const read = readName(id, argument, 200)
    return { id: read, name: read }
  }
  const place = {
    ...nowhere,
    project: named(asked.projectId, 'trackerProjectId'),
    team: named(asked.teamId, 'trackerTeamId'),
    board: named(asked.boardId, 'trackerBoardId'),
    workItemType: readText(asked.workItemType || null, 'workItemType', 200),
  }
  return vendor(context).listStatuses(await connect(context, whose, 'BOARDS_TRACKER'), place)
}

/** The integration that is meant: FAILED_PRECONDITION without one, BAD_USER_INPUT when there are several and none is named. */
async function connect(
  context: Context,
  { companyId, integrationId }: Whose,
  type: IntegrationType,
): Promise<Connection> {
  if (integrationId !== null) {
    const named = await store.findCompanyIntegration(context.db, companyId, integrationId)
    if (named?.integrationType !== type) throw notFound('Integration', integrationId)
    return openConnection(context, named)
  }
  const only = requireOne(await store.findOfType(context.db, companyId, type, 2), type, 'integrationId')
  if (!only) throw failedPrecondition(`The company has no integration of ${type}`)
  return openConnection(context, only)
}
