// Assets as the API shows them.

import { pageRequest } from '../../core/db/page.ts'
import { parseId, parseOptionalId } from '../../core/ids.ts'
import type { CreateAssetInput, MutationCreateAssetArgs, QueryAssetArgs, QueryAssetsArgs } from '../api.generated.ts'
import { loadCompanies } from '../companies/service.ts'
import { type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

const changeOf = (input: CreateAssetInput) => ({
  ...input,
  technologies: input.tecnologyList,
})

export const resolvers = {
  Query: {
    assets: (_: unknown, { companyId, search, ...page }: QueryAssetsArgs, context: Context) =>
      service.listAssets(context, parseId(companyId, 'companyId'), pageRequest(page, context.config.limits.pageSize), {
        ...search,
        applicationId: parseOptionalId(search?.applicationId, 'search.applicationId'),
        projectId: parseOptionalId(search?.projectId, 'search.projectId'),
      }),
    asset: (_: unknown, { id }: QueryAssetArgs, context: Context) => service.getAsset(context, parseId(id, 'id')),
  },
  Mutation: {
    createAsset: async (_: unknown, { input }: MutationCreateAssetArgs, context: Context) => ({
      asset: await service.createAsset(context, parseId(input.companyId, 'input.companyId'), changeOf(input)),
    }),
  },
  Asset: {
    company: (asset: service.Asset, _: unknown, context: Context) => load(context, loadCompanies, asset.companyId),
    environment: ({ environmentList }: service.Asset) =>
      environmentList.length === 0 ? null : environmentList.join(', '),
    tags: ({ assetsTagList }: service.Asset) => assetsTagList.map((name) => ({ name })),
  },
} satisfies Resolvers
