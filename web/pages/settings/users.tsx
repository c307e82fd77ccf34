// The page of a company's people and their roles.

import { useCallback, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { counted } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'
import { type Open, usePeopleColumns } from './people-columns.tsx'
import { PeopleDialogs } from './people-dialogs.tsx'
import { Enable, type Person, Users } from './people-documents.ts'

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
      {open && <PeopleDialogs open={open} onClose={() => setOpen(null)} again={list.again} />}
    </Page>
  )
}
