// Jobs as the API shows them.

import { parseId } from '../../core/ids.ts'
import type { MutationRetryJobArgs, QueryJobsArgs } from '../api.generated.ts'
import { askedPage, type Context } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    jobs: (_: unknown, { states, task, pagination }: QueryJobsArgs, context: Context) =>
      service.listJobs(context, states ?? null, task ?? null, askedPage(context, pagination)),
  },
  Mutation: {
    retryJob: async (_: unknown, { input }: MutationRetryJobArgs, context: Context) => ({
      job: await service.retryJob(context, parseId(input.id, 'input.id')),
    }),
  },
} satisfies Resolvers
