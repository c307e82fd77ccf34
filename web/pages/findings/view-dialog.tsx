// The dialogs of saved views: naming a new one, and confirming a deletion.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { TextField } from '../../forms/field.tsx'
import { Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Asked } from './documents.ts'

const SaveView = graphql(`
  mutation SaveView($companyId: ID!, $name: String!, $filters: String!) {
    saveView(input: { companyId: $companyId, name: $name, filters: $filters }) {
      savedView {
        id
        name
        filters
      }
    }
  }
`)

const DeleteView = graphql(`
  mutation DeleteView($id: ID!) {
    deleteSavedView(input: { id: $id }) {
      id
    }
  }
`)

type Props = { companyId: string; filters: string; asked: Asked; onClose: () => void }

export default function ViewDialog({ companyId, filters, asked, onClose }: Props) {
  const change = useChange()
  if (asked !== 'save') {
    const { id, name } = asked.remove
    const remove = async () => {
      await change(DeleteView, { id }, ['SavedView'])
      say(`View “${name}” deleted.`)
    }
    return (
      <Confirm
        title={`Delete view “${name}”`}
        description="Findings are not affected."
        submit="Delete view"
        action={remove}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      title="Save view"
      description="Saves filters, order and columns for you, in this company. A view of yours with the same name is replaced."
      isOpen
      onClose={onClose}
    >
      <Form
        action={async (filled) => {
          const name = filled.text('name').trim()
          await change(SaveView, { companyId, name, filters }, ['SavedView'])
          say(`View “${name}” saved.`)
          onClose()
        }}
        submit="Save"
        onCancel={onClose}
      >
        <TextField name="name" label="Name" required autoFocus maxLength={100} />
      </Form>
    </Dialog>
  )
}
