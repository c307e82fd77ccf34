// Boards that findings are written to, as the API shows them.

import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationCreateBoardsTrackerConfigurationArgs,
  MutationDeleteDefectTrackerConfigurationArgs,
  QueryDefectTrackerConfigurationsArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import * as boards from './boards.ts'
import { loadIntegrations } from './service.ts'

export const boardsResolvers = {
  Query: {
    defectTrackerConfigurations: (
      _: unknown,
      { companyId, pagination }: QueryDefectTrackerConfigurationsArgs,
      context: Context,
    ) => boards.listConfigurations(context, parseId(companyId, 'companyId'), askedPage(context, pagination)),
  },
  Mutation: {
    createBoardsTrackerConfiguration: async (
      _: unknown,
      { input }: MutationCreateBoardsTrackerConfigurationArgs,
      context: Context,
    ) => ({
      defectTrackerConfiguration: await boards.createConfiguration(
        context,
        parseId(input.scopeIntegrationId, 'input.scopeIntegrationId'),
        {
          assetId: parseOptionalId(input.assetId, 'input.assetId'),
          statusMappings: input.statusMappings,
          fieldMappings: input.fieldMappings ?? [],
          project: input.project,
          board: input.board,
          team: input.team,
          workItemType: input.workItemType ?? null,
          lane: input.lane ?? null,
        },
      ),
    }),
    deleteDefectTrackerConfiguration: async (
      _: unknown,
      { input }: MutationDeleteDefectTrackerConfigurationArgs,
      context: Context,
    ) => ({ id: await boards.deleteConfiguration(context, parseId(input.id, 'input.id')) }),
  },
  DefectTrackerConfiguration: {
    asset: ({ assetId }: boards.BoardsConfiguration, _: unknown, context: Context) =>
      assetId === null ? null : load(context, loadAssets, assetId),
    boardsTrackerDetail: (configuration: boards.BoardsConfiguration) => configuration,
    integration: ({ integrationId }: boards.BoardsConfiguration, _: unknown, context: Context) =>
      load(context, loadIntegrations, integrationId),
  },
}
