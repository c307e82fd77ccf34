// Lists of outside tools (projects, workspaces, groups, statuses) as the API shows them.

import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  QueryBoardsTrackerBoardsArgs,
  QueryBoardsTrackerProjectsArgs,
  QueryBoardsTrackerStatesArgs,
  QueryBoardsTrackerTeamsArgs,
  QueryExternalProjectsArgs,
  QueryHostAWorkspacesArgs,
  QueryHostBGroupsArgs,
  QueryTaskTrackerStatusesArgs,
} from '../api.generated.ts'
import { askedPage, type Context } from '../context.ts'
import * as external from './external.ts'

const whose = (companyId: string, integrationId: string | null | undefined, companyArgument = 'companyId') => ({
  companyId: parseId(companyId, companyArgument),
  integrationId: parseOptionalId(integrationId, 'integrationId'),
})

export const externalResolvers = {
  Query: {
    externalProjects: (_: unknown, args: QueryExternalProjectsArgs, context: Context) =>
      external.listProjects(
        context,
        whose(args.companyId, args.integrationId),
        {
          integrationType: args.integrationType,
          filterName: args.filterName ?? null,
          filters: args.filters ?? {},
        },
        askedPage(context, args.pagination),
      ),
    hostAWorkspaces: (_: unknown, { integrationId, filters, pagination }: QueryHostAWorkspacesArgs, context: Context) =>
      external.listWorkspaces(
        context,
        parseId(integrationId, 'integrationId'),
        filters?.search ?? null,
        askedPage(context, pagination),
      ),
    hostBGroups: (_: unknown, { integrationId, filters, pagination }: QueryHostBGroupsArgs, context: Context) =>
      external.listGroups(
        context,
        parseId(integrationId, 'integrationId'),
        filters?.search ?? null,
        askedPage(context, pagination),
      ),
    boardsTrackerProjects: (_: unknown, { filters, integrationId }: QueryBoardsTrackerProjectsArgs, context: Context) =>
      external.listBoardProjects(
        context,
        whose(filters.companyId, integrationId, 'filters.companyId'),
        filters.organizationName ?? null,
      ),
    boardsTrackerTeams: (_: unknown, args: QueryBoardsTrackerTeamsArgs, context: Context) =>
      external.listTeams(context, whose(args.companyId, args.integrationId), String(args.trackerProjectId)),
    boardsTrackerBoards: (_: unknown, args: QueryBoardsTrackerBoardsArgs, context: Context) =>
      external.listBoards(
        context,
        whose(args.companyId, args.integrationId),
        String(args.trackerProjectId),
        String(args.trackerTeamId),
      ),
    boardsTrackerStates: async (_: unknown, args: QueryBoardsTrackerStatesArgs, context: Context) => {
      const states = await external.listStates(context, whose(args.companyId, args.integrationId), {
        projectId: String(args.trackerProjectId),
        teamId: String(args.trackerTeamId),
        boardId: String(args.trackerBoardId),
        workItemType: args.workItemType ?? null,
      })
      return states.map(({ status, color, type }) => ({ name: status, color, category: type }))
    },
    taskTrackerStatuses: (_: unknown, args: QueryTaskTrackerStatusesArgs, context: Context) =>
      external.listStatuses(context, whose(args.companyId, args.integrationId), String(args.listId)),
  },
}
