// The dialogs over the API keys: create, rotate or revoke one, and show a new key this once.

import { useChange } from '../../api/ask.ts'
import { lookAgain, useSession } from '../../api/session.ts'
import { ChoiceField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog, ShownOnce } from '../../ui/dialog.tsx'
import { CreateKey, type Key, RotateKey } from './key-documents.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

export type Open =
  | { what: 'create' }
  | { what: 'rotate' | 'revoke'; key: Key }
  | { what: 'shown'; name: string; secret: string }

type Props = { open: Open; setOpen: (open: Open | null) => void; scopes: readonly string[] }

export function KeyDialogs({ open, setOpen, scopes }: Props) {
  const change = useChange()
  const { session } = useSession()
  const close = () => setOpen(null)
  if (open.what === 'shown') {
    return (
      <Dialog
        title={`API key “${open.name}”`}
        description="Copy it now and store it securely. It is not shown again."
        isOpen
        onClose={close}
      >
        <ShownOnce>
          <CopyText text={open.secret} what="the key" />
          <Button onClick={close}>I’ve stored it</Button>
        </ShownOnce>
      </Dialog>
    )
  }
  if (open.what === 'create') {
    const create = async (filled: Filled) => {
      const expires = filled.optional('expiresAt')
      const input = {
        name: filled.text('name'),
        scopes: filled.all('scopes'),
        expiresAt: expires === null ? null : new Date(expires).toISOString(),
      }
      const { createApiKey } = await change(CreateKey, { input }, ['ApiKey'])
      if (createApiKey) setOpen({ what: 'shown', name: input.name, secret: createApiKey.key })
    }
    return (
      <Dialog title="New API key" isOpen onClose={close}>
        <Form action={create} submit="Create key" onCancel={close}>
          <TextField
            name="name"
            label="Name"
            required
            maxLength={200}
            hint="What the key is used for, such as a pipeline."
          />
          <ChoiceField
            name="scopes"
            label="Scopes"
            kind="some"
            initial={['read']}
            options={scopes.map((scope) => ({ value: scope, label: <code>{scope}</code> }))}
            hint="Limited to the scopes of your session."
          />
          <TextField name="expiresAt" label="Expiry date (optional)" type="date" />
        </Form>
      </Dialog>
    )
  }

  const { what, key } = open
  const isOwn = key.publicId === session?.keyPublicId
  const rotate = async () => {
    const { rotateApiKey } = await change(RotateKey, { input: { id: key.id } }, ['ApiKey'])
    if (!rotateApiKey) return
    setOpen({ what: 'shown', name: key.name, secret: rotateApiKey.key })
    // the session has gone over to the new key
    if (isOwn) await lookAgain().catch(() => {})
  }
  if (what === 'revoke') return <RevokeDialog id={key.id} name={key.name} onClose={close} />
  return (
    <Dialog
      title={`Rotate “${key.name}”`}
      description={`Issues a new key. The old key and every ${isOwn ? 'other ' : ''}session opened with it stop working immediately.${isOwn ? ' This session continues with the new key.' : ''}`}
      isOpen
      onClose={close}
    >
      <Form action={rotate} submit="Rotate key" onCancel={close}>
        {null}
      </Form>
    </Dialog>
  )
}
