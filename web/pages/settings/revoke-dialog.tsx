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
    say(`The key “${name}” is revoked${others > 0 ? `, with ${counted(others, 'key')} that it issued` : ''}.`)
    onClose()
  }
  return (
    <Dialog
      title={`Revoke “${name}”`}
      description="Whoever uses it is refused from now on, and every session opened with it ends. It cannot be undone."
      isOpen
      onClose={onClose}
    >
      <Form action={revoke} submit="Revoke" tone="danger" onCancel={onClose}>
        <ChoiceField
          name="withIssued"
          label="Where it has leaked"
          kind="some"
          options={[{ value: 'yes', label: 'Revoke also the keys that it issued, and those that these issued' }]}
          hint="Whoever has it may have issued others by it."
        />
      </Form>
    </Dialog>
  )
}
