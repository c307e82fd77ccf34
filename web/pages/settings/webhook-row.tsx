// One webhook: its address, its events, whether it is on, and the actions on it.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { SelectField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { counted } from '../../util/words.ts'
import styles from './settings.module.css'
import { DeleteWebhook, RotateSecret, TestWebhook, UpdateWebhook, type Webhook } from './webhook-documents.ts'
import { WebhookForm, writtenIn } from './webhook-form.tsx'

type Props = {
  webhook: Webhook
  mayNot: string | undefined
  again: () => Promise<void>
  onSecret: (secret: string) => void
  onTested: () => void
}

export function WebhookRow({ webhook, mayNot, again, onSecret, onTested }: Props) {
  const change = useChange()
  const [open, setOpen] = useState<'change' | 'rotate' | 'delete' | null>(null)
  const { id, url, isEnabled } = webhook
  const close = () => setOpen(null)
  const test = async () => {
    const { testWebhook } = await change(TestWebhook, { input: { id } })
    onTested()
    const told = testWebhook?.delivery
    if (told?.state !== 'DELIVERED') {
      throw new Error(`Test delivery to ${url} failed: ${told?.failure ?? 'it is still queued'}`)
    }
    say(`Test delivered to ${url} (${told.responseStatus}).`)
  }
  const update = async (input: { isEnabled?: boolean } | ReturnType<typeof writtenIn>) => {
    await change(UpdateWebhook, { input: { id, ...input } })
    await again()
  }
  const rotate = async (filled: Filled) => {
    const input = { id, overlapHours: Number(filled.text('overlapHours')) }
    const { rotateWebhookSecret } = await change(RotateSecret, { input })
    close()
    if (rotateWebhookSecret) onSecret(rotateWebhookSecret.secret)
    await again()
  }
  const buttons = [
    { name: 'Test', does: test },
    { name: isEnabled ? 'Disable' : 'Enable', does: () => update({ isEnabled: !isEnabled }) },
    { name: 'Edit…', does: async () => setOpen('change') },
    { name: 'Rotate secret…', does: async () => setOpen('rotate') },
    { name: 'Delete', does: async () => setOpen('delete') },
  ]
  return (
    <li className={styles.webhook}>
      <Told of={webhook} />
      <div className="row">
        {buttons.map(({ name, does }) => (
          <ActionButton
            key={name}
            size="small"
            tone={name === 'Delete' ? 'danger' : 'plain'}
            aria-label={`${name} – the webhook to ${url}`}
            disabledReason={mayNot}
            action={does}
          >
            {name}
          </ActionButton>
        ))}
      </div>
      {open === 'change' && (
        <WebhookForm
          title="Edit webhook"
          submit="Save"
          webhook={webhook}
          action={async (filled) => {
            await update(writtenIn(filled))
            close()
          }}
          onClose={close}
        />
      )}
      {open === 'rotate' && (
        <Dialog
          title="Rotate secret"
          description="Deliveries are signed with both secrets during the overlap, so the receiver can switch over."
          isOpen
          onClose={close}
        >
          <Form action={rotate} submit="Rotate secret" onCancel={close}>
            <SelectField
              name="overlapHours"
              label="Overlap"
              options={overlaps.map(([hours, label]) => ({ value: `${hours}`, label }))}
              defaultValue="24"
            />
          </Form>
        </Dialog>
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete webhook"
          description={`Nothing more is sent to ${url}.`}
          submit="Delete webhook"
          action={async () => {
            await change(DeleteWebhook, { input: { id } }, ['Webhook'])
            await again()
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

const overlaps = [
  [0, 'none'],
  [1, '1 hour'],
  [24, '1 day'],
  [168, '1 week'],
] as const

function Told({ of }: { of: Webhook }) {
  const { url, description, kinds, isEnabled, disabledReason, failures, heldUntil, previousSecretUntil } = of
  return (
    <div className={styles.told}>
      <p>
        <StandingWord of={isEnabled ? 'good' : 'bad'}>{isEnabled ? 'On' : 'Off'}</StandingWord>{' '}
        <span className="code words">{url}</span> <span className="muted words">{description}</span>
      </p>
      <p className="muted">{kinds.includes('*') ? 'All events' : kinds.join(', ')}</p>
      {disabledReason !== null && <p>{disabledReason}</p>}
      {failures > 0 && (
        <p>
          {heldUntil !== null && (
            <>
              Next retry <Moment at={heldUntil} />, after{' '}
            </>
          )}
          {counted(failures, 'failure')} since the last successful delivery.
        </p>
      )}
      {previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now() && (
        <p className="muted">
          Deliveries are also signed with the previous secret, which expires <Moment at={previousSecretUntil} />.
        </p>
      )}
    </div>
  )
}
