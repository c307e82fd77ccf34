// The form that opens a ticket or edits one.

import { useChange } from '../../api/ask.ts'
import { AssigneeField, assigneeOf } from '../../choices/assignee-field.tsx'
import { LongTextField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { optionsOf } from '../../util/words.ts'
import { CreateTicket, type TicketDetail, UpdateTicket } from './documents.ts'
import { impacts, priorities, statuses, types } from './words.ts'

type Props = {
  companyId: string
  ticket?: TicketDetail
  onClose: () => void
  onDone: (id: string) => void | Promise<void>
}

const plain = <T extends string>(values: readonly T[]) => values.map((value) => ({ value, label: value }))

export function TicketDialog({ companyId, ticket, onClose, onDone }: Props) {
  const change = useChange()
  const save = async (filled: Filled) => {
    const shared = {
      title: filled.text('title'),
      description: filled.text('description'),
      domainName: filled.text('domainName'),
      priority: filled.oneOf('priority', priorities),
      impact: filled.oneOf('impact', impacts),
      assigneeEmail: assigneeOf(filled, ticket?.assignee),
    }
    if (ticket) {
      const input = {
        ...shared,
        id: ticket.id,
        type: filled.oneOf('type', types),
        status: filled.oneOf('status', statuses),
      }
      await change(UpdateTicket, { input }, ['Ticket'])
      say('Ticket saved.')
      return onDone(ticket.id)
    }
    const input = { ...shared, companyId, type: filled.oneOf('type', types) ?? 'BUG' }
    const { createTicket } = await change(CreateTicket, { input }, ['Ticket'])
    if (createTicket?.ticket) await onDone(createTicket.ticket.id)
  }
  return (
    <Dialog title={ticket ? 'Edit ticket' : 'New ticket'} isOpen onClose={onClose}>
      <Form action={save} submit={ticket ? 'Save' : 'Create ticket'} onCancel={onClose}>
        <TextField name="title" label="Title" required defaultValue={ticket?.title} />
        <LongTextField name="description" label="Description" required defaultValue={ticket?.description} />
        <TextField
          name="domainName"
          label="Domain"
          required
          defaultValue={ticket?.domain.name}
          hint="The team or area, such as Infrastructure; a new name is added."
        />
        <SelectField name="type" label="Type" options={optionsOf(types)} defaultValue={ticket?.type} />
        {ticket && (
          <SelectField name="status" label="Status" options={optionsOf(statuses)} defaultValue={ticket.status} />
        )}
        <SelectField
          name="priority"
          label="Priority"
          none="Not set"
          options={plain(priorities)}
          defaultValue={ticket?.priority ?? ''}
        />
        <SelectField
          name="impact"
          label="Impact"
          none="Not set"
          options={optionsOf(impacts)}
          defaultValue={ticket?.impact ?? ''}
        />
        <AssigneeField companyId={companyId} assignee={ticket?.assignee} />
      </Form>
    </Dialog>
  )
}
