// The queries and mutations of the notifications page, and the words for its enums.

import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'

export const Channels = graphql(`
  query Channels($companyId: ID!, $after: String) {
    notificationChannels(companyId: $companyId, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        name
        type
        host
        emails
        isEnabled
        digestHour
        lastFailure
        lastSentAt
        rules { topic minimumSeverity when }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export const CreateChannel = graphql(`
  mutation CreateChannel($input: CreateNotificationChannelInput!) {
    createNotificationChannel(input: $input) { notificationChannel { id } }
  }
`)

export const UpdateChannel = graphql(`
  mutation UpdateChannel($input: UpdateNotificationChannelInput!) {
    updateNotificationChannel(input: $input) { notificationChannel { id } }
  }
`)

export const TestChannel = graphql(`
  mutation TestChannel($input: TestNotificationChannelInput!) {
    testNotificationChannel(input: $input) { failure }
  }
`)

export const DeleteChannel = graphql(`
  mutation DeleteChannel($input: DeleteNotificationChannelInput!) {
    deleteNotificationChannel(input: $input) { clientMutationId }
  }
`)

export type Channel = ResultOf<typeof Channels>['notificationChannels']['collection'][number]
export type ChannelRule = Channel['rules'][number]

type Topic = EnumOf<'NotificationTopic'>

export const topics = [
  'SLA_NEAR',
  'SLA_BROKEN',
  'KNOWN_EXPLOITED',
  'GATE_BLOCKED',
  'INTEGRATION_BROKEN',
] as const satisfies readonly Topic[]

export const topicWords: Record<Topic, string> = {
  SLA_NEAR: 'Findings due soon',
  SLA_BROKEN: 'Overdue findings',
  KNOWN_EXPLOITED: 'Newly known exploited findings',
  GATE_BLOCKED: 'Blocked deploys',
  INTEGRATION_BROKEN: 'Broken integrations',
}

/** Only topics about findings have a severity to filter by. */
export const hasSeverity = (topic: Topic): boolean => topic !== 'GATE_BLOCKED' && topic !== 'INTEGRATION_BROKEN'

export const kinds = ['EMAIL', 'SLACK', 'TEAMS'] as const satisfies readonly EnumOf<'NotificationChannelType'>[]

export const kindWords: Record<EnumOf<'NotificationChannelType'>, string> = {
  EMAIL: 'Email',
  SLACK: 'Slack',
  TEAMS: 'Teams',
}

/** An hour as a clock shows it. */
export const clock = (hour: number): string => `${hour}`.padStart(2, '0').concat(':00')
