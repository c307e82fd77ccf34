// The member of a company to whom something is assigned, as a field of a form; its value is the address.

import { SearchField } from '../forms/search-field.tsx'
import { useFindPeopleByEmail } from './people.ts'

type Props = { companyId: string; assignee: { name: string; email: string } | null | undefined }

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
