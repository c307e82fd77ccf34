// Links between assets and projects of outside tools, as the API shows them.

import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationAssociateProjectArgs,
  MutationDissociateProjectArgs,
  QueryAssociatedProjectsArgs,
  SourceWatch,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadIntegrations } from '../integrations/service.ts'
import { callsOut, type Resolvers } from '../types.ts'
import * as service from './service.ts'

type Association = service.Association

const hookOf = (association: Association, context: Context) =>
  association.isSource ? load(context, service.loadHooks, service.hookKey(association)) : null

export const resolvers = {
  Query: {
    associatedProjects: (_: unknown, args: QueryAssociatedProjectsArgs, context: Context) =>
      service.listAssociations(
        context,
        parseId(args.companyId, 'companyId'),
        {
          assetId: parseOptionalId(args.assetId, 'assetId'),
          integrationId: parseOptionalId(args.integrationId, 'integrationId'),
        },
        askedPage(context, args.pagination),
      ),
  },
  Mutation: {
    associateProject: callsOut(async (_: unknown, { input }: MutationAssociateProjectArgs, context: Context) => {
      const { association, byHand } = await service.associateProject(context, {
        assetId: parseId(input.assetId, 'input.assetId'),
        integrationId: parseId(input.integrationId, 'input.integrationId'),
        externalProjectId: input.externalProjectId,
        name: input.name ?? null,
      })
      return { associatedProject: association, webhook: byHand }
    }),
    dissociateProject: async (_: unknown, { input }: MutationDissociateProjectArgs, context: Context) => ({
      id: await service.dissociateProject(context, parseId(input.id, 'input.id')),
    }),
  },
  AssociatedProject: {
    asset: ({ assetId }: Association, _: unknown, context: Context) => load(context, loadAssets, assetId),
    integration: ({ integrationId }: Association, _: unknown, context: Context) =>
      load(context, loadIntegrations, integrationId),
    watch: async (association: Association, _: unknown, context: Context): Promise<SourceWatch> => {
      const integration = await load(context, loadIntegrations, association.integrationId)
      if (!association.isSource || !integration?.settings.astScansEnabled) return 'NONE'
      const hook = await hookOf(association, context)
      return hook && (hook.vendorId !== null || hook.lastDeliveryAt !== null) ? 'HOOK' : 'POLL'
    },
    lastDeliveryAt: async (association: Association, _: unknown, context: Context) =>
      (await hookOf(association, context))?.lastDeliveryAt ?? null,
  },
} satisfies Resolvers
