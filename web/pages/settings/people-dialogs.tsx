// The dialogs over the people of a company: add one, change a role, remove or disable one.

import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { ChoiceField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { wordsOf } from '../../util/words.ts'
import type { Open } from './people-columns.tsx'
import { CreateUser, Disable, SetAccess } from './people-documents.ts'

type Role = EnumOf<'Role'>
const roles = [
  { value: 'READER', label: 'Reader – views everything' },
  { value: 'DEVELOPER', label: 'Developer – also creates findings, deploys and tickets' },
  { value: 'ANALYST', label: 'Analyst – also triages findings and sets policies' },
  { value: 'OWNER', label: 'Owner – also manages people, integrations and the company' },
] as const satisfies readonly { value: Role; label: string }[]

const roleOf = (filled: Filled): Role => roles.find(({ value }) => value === filled.text('role'))?.value ?? 'READER'

type Props = { open: Open; onClose: () => void; again: () => Promise<void> }

export function PeopleDialogs({ open, onClose, again }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const done = async (sentence: string) => {
    say(sentence)
    await again()
    onClose()
  }
  if (open.what === 'new') {
    const create = async (filled: Filled) => {
      const input = { companyId, name: filled.text('name'), email: filled.text('email'), role: roleOf(filled) }
      await change(CreateUser, { input }, ['PortalUser'])
      await done(`${input.name} added.`)
    }
    return (
      <Dialog title="Add person" isOpen onClose={onClose}>
        <Form action={create} submit="Add" onCancel={onClose}>
          <TextField name="name" label="Name" required />
          <TextField name="email" label="Email" type="email" required />
          <ChoiceField name="role" label="Role" kind="one" initial={['DEVELOPER']} options={roles} />
        </Form>
      </Dialog>
    )
  }

  const { what, user } = open
  const setAccess = (role: Role | null) =>
    change(SetAccess, { input: { companyId, id: user.id, role } }, ['PortalUser'])
  if (what === 'role') {
    const setRole = async (filled: Filled) => {
      const role = roleOf(filled)
      await setAccess(role)
      await done(`${user.name} now has the role ${wordsOf(role).toLowerCase()}.`)
    }
    return (
      <Dialog title={`Role of ${user.name}`} isOpen onClose={onClose}>
        <Form action={setRole} submit="Save" onCancel={onClose}>
          <ChoiceField name="role" label="Role" kind="one" initial={[user.profile?.role ?? 'READER']} options={roles} />
        </Form>
      </Dialog>
    )
  }
  if (what === 'leave') {
    const remove = async () => {
      await setAccess(null)
      await done(`${user.name} removed.`)
    }
    return (
      <Confirm
        title={`Remove ${user.name} from the company`}
        description="They lose access to this company. Their activity stays in the audit log."
        submit="Remove person"
        action={remove}
        onClose={onClose}
      />
    )
  }
  const disable = async () => {
    await change(Disable, { input: { id: user.id } }, ['PortalUser'])
    await done(`${user.name} disabled.`)
  }
  return (
    <Confirm
      title={`Disable ${user.name}`}
      description="They cannot sign in or use their API keys in any company until enabled again. Their activity is kept."
      submit="Disable person"
      action={disable}
      onClose={onClose}
    />
  )
}
