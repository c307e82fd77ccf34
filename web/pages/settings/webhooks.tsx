// What the company sends out when something happens, with every delivery and the way to send it again.

import { useMemo, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { orSay, say } from '../../frame/toasts.tsx'
import type { Column } from '../../table/data-table.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { wordsOf } from '../../util/words.ts'
import styles from './settings.module.css'

const Webhooks = graphql(`
  query Webhooks($companyId: ID!, $after: String) {
    webhooks(companyId: $companyId, pagination: { perPage: 50, after: $after }) {
      collection { id url description kinds isEnabled disabledReason failures createdAt }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

const Deliveries = graphql(`
  query Deliveries($companyId: ID!, $after: String) {
    webhookDeliveries(companyId: $companyId, pagination: { perPage: 50, after: $after }) {
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

const CreateWebhook = graphql(`
  mutation CreateWebhookHere($input: CreateWebhookInput!) {
    createWebhook(input: $input) { secret webhook { id } }
  }
`)

const TestWebhook = graphql(`
  mutation TestWebhookHere($input: TestWebhookInput!) {
    testWebhook(input: $input) { clientMutationId }
  }
`)

const DeleteWebhook = graphql(`
  mutation DeleteWebhookHere($input: DeleteWebhookInput!) {
    deleteWebhook(input: $input) { clientMutationId }
  }
`)

const Replay = graphql(`
  mutation Replay($input: ReplayWebhookInput!) {
    replayWebhook(input: $input) { clientMutationId }
  }
`)

type Webhook = ResultOf<typeof Webhooks>['webhooks']['collection'][number]
type Delivery = ResultOf<typeof Deliveries>['webhookDeliveries']['collection'][number]

const tones: Record<EnumOf<'WebhookDeliveryState'>, Standing> = {
  PENDING: 'waiting',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
}

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'webhooks:read')
  if (mayNot !== undefined) {
    return (
      <Page title="Webhooks">
        <Empty title={mayNot} />
      </Page>
    )
  }
  return <Shown companyId={companyId} />
}

function Shown({ companyId }: { companyId: string }) {
  const change = useChange()
  const webhooks = useList(Webhooks, { companyId }, ({ webhooks: found }) => found)
  const [open, setOpen] = useState<{ what: 'new' } | { what: 'secret'; secret: string } | null>(null)
  const create = async (filled: Filled) => {
    const input = { companyId, url: filled.text('url'), description: filled.optional('description') }
    const { createWebhook } = await change(CreateWebhook, { input }, ['Webhook'])
    if (createWebhook) setOpen({ what: 'secret', secret: createWebhook.secret })
    await webhooks.again()
  }
  return (
    <Page
      title="Webhooks"
      isFilled
      actions={
        <Button tone="main" onClick={() => setOpen({ what: 'new' })}>
          New webhook
        </Button>
      }
      filters={
        <div className={styles.policies}>
          {webhooks.failure && <Failed failure={webhooks.failure} again={() => void webhooks.again()} />}
          {webhooks.isWaiting && <Awaited lines={2} />}
          <ul className={styles.rules}>
            {webhooks.rows.map((webhook) => (
              <Row key={webhook.id} webhook={webhook} again={() => void webhooks.again()} />
            ))}
          </ul>
        </div>
      }
    >
      <DeliveryTable companyId={companyId} />
      {open?.what === 'new' && (
        <Dialog title="New webhook" isOpen onClose={() => setOpen(null)}>
          <Form action={create} submit="Make it" onCancel={() => setOpen(null)}>
            <TextField name="url" label="Where to" type="url" required placeholder="https://hooks.example.com/merlon" />
            <TextField name="description" label="What for (optional)" />
          </Form>
        </Dialog>
      )}
      {open?.what === 'secret' && (
        <Dialog
          title="The secret of the webhook"
          description="What is sent is signed with it. It is shown this once."
          isOpen
          onClose={() => setOpen(null)}
        >
          <CopyText text={open.secret} what="the secret" />
        </Dialog>
      )}
    </Page>
  )
}

function Row({ webhook, again }: { webhook: Webhook; again: () => void }) {
  const change = useChange()
  const [isDeleting, setDeleting] = useState(false)
  const test = async () => {
    await change(TestWebhook, { input: { id: webhook.id } }, ['WebhookDelivery'])
    say('A test is on its way; it stands among the deliveries.')
  }
  return (
    <li>
      <StandingWord of={webhook.isEnabled ? 'good' : 'bad'}>{webhook.isEnabled ? 'On' : 'Off'}</StandingWord>
      <span className={styles.rule}>
        <span className="code">{webhook.url}</span> <span className="muted">{webhook.description}</span>
        {webhook.disabledReason && <span className="muted"> {webhook.disabledReason}</span>}
      </span>
      <Form submit="Test" isQuiet action={test}>
        {null}
      </Form>
      <Button tone="danger" aria-label={`Delete the webhook to ${webhook.url}`} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {isDeleting && (
        <Confirm
          title="Delete the webhook"
          description={`Nothing is sent to ${webhook.url} any more.`}
          submit="Delete it"
          action={async () => {
            await change(DeleteWebhook, { input: { id: webhook.id } }, ['Webhook'])
            again()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  )
}

function DeliveryTable({ companyId }: { companyId: string }) {
  const change = useChange()
  const list = useList(Deliveries, { companyId }, ({ webhookDeliveries }) => webhookDeliveries)
  const { again } = list
  const columns = useMemo<Column<Delivery>[]>(() => {
    const replay = ({ id, webhookId }: Delivery) =>
      orSay(async () => {
        await change(Replay, { input: { id: webhookId, deliveryIds: [id] } }, ['WebhookDelivery'])
        say('It is sent again.')
        await again()
      })
    return [
      {
        id: 'state',
        header: 'State',
        meta: { width: '110px' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.state]}>{wordsOf(original.state)}</StandingWord>
        ),
      },
      { id: 'kind', header: 'Event', cell: ({ row }) => <span className="code">{row.original.kind}</span> },
      {
        id: 'answer',
        header: 'Answer',
        meta: { width: '30%', isExtra: true },
        cell: ({ row: { original } }) => original.failure ?? original.responseStatus,
      },
      {
        id: 'attempts',
        header: 'Tries',
        meta: { width: '70px', isNumber: true, isExtra: true },
        cell: ({ row }) => row.original.attempts,
      },
      {
        id: 'at',
        header: 'When',
        meta: { width: '112px' },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
      {
        id: 'again',
        header: () => <span className="heard">What can be done</span>,
        meta: { width: '130px' },
        cell: ({ row: { original } }) => (
          <Button
            size="small"
            aria-label={`Send delivery ${original.id} again`}
            disabledReason={original.state === 'PENDING' ? 'It is on its way.' : undefined}
            onClick={() => void replay(original)}
          >
            Send again
          </Button>
        ),
      },
    ]
  }, [change, again])
  return (
    <ListTable<Delivery>
      label="Deliveries"
      list={list}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ kind }) => kind}
      empty={
        <Empty title="Nothing was sent yet">
          <p>Every change is sent to every webhook that asks for it, signed, and again until it is taken.</p>
        </Empty>
      }
    />
  )
}
