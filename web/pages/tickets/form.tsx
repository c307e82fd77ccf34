// The form that opens a ticket or edits one.

import { useChange } from '../../api/ask.ts'
import { AssigneeField, assigneeOf } from '../../choices/assignee-field.tsx'
import { LongTextField, TextField } from '../../forms/field.tsx'
import type { Filled } from '../../forms/form.tsx'
import { RecordDialog } from '../../forms/record-dialog.tsx'
import { WordField } from '../../forms/word-field.tsx'
import { say } from '../../frame/toasts.tsx'
import { CreateTicket, type TicketDetail, UpdateTicket } from './documents.ts'
import { impacts, priorities, statuses, types } from './words.ts'

type Props = {
  companyId: string
  ticket?: TicketDetail
  onClose: () => void
  onDone: (id: string) => void | Promise<void>
}

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
    <RecordDialog what="ticket" isNew={!ticket} save={save} onClose={onClose}>
      <TextField name="title" label="Title" required defaultValue={ticket?.title} />
      <LongTextField name="description" label="Description" required defaultValue={ticket?.description} />
      <TextField
        name="domainName"
        label="Domain"
        required
        defaultValue={ticket?.domain.name}
        hint="The team or area, such as Infrastructure; a new name is added."
      />
      <WordField name="type" label="Type" words={types} now={ticket?.type} />
      {ticket && <WordField name="status" label="Status" words={statuses} now={ticket.status} />}
      <WordField name="priority" label="Priority" words={priorities} now={ticket?.priority} isOptional />
      <WordField name="impact" label="Impact" words={impacts} now={ticket?.impact} isOptional />
      <AssigneeField companyId={companyId} assignee={ticket?.assignee} />
    </RecordDialog>
  )
}
