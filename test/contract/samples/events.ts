// Samples of events, webhooks, channels of notifications and jobs.

import type { Samples } from './types.ts'

const page = 'metadata { currentPage limitValue totalCount }'
const webhook = 'id url description kinds isEnabled failures createdAt'
const channel = 'id type name emails host rules { topic minimumSeverity when } digestHour isEnabled'
const delivery = 'id webhookId eventId kind objectId state attempts'

export const eventSamples = {
  events: {
    select: 'id cursor kind at companyId objectId data issue { id }',
    variables: () => ({ kinds: ['issue.*'], limit: 5 }),
    ids: { companyId: 'company' },
  },
  webhooks: {
    select: `collection { ${webhook} } ${page}`,
    ids: { companyId: 'company' },
    scope: 'integrations:manage',
  },
  webhookDeliveries: {
    select: `collection { ${delivery} } ${page}`,
    ids: { companyId: 'company' },
    optional: { webhookId: 'webhook' },
    scope: 'integrations:manage',
  },
  notificationChannels: {
    select: `collection { ${channel} } ${page}`,
    ids: { companyId: 'company' },
    scope: 'integrations:manage',
  },
  createWebhook: {
    select: `webhook { ${webhook} }`,
    variables: () => ({ input: { url: 'https://hooks.example.test/', kinds: ['integration.restored'] } }),
    ids: { 'input.companyId': 'company' },
  },
  updateWebhook: {
    select: `webhook { ${webhook} }`,
    variables: () => ({ input: { description: 'For the chat' } }),
    ids: { 'input.id': 'webhook' },
  },
  deleteWebhook: { select: 'id', ids: { 'input.id': 'webhook' }, consumes: ['input.id'] },
  rotateWebhookSecret: { select: 'webhook { id }', ids: { 'input.id': 'webhook' } },
  testWebhook: { select: 'delivery { webhookId kind }', ids: { 'input.id': 'webhook' } },
  replayWebhook: {
    select: 'queued',
    ids: { 'input.id': 'webhook', 'input.deliveryIds.0': 'delivery' },
  },
  createNotificationChannel: {
    select: `notificationChannel { ${channel} }`,
    variables: () => ({ input: { type: 'SLACK', name: 'Alerts', url: 'https://chat.example.test/', rules: [] } }),
    ids: { 'input.companyId': 'company' },
  },
  updateNotificationChannel: {
    select: `notificationChannel { ${channel} }`,
    variables: () => ({ input: { name: 'Security', rules: [{ topic: 'SLA_BROKEN' }] } }),
    ids: { 'input.id': 'channel' },
  },
  deleteNotificationChannel: { select: 'id', ids: { 'input.id': 'channel' }, consumes: ['input.id'] },
  testNotificationChannel: { select: 'failure', ids: { 'input.id': 'channel' } },
  jobs: {
    select: `collection { id task state attempts maxAttempts } ${page}`,
    variables: () => ({ states: ['WAITING'], task: 'a task of a test' }),
    administrator: true,
  },
  retryJob: { select: 'job { id state attempts }', ids: { 'input.id': 'job' }, administrator: true },
} satisfies Samples
