// The queries and mutations of the webhooks page.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Webhooks = graphql(`
  query Webhooks($companyId: ID!, $after: String) {
    webhooks(companyId: $companyId, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        url
        description
        kinds
        isEnabled
        disabledReason
        failures
        heldUntil
        previousSecretUntil
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export const Deliveries = graphql(`
  query Deliveries($companyId: ID!, $states: [WebhookDeliveryState!], $after: String) {
    webhookDeliveries(companyId: $companyId, states: $states, pagination: { perPage: 50, after: $after }) {
      collection {
        id
        webhookId
        kind
        state
        attempts
        responseStatus
        failure
        createdAt
        nextAttemptAt
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export const CreateWebhook = graphql(`
  mutation CreateWebhookHere($input: CreateWebhookInput!) {
    createWebhook(input: $input) { secret webhook { id } }
  }
`)

export const TestWebhook = graphql(`
  mutation TestWebhookHere($input: TestWebhookInput!) {
    testWebhook(input: $input) { delivery { id state responseStatus failure } }
  }
`)

export const UpdateWebhook = graphql(`
  mutation UpdateWebhookHere($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) { webhook { id } }
  }
`)

export const RotateSecret = graphql(`
  mutation RotateSecret($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) { secret webhook { id previousSecretUntil } }
  }
`)

export const DeleteWebhook = graphql(`
  mutation DeleteWebhookHere($input: DeleteWebhookInput!) {
    deleteWebhook(input: $input) { clientMutationId }
  }
`)

export const Replay = graphql(`
  mutation Replay($input: ReplayWebhookInput!) {
    replayWebhook(input: $input) { clientMutationId }
  }
`)

export type Webhook = ResultOf<typeof Webhooks>['webhooks']['collection'][number]
export type Delivery = ResultOf<typeof Deliveries>['webhookDeliveries']['collection'][number]
