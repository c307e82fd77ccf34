// Reviews of deploys as the API shows them.

import { parseId } from '../../core/ids.ts'
import type { MutationSetDeployReviewArgs, QueryDeployReviewSettingsArgs } from '../api.generated.ts'
import { type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

/** The most notes shown. */
const SHOWN = 100

export const resolvers = {
  Query: {
    deployReviewSettings: (_: unknown, { companyId }: QueryDeployReviewSettingsArgs, context: Context) =>
      service.listSettings(context, parseId(companyId, 'companyId')),
  },
  Mutation: {
    setDeployReview: async (_: unknown, { input }: MutationSetDeployReviewArgs, context: Context) => ({
      deployReviewSettings: await service.setReview(
        context,
        parseId(input.companyId, 'input.companyId'),
        input.assetId == null ? null : parseId(input.assetId, 'input.assetId'),
        input.isOn ?? null,
      ),
    }),
  },
  Deploy: {
    sensitiveChanges: async ({ id }: { id: string }, _: unknown, context: Context) => {
      const review = await load(context, service.loadReviews, id)
      return (review?.notes ?? []).filter(({ kind }) => kind === 'SENSITIVE').slice(0, SHOWN)
    },
    review: ({ id }: { id: string }, _: unknown, context: Context) => load(context, service.loadReviews, id),
  },
  DeployReview: {
    unread: ({ notes }: service.Review) => notes.filter(({ kind }) => kind === 'UNREAD').slice(0, SHOWN),
  },
} satisfies Resolvers
