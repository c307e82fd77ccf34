// Sets who may see a file: everybody in the company, or selected members.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { useFindPeople } from '../../choices/people.ts'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { AttachmentRow } from './documents.ts'

const ShowTo = graphql(`
  mutation ShowTo($input: UpdateAttachmentInput!) {
    updateAttachment(input: $input) { attachment { id isRestricted allowedPortalUsers { id name } } }
  }
`)

type Props = { companyId: string; attachment: AttachmentRow; onClose: () => void; onDone: () => Promise<void> }

export function WhoSees({ companyId, attachment, onClose, onDone }: Props) {
  const change = useChange()
  const find = useFindPeople(companyId)
  const save = async (filled: Filled) => {
    await change(ShowTo, { input: { id: attachment.id, allowedPortalUserIds: filled.all('users') } }, ['Attachment'])
    await onDone()
  }
  return (
    <Dialog title={`Access to ${attachment.archiveFilename}`} isOpen onClose={onClose}>
      <Form action={save} submit="Save" onCancel={onClose}>
        <SearchField
          name="users"
          label="Visible to"
          kind="some"
          hint="The author and owners always have access."
          find={find}
          what="people"
          none="Everyone in the company"
          initial={attachment.isRestricted ? attachment.allowedPortalUsers : []}
        />
      </Form>
    </Dialog>
  )
}
