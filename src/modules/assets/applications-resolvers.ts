// Applications as the API shows them.

import { type Id, parseId, parseIds } from '../../core/ids.ts'
import type {
  MutationAddApplicationAssetsArgs,
  MutationCreateApplicationArgs,
  MutationDeleteApplicationArgs,
  MutationRemoveApplicationAssetsArgs,
  MutationUpdateApplicationArgs,
  QueryApplicationArgs,
  QueryApplicationsArgs,
} from '../api.generated.ts'
import { loadCompanies } from '../companies/service.ts'
import { type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './applications.ts'
import { riskScore } from './risk-score.ts'
import { loadAssets, loadFigures } from './service.ts'

type Named = { id: string | number; companyId: string | number }

const idsOf = (input: Named): [companyId: Id, id: Id] => [
  parseId(input.companyId, 'input.companyId'),
  parseId(input.id, 'input.id'),
]

const changeOf = <T extends { assetIds?: number[] | null }>(input: T) => ({
  ...input,
  assetIds: input.assetIds && parseIds(input.assetIds, 'input.assetIds'),
})

const assetIdsOf = async ({ id }: service.Application, context: Context) =>
  (await load(context, service.loadAssetIds, id)) ?? []

export const applicationResolvers = {
  Query: {
    applications: (_: unknown, { companyId, search }: QueryApplicationsArgs, context: Context) =>
      service.listApplications(context, parseId(companyId, 'companyId'), search ?? null),
    application: (_: unknown, { id, companyId }: QueryApplicationArgs, context: Context) =>
      service.getApplication(context, parseId(companyId, 'companyId'), parseId(id, 'id')),
  },
  Mutation: {
    createApplication: async (_: unknown, { input }: MutationCreateApplicationArgs, context: Context) => ({
      application: await service.createApplication(
        context,
        parseId(input.companyId, 'input.companyId'),
        changeOf(input),
      ),
    }),
    updateApplication: async (_: unknown, { input }: MutationUpdateApplicationArgs, context: Context) => ({
      application: await service.updateApplication(context, ...idsOf(input), changeOf(input)),
    }),
    addApplicationAssets: async (_: unknown, { input }: MutationAddApplicationAssetsArgs, context: Context) => ({
      application: await service.addApplicationAssets(
        context,
        ...idsOf(input),
        parseIds(input.assetIds, 'input.assetIds'),
      ),
    }),
    removeApplicationAssets: async (_: unknown, { input }: MutationRemoveApplicationAssetsArgs, context: Context) => ({
      application: await service.removeApplicationAssets(
        context,
        ...idsOf(input),
        parseIds(input.assetIds, 'input.assetIds'),
      ),
    }),
    deleteApplication: async (_: unknown, { input }: MutationDeleteApplicationArgs, context: Context) => ({
      application: await service.deleteApplication(context, ...idsOf(input)),
    }),
  },
  Application: {
    company: (application: service.Application, _: unknown, context: Context) =>
      load(context, loadCompanies, application.companyId),
    assetsCount: async (application: service.Application, _: unknown, context: Context) =>
      (await assetIdsOf(application, context)).length,
    assets: async (application: service.Application, _: unknown, context: Context) => {
      const ids = await assetIdsOf(application, context)
      return (await Promise.all(ids.map((id) => load(context, loadAssets, id)))).filter((asset) => asset !== null)
    },
    riskScore: async (application: service.Application, _: unknown, context: Context) => {
      const ids = await assetIdsOf(application, context)
      const figures = await Promise.all(ids.map((id) => load(context, loadFigures, id)))
      return Math.max(0, ...figures.map((found) => riskScore(found?.counts ?? {})))
    },
  },
} satisfies Resolvers
