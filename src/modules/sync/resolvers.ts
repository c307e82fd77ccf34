// Work items, the log of their synchronisation and what it would do, as the API shows them.

import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationCreateTrackerWebhookArgs,
  MutationCreateWorkItemArgs,
  MutationCreateWorkItemsArgs,
  MutationReplaySyncArgs,
  MutationSyncTrackerArgs,
  QueryPreviewSyncArgs,
  QuerySyncDeliveriesArgs,
  QueryWorkItemsArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadIntegrations } from '../integrations/service.ts'
import { loadIssues } from '../issues/service.ts'
import { callsOut, type Resolvers } from '../types.ts'
import * as service from './service.ts'

const integration = ({ integrationId }: { integrationId: string }, _: unknown, context: Context) =>
  load(context, loadIntegrations, integrationId)
const issue = ({ issueId }: { issueId: string }, _: unknown, context: Context) => load(context, loadIssues, issueId)

export const resolvers = {
  Query: {
    workItems: (_: unknown, args: QueryWorkItemsArgs, context: Context) =>
      service.listWorkItems(
        context,
        parseId(args.companyId, 'companyId'),
        {
          issueId: parseOptionalId(args.issueId, 'issueId'),
          integrationId: parseOptionalId(args.integrationId, 'integrationId'),
          states: args.states ?? null,
        },
        askedPage(context, args.pagination),
      ),
    syncDeliveries: (_: unknown, args: QuerySyncDeliveriesArgs, context: Context) =>
      service.listDeliveries(
        context,
        parseId(args.companyId, 'companyId'),
        {
          integrationId: parseOptionalId(args.integrationId, 'integrationId'),
          workItemId: parseOptionalId(args.workItemId, 'workItemId'),
          outcomes: args.outcomes ?? null,
          includeReads: args.includeReads ?? false,
        },
        askedPage(context, args.pagination),
      ),
    previewSync: (_: unknown, { configurationId, statusMappings }: QueryPreviewSyncArgs, context: Context) =>
      service.previewSync(context, parseId(configurationId, 'configurationId'), statusMappings ?? null),
  },
  Mutation: {
    createWorkItem: async (_: unknown, { input }: MutationCreateWorkItemArgs, context: Context) => ({
      workItem: await service.createWorkItem(
        context,
        parseId(input.issueId, 'input.issueId'),
        parseOptionalId(input.integrationId, 'input.integrationId'),
      ),
    }),
    createWorkItems: async (_: unknown, { input }: MutationCreateWorkItemsArgs, context: Context) => ({
      count: await service.createWorkItems(
        context,
        parseId(input.assetId, 'input.assetId'),
        parseOptionalId(input.integrationId, 'input.integrationId'),
        input.minimumSeverity ?? null,
      ),
    }),
    replaySync: async (_: unknown, { input }: MutationReplaySyncArgs, context: Context) => ({
      count: await service.replaySync(context, parseId(input.integrationId, 'input.integrationId'), input.since),
    }),
    createTrackerWebhook: callsOut((_: unknown, { input }: MutationCreateTrackerWebhookArgs, context: Context) =>
      service.createTrackerWebhook(context, parseId(input.integrationId, 'input.integrationId')),
    ),
    syncTracker: async (_: unknown, { input }: MutationSyncTrackerArgs, context: Context) => {
      await service.syncTracker(context, parseId(input.integrationId, 'input.integrationId'))
      return { success: true }
    },
  },
  WorkItem: { issue, integration },
  SyncDelivery: {
    integration,
    issue: ({ issueId }: service.SyncDelivery, _: unknown, context: Context) =>
      issueId === null ? null : load(context, loadIssues, issueId),
  },
  SyncStep: {
    issue,
    workItem: ({ workItemId }: service.PreviewStep, _: unknown, context: Context) =>
      workItemId === null ? null : load(context, service.loadWorkItems, workItemId),
  },
} satisfies Resolvers
