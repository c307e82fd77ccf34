// What outside tools have to show, as the API shows it.

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

export const externalResolvers = {
  Query: {
    externalProjects: (_: unknown, args: QueryExternalProjectsArgs, context: Context) =>
      external.listProjects(
        context,
        parseId(args.companyId, 'companyId'),
        {
          integrationType: args.integrationType,
          integrationId: parseOptionalId(args.integrationId, 'integrationId'),
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
    boardsTrackerProjects: (_: unknown, { filters }: QueryBoardsTrackerProjectsArgs, context: Context) =>
      external.listBoardProjects(
        context,
        parseId(filters.companyId, 'filters.companyId'),
        filters.organizationName ?? null,
      ),
    boardsTrackerTeams: (_: unknown, args: QueryBoardsTrackerTeamsArgs, context: Context) =>
      external.listTeams(context, parseId(args.companyId, 'companyId'), String(args.trackerProjectId)),
    boardsTrackerBoards: (_: unknown, args: QueryBoardsTrackerBoardsArgs, context: Context) =>
      external.listBoards(
        context,
        parseId(args.companyId, 'companyId'),
        String(args.trackerProjectId),
        String(args.trackerTeamId),
      ),
    boardsTrackerStates: async (_: unknown, args: QueryBoardsTrackerStatesArgs, context: Context) => {
      const states = await external.listStates(context, parseId(args.companyId, 'companyId'), {
        projectId: String(args.trackerProjectId),
        teamId: String(args.trackerTeamId),
        boardId: String(args.trackerBoardId),
        workItemType: args.workItemType ?? null,
      })
      return states.map(({ status, color, type }) => ({ name: status, color, category: type }))
    },
    taskTrackerStatuses: (_: unknown, { companyId, listId }: QueryTaskTrackerStatusesArgs, context: Context) =>
      external.listStatuses(context, parseId(companyId, 'companyId'), String(listId)),
  },
}
