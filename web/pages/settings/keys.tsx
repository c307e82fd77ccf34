// The keys of who is signed in: made, shown once, exchanged for a new one, revoked.

import { useMemo, useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { ChoiceField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { type Column, DataTable } from '../../table/data-table.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { counted } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'
import styles from './keys.module.css'
import { RevokeDialog } from './revoke-dialog.tsx'

const Keys = graphql(`
  query Keys {
    apiKeys { id name publicId scopes companyIds createdAt expiresAt lastUsedAt revokedAt }
  }
`)

const CreateKey = graphql(`
  mutation CreateKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { key apiKey { id name } }
  }
`)

const RotateKey = graphql(`
  mutation RotateKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) { key apiKey { id name } }
  }
`)

type Key = ResultOf<typeof Keys>['apiKeys'][number]
type Open =
  | { what: 'create' }
  | { what: 'rotate' | 'revoke'; key: Key }
  | { what: 'shown'; name: string; secret: string }

const standingOf = ({ revokedAt, expiresAt }: Key): 'revoked' | 'expired' | 'valid' => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid'
}

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const answer = useAsk(Keys, {}, { affectedBy: ['ApiKey'] })
  const [open, setOpen] = useState<Open | null>(null)
  const mayNot = whyNot(session, companyId, 'keys:write')
  const columns = useColumns(session?.keyPublicId, mayNot, setOpen)
  const valid = answer.data?.apiKeys.filter((key) => standingOf(key) === 'valid').length
  return (
    <Page
      title="API keys"
      crumbs={inSettings(companyId)}
      count={valid === undefined ? undefined : `${counted(valid, 'valid key')}`}
      actions={
        <Button tone="main" onClick={() => setOpen({ what: 'create' })} disabledReason={mayNot}>
          New key
        </Button>
      }
    >
      <div className={styles.keys}>
        <Answered of={answer}>
          {({ apiKeys }) => (
            <DataTable
              label="API keys"
              rows={apiKeys}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
              total={apiKeys.length}
              isStale={answer.isStale && !answer.data}
              empty={<Empty title="There is no key yet" />}
            />
          )}
        </Answered>
      </div>
      {open && <Dialogs open={open} setOpen={setOpen} scopes={session?.scopes ?? []} />}
    </Page>
  )
}

function useColumns(
  own: string | null | undefined,
  mayNot: string | undefined,
  setOpen: (open: Open) => void,
): Column<Key>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.name} {original.publicId === own && <span className="muted">– this session’s</span>}
          </>
        ),
      },
      {
        id: 'publicId',
        header: 'Starts with',
        meta: { width: '156px', isExtra: true },
        cell: ({ row }) => <code>mrl_{row.original.publicId}</code>,
      },
      {
        id: 'scopes',
        header: 'Scopes',
        meta: { width: '24%', isExtra: true },
        cell: ({ row }) => <span title={row.original.scopes.join(', ')}>{row.original.scopes.join(', ')}</span>,
      },
      {
        id: 'used',
        header: 'Last used',
        meta: { width: '112px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.lastUsedAt === null ? <span className="muted">never</span> : <Moment at={original.lastUsedAt} />,
      },
      {
        id: 'standing',
        header: 'Valid',
        meta: { width: 'clamp(76px, 12cqi, 130px)', isSentence: true },
        cell: ({ row }) => <Standing of={row.original} />,
      },
      {
        id: 'actions',
        header: () => <span className="heard">What can be done</span>,
        meta: { width: '164px' },
        cell: ({ row: { original } }) => {
          const standing = standingOf(original)
          const reason = mayNot ?? (standing === 'valid' ? undefined : `It is ${standing} already.`)
          return (
            <span className={styles.actions}>
              <Button
                size="small"
                aria-label={`Rotate ${original.name}`}
                onClick={() => setOpen({ what: 'rotate', key: original })}
                disabledReason={reason}
              >
                Rotate
              </Button>
              <Button
                size="small"
                tone="danger"
                aria-label={`Revoke ${original.name}`}
                onClick={() => setOpen({ what: 'revoke', key: original })}
                disabledReason={reason}
              >
                Revoke
              </Button>
            </span>
          )
        },
      },
    ],
    [own, mayNot, setOpen],
  )
}

function Standing({ of: key }: { of: Key }) {
  if (key.revokedAt !== null) {
    return (
      <span className="muted">
        revoked <Moment at={key.revokedAt} />
      </span>
    )
  }
  if (key.expiresAt === null) return 'until revoked'
  return (
    <>
      {standingOf(key) === 'expired' ? 'ended' : 'ends'} <Moment at={key.expiresAt} />
    </>
  )
}

type DialogsProps = { open: Open; setOpen: (open: Open | null) => void; scopes: readonly string[] }

function Dialogs({ open, setOpen, scopes }: DialogsProps) {
  const change = useChange()
  const close = () => setOpen(null)
  if (open.what === 'shown') {
    return (
      <Dialog
        title={`The key “${open.name}”`}
        description="It is shown this once. Keep it where secrets are kept."
        isOpen
        onClose={close}
      >
        <div className="stack">
          <CopyText text={open.secret} what="the key" />
          <Button onClick={close}>I have kept it</Button>
        </div>
      </Dialog>
    )
  }
  if (open.what === 'create') {
    const create = async (filled: Filled) => {
      const expires = filled.optional('expiresAt')
      const input = {
        name: filled.text('name'),
        scopes: filled.all('scopes'),
        expiresAt: expires === null ? null : new Date(expires).toISOString(),
      }
      const { createApiKey } = await change(CreateKey, { input }, ['ApiKey'])
      if (createApiKey) setOpen({ what: 'shown', name: input.name, secret: createApiKey.key })
    }
    return (
      <Dialog title="New key" isOpen onClose={close}>
        <Form action={create} submit="Create the key" onCancel={close}>
          <TextField
            name="name"
            label="Name"
            required
            maxLength={200}
            hint="What it is used for, such as a pipeline."
          />
          <ChoiceField
            name="scopes"
            label="What it may do"
            kind="some"
            initial={['read']}
            options={scopes.map((scope) => ({ value: scope, label: <code>{scope}</code> }))}
            hint="Never more than the key of this session."
          />
          <TextField name="expiresAt" label="Ends on (optional)" type="date" />
        </Form>
      </Dialog>
    )
  }

  const { what, key } = open
  const rotate = async () => {
    const { rotateApiKey } = await change(RotateKey, { input: { id: key.id } }, ['ApiKey'])
    if (rotateApiKey) setOpen({ what: 'shown', name: key.name, secret: rotateApiKey.key })
  }
  if (what === 'revoke') return <RevokeDialog id={key.id} name={key.name} onClose={close} />
  return (
    <Dialog
      title={`Rotate “${key.name}”`}
      description="A new key takes its place. The old one, and every session opened with it, ends at once."
      isOpen
      onClose={close}
    >
      <Form action={rotate} submit="Rotate" onCancel={close}>
        {null}
      </Form>
    </Dialog>
  )
}
