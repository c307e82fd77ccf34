// What tools report, as the API takes it.

import type { Resolvers } from '../types.ts'

export const findingResolvers = {} satisfies Resolvers
