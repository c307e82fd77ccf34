// A form field for the member of a company to whom something is assigned; its value is the member's e-mail address.

import type { Filled } from '../forms/form.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { useFindPeopleByEmail } from './people.ts'

type Assignee = { name: string; email: string } | null | undefined

type Props = { companyId: string; assignee: Assignee }

export function AssigneeField({ companyId, assignee }: Props) {
  const find = useFindPeopleByEmail(companyId)
  return (
    <SearchField
      name="assigneeEmail"
      label="Assigned to"
      find={find}
      what="people"
      none="Nobody"
      initial={assignee ? [{ id: assignee.email, name: assignee.name, beside: assignee.email }] : []}
    />
  )
}

/**
 * The chosen e-mail address, null for nobody, or undefined if the field was not changed. An assignee who left the
 * company could not be sent again, so the unchanged field leaves them in place.
 */
export function assigneeOf(filled: Filled, before: Assignee): string | null | undefined {
  const email = filled.optional('assigneeEmail')
  return email === (before?.email ?? null) ? undefined : email
}
