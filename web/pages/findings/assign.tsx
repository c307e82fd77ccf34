// Assigns a finding to members of its company, chosen by name; the new assignees replace the previous ones.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { useFindPeopleByEmail } from '../../choices/people.ts'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { FindingDetail } from './panel-documents.ts'

const Assign = graphql(`
  mutation Assign($input: UpdateIssueAssigneesInput!) {
    updateIssueAssignee(input: $input) { issue { id assignedUsers { name email } } }
  }
`)

type Props = { companyId: string; issue: FindingDetail; onClose: () => void; onDone: () => void }

export default function AssignDialog({ companyId, issue: { id, title, assignedUsers }, onClose, onDone }: Props) {
  const change = useChange()
  const find = useFindPeopleByEmail(companyId)
  const assign = async (filled: Filled) => {
    const assigneeEmails = filled.all('assigneeEmails').filter((email) => email !== '')
    const { updateIssueAssignee } = await change(Assign, { input: { issueId: id, assigneeEmails } })
    const names = updateIssueAssignee?.issue.assignedUsers.map(({ name }) => name).join(', ')
    say(names ? `${title} assigned to ${names}.` : `${title} unassigned.`)
    onDone()
  }
  return (
    <Dialog title="Assign finding" isOpen onClose={onClose}>
      <Form action={assign} submit="Assign" onCancel={onClose}>
        <p className="words">{title}</p>
        <SearchField
          name="assigneeEmails"
          label="Assigned to"
          kind="some"
          find={find}
          what="people"
          none="Nobody"
          initial={assignedUsers.map(({ name, email }) => ({ id: email, name, beside: email }))}
          hint="Replaces the current assignees. Recorded in the timeline."
        />
      </Form>
    </Dialog>
  )
}
