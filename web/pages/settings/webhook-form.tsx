// The form of a webhook, and the view that shows its secret once.

import { ChoiceField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog, ShownOnce } from '../../ui/dialog.tsx'
import { eventKinds } from './event-kinds.ts'
import styles from './settings.module.css'
import type { Webhook } from './webhook-documents.ts'

type Props = {
  title: string
  submit: string
  /** the webhook being edited */
  webhook?: Webhook
  action: (filled: Filled) => Promise<void>
  onClose: () => void
}

export const writtenIn = (filled: Filled) => ({
  url: filled.text('url'),
  description: filled.text('description'),
  kinds: filled.all('kinds'),
})

export function WebhookForm({ title, submit, webhook, action, onClose }: Props) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form action={action} submit={submit} onCancel={onClose}>
        <TextField
          name="url"
          label="URL"
          type="url"
          required
          placeholder="https://hooks.example.com/merlon"
          defaultValue={webhook?.url}
        />
        <TextField name="description" label="Description (optional)" defaultValue={webhook?.description} />
        <div className={styles.kinds}>
          <ChoiceField
            name="kinds"
            kind="some"
            label="Events"
            hint="A star covers all events, including ones added in later versions."
            options={eventKinds.map((kind) => ({ value: kind, label: <code>{kind}</code> }))}
            initial={webhook?.kinds ?? ['*']}
          />
        </div>
      </Form>
    </Dialog>
  )
}

export const SecretShown = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog
    title="Webhook secret"
    description="Signs every delivery. Copy it now; it is not shown again."
    isOpen
    onClose={onClose}
  >
    <ShownOnce>
      <CopyText text={secret} what="the secret" />
    </ShownOnce>
  </Dialog>
)
