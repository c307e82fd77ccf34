// Combines the resolvers of issues: what people do with them, what tools report, and how findings are merged and split.

import type { Resolvers } from '../types.ts'
import { findingResolvers } from './finding-resolvers.ts'
import { identityResolvers } from './identity-resolvers.ts'
import { resolvers } from './resolvers.ts'

function merged(...parts: readonly Resolvers[]): Resolvers {
  const all: Resolvers = {}
  for (const part of parts) {
    for (const [type, fields] of Object.entries(part)) all[type] = { ...all[type], ...fields }
  }
  return all
}

export const issueResolvers = merged(resolvers, findingResolvers, identityResolvers)
