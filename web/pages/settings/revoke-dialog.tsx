// The dialog that revokes a key, together with the keys that it issued.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { ChoiceField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../util/words.ts'

const RevokeKey = graphql(`
  mutation RevokeKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) { apiKey { id } alsoRevoked { id } }
  }
`)

type Props = { id: string; name: string; onClose: () => void }

export function RevokeDialog({ id, name, onClose }: Props) {
  const change = useChange()
  const revoke = async (filled: Filled) => {
    const withIssued = filled.all('withIssued').length > 0
    const { revokeApiKey } = await change(RevokeKey, { input: { id, withIssued } }, ['ApiKey'])
    const others = revokeApiKey?.alsoRevoked.length ?? 0
    say(`Key “${name}” revoked${others > 0 ? `, with ${counted(others, 'key')} it issued` : ''}.`)
    onClose()
  }
  return (
    <Dialog
      title={`Revoke “${name}”`}
      description="The key stops working immediately and every session opened with it ends. This cannot be undone."
      isOpen
      onClose={onClose}
    >
      <Form action={revoke} submit="Revoke key" tone="danger" onCancel={onClose}>
        <ChoiceField
          name="withIssued"
          label="If the key leaked"
          kind="some"
          options={[{ value: 'yes', label: 'Also revoke every key issued from it, directly or indirectly' }]}
          hint="Whoever has the key may have issued others with it."
        />
      </Form>
    </Dialog>
  )
}
