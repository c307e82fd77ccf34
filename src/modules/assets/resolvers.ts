// Assets as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import type {
  AssetsSearch,
  CreateAssetInput,
  MutationCreateAssetArgs,
  MutationDeleteAssetArgs,
  MutationImportAssetToIntegrationArgs,
  MutationUpdateAssetArgs,
  QueryAssetArgs,
  QueryAssetsArgs,
  UpdateAssetInput,
} from '../api.generated.ts'
import { loadCompanies } from '../companies/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { applicationResolvers } from './applications-resolvers.ts'
import { importAssets } from './imported.ts'
import { pointsOf, riskScore, severities } from './risk-score.ts'
import * as service from './service.ts'

const searchOf = (search: AssetsSearch | null | undefined): service.AssetSearch => ({
  ...search,
  ids: unlessEmpty(parseIds(search?.ids ?? [], 'search.ids')),
  applicationId: parseOptionalId(search?.applicationId, 'search.applicationId'),
  projectId: parseOptionalId(search?.projectId, 'search.projectId'),
})

const orderOf = (search: AssetsSearch | null | undefined): service.AssetOrder | null =>
  search?.sortBy || search?.order === 'ASC'
    ? { by: search.sortBy ?? 'id', direction: search.order === 'DESC' ? 'desc' : 'asc' }
    : null

const changeOf = (input: CreateAssetInput | UpdateAssetInput) => ({
  ...input,
  technologies: input.tecnologyList,
  isSaidCompromised: input.environmentCompromised,
  integrationIds: input.integrationIds && parseIds(input.integrationIds, 'input.integrationIds'),
})

const linksOf = ({ projectIds }: CreateAssetInput | UpdateAssetInput) => ({
  projectIds: projectIds === undefined ? undefined : parseIds(projectIds ?? [], 'input.projectIds'),
})

export const resolvers = {
  Query: {
    ...applicationResolvers.Query,
    assets: (_: unknown, { companyId, search, ...page }: QueryAssetsArgs, context: Context) =>
      service.listAssets(
        context,
        parseId(companyId, 'companyId'),
        askedPage(context, page),
        searchOf(search),
        orderOf(search),
      ),
    asset: (_: unknown, { id }: QueryAssetArgs, context: Context) => service.getAsset(context, parseId(id, 'id')),
  },
  Mutation: {
    ...applicationResolvers.Mutation,
    createAsset: async (_: unknown, { input }: MutationCreateAssetArgs, context: Context) => ({
      asset: await service.createAsset(
        context,
        parseId(input.companyId, 'input.companyId'),
        { ...changeOf(input), name: input.name },
        linksOf(input),
      ),
    }),
    importAssetToIntegration: async (_: unknown, { input }: MutationImportAssetToIntegrationArgs, context: Context) => {
      const done = await importAssets(context, parseId(input.companyId, 'input.companyId'), input.projects)
      return { ...done, success: done.errors.length === 0 }
    },
    updateAsset: async (_: unknown, { input }: MutationUpdateAssetArgs, context: Context) => ({
      asset: await service.updateAsset(
        context,
        parseId(input.id, 'input.id'),
        parseId(input.companyId, 'input.companyId'),
        changeOf(input),
        linksOf(input),
      ),
    }),
    deleteAsset: async (_: unknown, { input }: MutationDeleteAssetArgs, context: Context) => {
      const id = parseId(input.id, 'input.id')
      const companyId = await service.deleteAsset(context, id, parseOptionalId(input.companyId, 'input.companyId'))
      return { asset: await service.listAssets(context, companyId, askedPage(context, {}), {}, null) }
    },
  },
  Asset: {
    company: (asset: service.Asset, _: unknown, context: Context) => load(context, loadCompanies, asset.companyId),
    environment: ({ environmentList }: service.Asset) =>
      environmentList.length === 0 ? null : environmentList.join(', '),
    tags: ({ assetsTagList }: service.Asset) => assetsTagList.map((name) => ({ name })),
    environmentCompromised: async (asset: service.Asset, _: unknown, context: Context) =>
      asset.isSaidCompromised || (await load(context, service.loadFigures, asset.id))?.isCompromised === true,
    integrations: async (asset: service.Asset, _: unknown, context: Context) => {
      const types = await Promise.all(
        asset.integrationIds.map((id) => load(context, context.upward.loadIntegrationTypes, id)),
      )
      return [...new Set(types.filter((type) => type !== null))]
    },
    riskScore: async (asset: service.Asset, _: unknown, context: Context) => {
      const counts = (await load(context, service.loadFigures, asset.id))?.counts ?? {}
      return { current: { value: riskScore(counts), points: pointsOf(counts) } }
    },
    pendingVulnerabilitiesStats: async (asset: service.Asset, _: unknown, context: Context) => {
      const counts = (await load(context, service.loadFigures, asset.id))?.counts ?? {}
      return severities.map((severity) => ({ value: severity, count: counts[severity] ?? 0 }))
    },
  },
  Application: applicationResolvers.Application,
} satisfies Resolvers
