// Decisions about every issue that a filter matches, as the API shows them.

import { parseId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type { MutationDecideOnIssuesArgs, QueryIssueDecisionArgs } from '../api.generated.ts'
import { type Context, load } from '../context.ts'
import { readFilters } from '../issues/service.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    issueDecision: (_: unknown, { id }: QueryIssueDecisionArgs, context: Context) =>
      service.getIssueDecision(context, parseId(id, 'id')),
  },
  Mutation: {
    decideOnIssues: async (_: unknown, { input }: MutationDecideOnIssuesArgs, context: Context) => ({
      issueDecision: await service.decideOnIssues(context, parseId(input.companyId, 'input.companyId'), {
        filters: readFilters(input.filters),
        status: input.status,
        reason: input.reason ?? null,
        riskAcceptedUntil: input.riskAcceptedUntil ?? null,
        leaveOthers: input.leaveOthers ?? false,
        expectedCount: input.expectedCount ?? null,
      }),
    }),
  },
  IssueDecision: {
    createdBy: ({ createdById }: service.Decision, _: unknown, context: Context) =>
      createdById === null ? null : load(context, loadUsers, createdById),
  },
} satisfies Resolvers
