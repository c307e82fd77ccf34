// The limits as the API shows them.

import type { Context } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { getLimits } from './service.ts'

export const resolvers = {
  Query: {
    limits: (_: unknown, __: unknown, context: Context) => getLimits(context),
  },
} satisfies Resolvers
