// Who may see a file: everybody of the company, or some of them.

import { useAsk, useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { ChoiceField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { AttachmentRow } from './list.tsx'

const People = graphql(`
  query People($companyId: ID!) {
    portalUsers(companyId: $companyId, pagination: { perPage: 200 }) { collection { id name email } }
  }
`)

const ShowTo = graphql(`
  mutation ShowTo($input: UpdateAttachmentInput!) {
    updateAttachment(input: $input) { attachment { id isRestricted allowedPortalUsers { id name } } }
  }
`)

type Props = { companyId: string; attachment: AttachmentRow; onClose: () => void; onDone: () => void }

export function WhoSees({ companyId, attachment, onClose, onDone }: Props) {
  const change = useChange()
  const answer = useAsk(People, { companyId })
  const save = async (filled: Filled) => {
    await change(ShowTo, { input: { id: attachment.id, allowedPortalUserIds: filled.all('users') } }, ['Attachment'])
    onDone()
  }
  return (
    <Dialog title={`Who sees ${attachment.archiveFilename}`} isOpen onClose={onClose}>
      <Answered of={answer} lines={4}>
        {({ portalUsers }) => (
          <Form action={save} submit="Save" onCancel={onClose}>
            <ChoiceField
              name="users"
              label="Only these"
              kind="some"
              hint="Nobody chosen: everybody of the company. Its author and owners see it always."
              initial={attachment.isRestricted ? attachment.allowedPortalUsers.map(({ id }) => id) : []}
              options={portalUsers.collection.map(({ id, name, email }) => ({
                value: id,
                label: `${name} – ${email}`,
              }))}
            />
          </Form>
        )}
      </Answered>
    </Dialog>
  )
}
