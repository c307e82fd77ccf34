// The company's webhooks: where they deliver, which events, how they are signed, and what became of each delivery.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import type { Filled } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { inSettings } from './crumbs.ts'
import styles from './settings.module.css'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { CreateWebhook, Webhooks } from './webhook-documents.ts'
import { SecretShown, WebhookForm, writtenIn } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'webhooks:read')
  if (mayNot !== undefined) {
    return (
      <Page title="Webhooks" crumbs={inSettings(companyId)}>
        <Empty title={mayNot} />
      </Page>
    )
  }
  return <Shown companyId={companyId} mayNot={whyNot(session, companyId, 'webhooks:write')} />
}

function Shown({ companyId, mayNot }: { companyId: string; mayNot: string | undefined }) {
  const change = useChange()
  const webhooks = useList(Webhooks, { companyId }, ({ webhooks: found }) => found)
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  // A new value reloads the deliveries.
  const [tests, setTests] = useState(0)
  const create = async (filled: Filled) => {
    const { createWebhook } = await change(CreateWebhook, { input: { companyId, ...writtenIn(filled) } }, ['Webhook'])
    setMaking(false)
    setSecret(createWebhook?.secret)
    await webhooks.again()
  }
  return (
    <Page
      title="Webhooks"
      crumbs={inSettings(companyId)}
      actions={
        <Button tone="main" disabledReason={mayNot} onClick={() => setMaking(true)}>
          New webhook
        </Button>
      }
    >
      <div className={styles.webhooks}>
        {webhooks.failure && <Failed failure={webhooks.failure} again={() => void webhooks.again()} />}
        {webhooks.isWaiting && <Awaited lines={2} />}
        {!webhooks.isWaiting && !webhooks.failure && webhooks.rows.length === 0 && (
          <p className="muted">No webhooks yet. Create one to send events to a URL of yours.</p>
        )}
        <ul className={styles.rules} aria-label="Webhooks">
          {webhooks.rows.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              mayNot={mayNot}
              again={webhooks.again}
              onSecret={setSecret}
              onTested={() => setTests((made) => made + 1)}
            />
          ))}
        </ul>
        <Rest of={webhooks} what="webhook" />
      </div>
      <WebhookDeliveries
        key={tests}
        companyId={companyId}
        mayNot={mayNot}
        onFirst={webhooks.rows.length === 0 && !webhooks.isWaiting ? () => setMaking(true) : undefined}
      />
      {isMaking && (
        <WebhookForm title="New webhook" submit="Create webhook" action={create} onClose={() => setMaking(false)} />
      )}
      {secret !== undefined && <SecretShown secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}
