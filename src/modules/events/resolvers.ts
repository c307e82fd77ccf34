// Events, webhooks and notification channels as the API shows them.

import { parseId, parseIds } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import type {
  MutationCreateNotificationChannelArgs,
  MutationCreateWebhookArgs,
  MutationDeleteNotificationChannelArgs,
  MutationDeleteWebhookArgs,
  MutationReplayWebhookArgs,
  MutationRotateWebhookSecretArgs,
  MutationTestNotificationChannelArgs,
  MutationTestWebhookArgs,
  MutationUpdateNotificationChannelArgs,
  MutationUpdateWebhookArgs,
  QueryEventsArgs,
  QueryNotificationChannelsArgs,
  QueryWebhookDeliveriesArgs,
  QueryWebhooksArgs,
  SubscriptionIssueEventsArgs,
  UpdateNotificationChannelInput,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadIssues } from '../issues/service.ts'
import { callsOut, following, type Resolvers } from '../types.ts'
import type { Thing } from './kinds.ts'
import * as service from './service.ts'

type Channel = Parameters<typeof service.shownTarget>[1]
type Delivery = Awaited<ReturnType<typeof service.testWebhook>>

const givenChannel = (input: Omit<UpdateNotificationChannelInput, 'id'>) => ({
  name: input.name ?? null,
  emails: input.emails ?? null,
  url: input.url ?? null,
  rules:
    input.rules?.map(({ topic, minimumSeverity = 'HIGH', when = 'IMMEDIATELY' }) => ({
      topic,
      minimumSeverity,
      when,
    })) ?? null,
  digestHour: input.digestHour ?? null,
  isEnabled: input.isEnabled ?? null,
})

/** Permission is checked again for each event, for the viewer as of then. */
const follow = (thing: Thing) =>
  following(
    (_: unknown, { companyId, after }: SubscriptionIssueEventsArgs, context: Context) =>
      service.followEvents(context, thing, parseId(companyId, 'companyId'), after ?? null),
    async (event: service.Event, _: unknown, context: Context) => {
      await service.authorizeThing(context, thing, event.companyId)
      return event
    },
  )

export const resolvers = {
  Query: {
    events: (_: unknown, { companyId, after, kinds, since, limit }: QueryEventsArgs, context: Context) =>
      service.readEvents(context, parseId(companyId, 'companyId'), {
        after: after ?? null,
        kinds: kinds ?? null,
        since: since ?? null,
        limit: limit ?? 100,
      }),
    webhooks: (_: unknown, { companyId, pagination }: QueryWebhooksArgs, context: Context) =>
      service.listWebhooks(context, parseId(companyId, 'companyId'), askedPage(context, pagination)),
    webhookDeliveries: (_: unknown, args: QueryWebhookDeliveriesArgs, context: Context) =>
      service.listDeliveries(
        context,
        parseId(args.companyId, 'companyId'),
        args.webhookId == null ? null : parseId(args.webhookId, 'webhookId'),
        unlessEmpty(args.states),
        askedPage(context, args.pagination),
      ),
    notificationChannels: (_: unknown, { companyId, pagination }: QueryNotificationChannelsArgs, context: Context) =>
      service.listChannels(context, parseId(companyId, 'companyId'), askedPage(context, pagination)),
  },
  Mutation: {
    createWebhook: (_: unknown, { input }: MutationCreateWebhookArgs, context: Context) =>
      service.createWebhook(context, parseId(input.companyId, 'input.companyId'), {
        url: input.url,
        description: input.description ?? null,
        kinds: input.kinds ?? null,
        isEnabled: null,
      }),
    updateWebhook: async (_: unknown, { input }: MutationUpdateWebhookArgs, context: Context) => ({
      webhook: await service.updateWebhook(context, parseId(input.id, 'input.id'), {
        url: input.url ?? null,
        description: input.description ?? null,
        kinds: input.kinds ?? null,
        isEnabled: input.isEnabled ?? null,
      }),
    }),
    deleteWebhook: async (_: unknown, { input }: MutationDeleteWebhookArgs, context: Context) => ({
      id: await service.deleteWebhook(context, parseId(input.id, 'input.id')),
    }),
    rotateWebhookSecret: (_: unknown, { input }: MutationRotateWebhookSecretArgs, context: Context) =>
      service.rotateWebhookSecret(context, parseId(input.id, 'input.id'), input.overlapHours ?? 24),
    testWebhook: callsOut(async (_: unknown, { input }: MutationTestWebhookArgs, context: Context) => ({
      delivery: await service.testWebhook(context, parseId(input.id, 'input.id')),
    })),
    replayWebhook: async (_: unknown, { input }: MutationReplayWebhookArgs, context: Context) => ({
      queued: await service.replayWebhook(context, parseId(input.id, 'input.id'), {
        since: input.since ?? null,
        deliveryIds: input.deliveryIds == null ? null : parseIds(input.deliveryIds, 'input.deliveryIds'),
      }),
    }),
    createNotificationChannel: async (
      _: unknown,
      { input }: MutationCreateNotificationChannelArgs,
      context: Context,
    ) => ({
      notificationChannel: await service.createChannel(
        context,
        parseId(input.companyId, 'input.companyId'),
        input.type,
        givenChannel(input),
      ),
    }),
    updateNotificationChannel: async (
      _: unknown,
      { input }: MutationUpdateNotificationChannelArgs,
      context: Context,
    ) => ({
      notificationChannel: await service.updateChannel(context, parseId(input.id, 'input.id'), givenChannel(input)),
    }),
    deleteNotificationChannel: async (
      _: unknown,
      { input }: MutationDeleteNotificationChannelArgs,
      context: Context,
    ) => ({ id: await service.deleteChannel(context, parseId(input.id, 'input.id')) }),
    testNotificationChannel: callsOut(
      async (_: unknown, { input }: MutationTestNotificationChannelArgs, context: Context) => ({
        failure: await service.testChannel(context, parseId(input.id, 'input.id')),
      }),
    ),
  },
  Subscription: {
    issueEvents: follow('issue'),
    deployEvents: follow('deploy'),
    importEvents: follow('import'),
    scanEvents: follow('scan'),
    deliveryEvents: follow('delivery'),
  },
  Event: {
    id: ({ sequence }: service.Event) => `evt_${sequence}`,
    cursor: (event: service.Event) => service.cursorOf(event),
    issue: ({ kind, objectId }: service.Event, _: unknown, context: Context) =>
      kind.startsWith('issue.') ? load(context, loadIssues, objectId) : null,
  },
  WebhookDelivery: {
    eventId: ({ id, sequence }: Delivery) => (sequence === 0 ? `test_${id}` : `evt_${sequence}`),
  },
  NotificationChannel: {
    emails: async (channel: Channel, _: unknown, context: Context) =>
      (await service.shownTarget(context, channel)).emails,
    host: async (channel: Channel, _: unknown, context: Context) => (await service.shownTarget(context, channel)).host,
  },
} satisfies Resolvers
