// The member of a company to whom something is assigned, as a field of a form; its value is the address.

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

/** The address, null for nobody, and undefined for who it was before: one who left the company stays until somebody else takes it. */
export function assigneeOf(filled: Filled, before: Assignee): string | null | undefined {
  const email = filled.optional('assigneeEmail')
  return email === (before?.email ?? null) ? undefined : email
}
