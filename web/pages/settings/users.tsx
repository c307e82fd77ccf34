// The page of a company's people and their roles.

import { useCallback, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { ChoiceField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { counted, wordsOf } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'
import { type Open, usePeopleColumns } from './people-columns.tsx'
import { CreateUser, Disable, Enable, type Person, SetAccess, Users } from './people-documents.ts'

type Role = EnumOf<'Role'>
const roles = [
  { value: 'READER', label: 'Reader – views everything' },
  { value: 'DEVELOPER', label: 'Developer – also creates findings, deploys and tickets' },
  { value: 'ANALYST', label: 'Analyst – also triages findings and sets policies' },
  { value: 'OWNER', label: 'Owner – also manages people, integrations and the company' },
] as const satisfies readonly { value: Role; label: string }[]

const roleOf = (filled: Filled): Role => roles.find(({ value }) => value === filled.text('role'))?.value ?? 'READER'

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const list = useList(Users, { companyId }, ({ portalUsers }) => portalUsers)
  const [open, setOpen] = useState<Open | null>(null)
  const mayNot = whyNot(session, companyId, 'members:manage')
  const letIn = useCallback(
    async ({ id, name }: Person) => {
      await change(Enable, { input: { id } }, ['PortalUser'])
      say(`${name} enabled. Their API keys work again.`)
      await list.again()
    },
    [change, list.again],
  )
  const columns = usePeopleColumns({
    mayNot,
    mayNotShutOut: session?.isAdministrator
      ? undefined
      : 'Only administrators can do this: it applies to all companies.',
    setOpen,
    letIn,
  })
  const done = async (sentence: string) => {
    say(sentence)
    await list.again()
    setOpen(null)
  }
  const create = async (filled: Filled) => {
    const input = { companyId, name: filled.text('name'), email: filled.text('email'), role: roleOf(filled) }
    await change(CreateUser, { input }, ['PortalUser'])
    await done(`${input.name} added.`)
  }
  const setRole = (user: Person) => async (filled: Filled) => {
    await change(SetAccess, { input: { companyId, id: user.id, role: roleOf(filled) } }, ['PortalUser'])
    await done(`${user.name} now has the role ${wordsOf(roleOf(filled)).toLowerCase()}.`)
  }
  return (
    <Page
      title="People"
      crumbs={inSettings(companyId)}
      isFilled
      count={list.total && counted(list.total.count, 'person', 'people')}
      actions={
        <Button tone="main" onClick={() => setOpen({ what: 'new' })} disabledReason={mayNot}>
          Add person
        </Button>
      }
    >
      <ListTable<Person>
        label="People"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={
          <Empty title="No people in this company yet">
            <p>People you add can sign in with an API key, or through the identity provider if one is configured.</p>
            <Button onClick={() => setOpen({ what: 'new' })} disabledReason={mayNot}>
              Add the first person
            </Button>
          </Empty>
        }
      />
      {open?.what === 'new' && (
        <Dialog title="Add person" isOpen onClose={() => setOpen(null)}>
          <Form action={create} submit="Add" onCancel={() => setOpen(null)}>
            <TextField name="name" label="Name" required />
            <TextField name="email" label="Email" type="email" required />
            <ChoiceField name="role" label="Role" kind="one" initial={['DEVELOPER']} options={roles} />
          </Form>
        </Dialog>
      )}
      {open?.what === 'role' && (
        <Dialog title={`Role of ${open.user.name}`} isOpen onClose={() => setOpen(null)}>
          <Form action={setRole(open.user)} submit="Save" onCancel={() => setOpen(null)}>
            <ChoiceField
              name="role"
              label="Role"
              kind="one"
              initial={[open.user.profile?.role ?? 'READER']}
              options={roles}
            />
          </Form>
        </Dialog>
      )}
      {open?.what === 'leave' && (
        <Confirm
          title={`Remove ${open.user.name} from the company`}
          description="They lose access to this company. Their activity stays in the audit log."
          submit="Remove person"
          action={async () => {
            await change(SetAccess, { input: { companyId, id: open.user.id, role: null } }, ['PortalUser'])
            await done(`${open.user.name} removed.`)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.what === 'shut-out' && (
        <Confirm
          title={`Disable ${open.user.name}`}
          description="They cannot sign in or use their API keys in any company until enabled again. Their activity is kept."
          submit="Disable person"
          action={async () => {
            await change(Disable, { input: { id: open.user.id } }, ['PortalUser'])
            await done(`${open.user.name} disabled.`)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}
