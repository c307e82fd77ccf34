// The credentials that scans use, which can be created and replaced here but never read.

import { useMemo, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { counted, wordsOf } from '../../util/words.ts'
import { type SecretRow, Secrets } from './documents.ts'
import { SecretDialog } from './form.tsx'

const DeleteSecret = graphql(`
  mutation DeleteSecretHere($input: DeleteSecretInput!) {
    deleteSecret(input: $input) { clientMutationId }
  }
`)

type Open = { what: 'new' } | { what: 'change' | 'delete'; secret: SecretRow }

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const list = useList(Secrets, { companyId }, ({ secrets }) => secrets)
  const [open, setOpen] = useState<Open | null>(null)
  const mayNot = whyNot(session, companyId, 'secrets:write')
  const columns = useColumns(mayNot, setOpen)
  const close = () => setOpen(null)
  const remove = async (secret: SecretRow) => {
    await change(DeleteSecret, { input: { companyId, id: secret.id } }, ['Secret'])
    say(`Secret “${secret.name}” deleted.`)
    await list.again()
  }
  return (
    <Page
      title="Secrets"
      isFilled
      count={list.total && counted(list.total.count, 'secret')}
      actions={
        <Button tone="main" onClick={() => setOpen({ what: 'new' })} disabledReason={mayNot}>
          New secret
        </Button>
      }
    >
      <ListTable<SecretRow>
        label="Secrets"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={
          <Empty title="No secrets yet">
            <p>
              Secrets are the credentials that scans sign in with. They are stored encrypted, and only scans read them.
            </p>
            <Button tone="main" onClick={() => setOpen({ what: 'new' })} disabledReason={mayNot}>
              Create the first one
            </Button>
          </Empty>
        }
      />
      {(open?.what === 'new' || open?.what === 'change') && (
        <SecretDialog
          companyId={companyId}
          {...(open.what === 'change' ? { secret: open.secret } : {})}
          onClose={close}
          onDone={async () => {
            await list.again()
            close()
          }}
        />
      )}
      {open?.what === 'delete' && (
        <Confirm
          title={`Delete “${open.secret.name}”`}
          description="Scans that use it can no longer sign in. This cannot be undone."
          submit="Delete secret"
          action={() => remove(open.secret)}
          onClose={close}
        />
      )}
    </Page>
  )
}

function useColumns(mayNot: string | undefined, setOpen: (open: Open) => void): Column<SecretRow>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.name}
            <Beneath of={[wordsOf(original.type), original.description]} />
          </>
        ),
      },
      {
        id: 'type',
        header: 'Type',
        meta: { width: '150px', isExtra: true },
        cell: ({ row }) => wordsOf(row.original.type),
      },
      {
        id: 'what',
        header: 'Description',
        meta: { width: '30%', isExtra: true },
        cell: ({ row }) => <span className="muted">{row.original.description}</span>,
      },
      {
        id: 'at',
        header: 'Updated',
        meta: { width: '120px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.updatedAt} />,
      },
      {
        id: 'actions',
        header: () => <span className="heard">Actions</span>,
        meta: { width: '192px' },
        cell: ({ row: { original } }) => (
          <span className="row">
            <Button
              size="small"
              aria-label={`Edit ${original.name}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'change', secret: original })}
            >
              Edit
            </Button>
            <Button
              size="small"
              tone="danger"
              aria-label={`Delete ${original.name}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'delete', secret: original })}
            >
              Delete
            </Button>
          </span>
        ),
      },
    ],
    [mayNot, setOpen],
  )
}
