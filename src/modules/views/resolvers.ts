// Saved views as the API shows them.

import { parseId } from '../../core/ids.ts'
import type { MutationDeleteSavedViewArgs, MutationSaveViewArgs, QuerySavedViewsArgs } from '../api.generated.ts'
import type { Context } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    savedViews: (_: unknown, { companyId }: QuerySavedViewsArgs, context: Context) =>
      service.listViews(context, parseId(companyId, 'companyId')),
  },
  Mutation: {
    saveView: async (_: unknown, { input }: MutationSaveViewArgs, context: Context) => ({
      savedView: await service.saveView(context, parseId(input.companyId, 'input.companyId'), input),
    }),
    deleteSavedView: async (_: unknown, { input }: MutationDeleteSavedViewArgs, context: Context) => ({
      id: await service.deleteView(context, parseId(input.id, 'input.id')),
    }),
  },
} satisfies Resolvers
