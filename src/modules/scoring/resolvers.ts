// Priorities, due dates and their policies as the API shows them.

import { parseId } from '../../core/ids.ts'
import type {
  MutationImportExploitationDataArgs,
  MutationSetSlaPolicyArgs,
  QuerySlaPolicyArgs,
} from '../api.generated.ts'
import type { Context } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

type Issue = Parameters<typeof service.priorityOfIssue>[1]

/** Fields of every type of issue. */
const worth = {
  sla: (issue: Issue, _: unknown, context: Context) => service.slaOfIssue(context, issue),
  priority: (issue: Issue, _: unknown, context: Context) => service.priorityOfIssue(context, issue),
  exploitation: (issue: Issue, _: unknown, context: Context) => service.exploitationOfIssue(context, issue),
}

export const resolvers = {
  Query: {
    slaPolicy: (_: unknown, { companyId }: QuerySlaPolicyArgs, context: Context) =>
      service.getSlaPolicy(context, parseId(companyId, 'companyId')),
    exploitationFeeds: (_: unknown, __: unknown, context: Context) => service.listExploitationFeeds(context),
  },
  Mutation: {
    setSlaPolicy: async (_: unknown, { input }: MutationSetSlaPolicyArgs, context: Context) => {
      const rules = input.rules.map(({ days = null, ...rule }) => ({ ...rule, days }))
      return { slaPolicy: await service.setSlaPolicy(context, parseId(input.companyId, 'input.companyId'), rules) }
    },
    importExploitationData: async (_: unknown, { input }: MutationImportExploitationDataArgs, context: Context) => ({
      feeds: await service.importExploitationData(context, input),
    }),
  },
  SastFinding: worth,
  ScaFinding: worth,
  DastFinding: worth,
  IacFinding: worth,
  SecretFinding: worth,
  ContainerFinding: worth,
  MastFinding: worth,
  NetworkVulnerability: worth,
  SourceCodeVulnerability: worth,
  WebVulnerability: worth,
} satisfies Resolvers
