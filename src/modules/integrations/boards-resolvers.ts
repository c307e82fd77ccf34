// Configurations of boards and lists, to which findings are written, as the API shows them.

import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationCreateBoardsTrackerConfigurationArgs,
  MutationCreateTaskTrackerConfigurationArgs,
  MutationDeleteDefectTrackerConfigurationArgs,
  MutationUpdateDefectTrackerConfigurationArgs,
  QueryDefectTrackerConfigurationsArgs,
  QueryTaskTrackerConfigurationsArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import { callsOut } from '../types.ts'
import * as boards from './boards.ts'
import { loadIntegrations } from './service.ts'

const common = {
  asset: ({ assetId }: boards.TrackerConfiguration, _: unknown, context: Context) =>
    assetId === null ? null : load(context, loadAssets, assetId),
  integration: ({ integrationId }: boards.TrackerConfiguration, _: unknown, context: Context) =>
    load(context, loadIntegrations, integrationId),
}

export const boardsResolvers = {
  Query: {
    defectTrackerConfigurations: (
      _: unknown,
      { companyId, pagination }: QueryDefectTrackerConfigurationsArgs,
      context: Context,
    ) => boards.listConfigurations(context, parseId(companyId, 'companyId'), 'BOARDS', askedPage(context, pagination)),
    taskTrackerConfigurations: (
      _: unknown,
      { companyId, pagination }: QueryTaskTrackerConfigurationsArgs,
      context: Context,
    ) => boards.listConfigurations(context, parseId(companyId, 'companyId'), 'LISTS', askedPage(context, pagination)),
  },
  Mutation: {
    createBoardsTrackerConfiguration: callsOut(
      async (_: unknown, { input }: MutationCreateBoardsTrackerConfigurationArgs, context: Context) => ({
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
            createFrom: input.createFrom ?? null,
          },
        ),
      }),
    ),
    createTaskTrackerConfiguration: callsOut(
      async (_: unknown, { input }: MutationCreateTaskTrackerConfigurationArgs, context: Context) => ({
        taskTrackerConfiguration: await boards.createListConfiguration(
          context,
          parseId(input.integrationId, 'input.integrationId'),
          {
            assetId: parseOptionalId(input.assetId, 'input.assetId'),
            statusMappings: input.statusMappings,
            list: input.list,
            createFrom: input.createFrom ?? null,
          },
        ),
      }),
    ),
    updateDefectTrackerConfiguration: callsOut(
      async (_: unknown, { input }: MutationUpdateDefectTrackerConfigurationArgs, context: Context) => ({
        id: await boards.updateConfiguration(context, parseId(input.id, 'input.id'), input.statusMappings),
      }),
    ),
    deleteDefectTrackerConfiguration: async (
      _: unknown,
      { input }: MutationDeleteDefectTrackerConfigurationArgs,
      context: Context,
    ) => ({ id: await boards.deleteConfiguration(context, parseId(input.id, 'input.id')) }),
  },
  DefectTrackerConfiguration: {
    ...common,
    boardsTrackerDetail: (configuration: boards.TrackerConfiguration) => configuration,
  },
  TaskTrackerConfiguration: common,
}
