// The files of a company, its projects and its findings: upload, download, and who may see each.

import { useMemo, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { asFailure } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { upload } from '../../api/upload.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ChooseFiles, DropArea, Underway } from '../../ui/drop-area.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { counted, size } from '../../util/words.ts'
import styles from './attachments.module.css'
import { type AttachmentRow, Attachments } from './documents.ts'
import { WhoSees } from './who-sees.tsx'

const AddAttachment = graphql(`
  mutation AddAttachment($input: CreateAttachmentInput!) {
    createAttachment(input: $input) { attachment { id } }
  }
`)

const DeleteAttachment = graphql(`
  mutation DeleteAttachmentHere($input: DeleteAttachmentInput!) {
    deleteAttachment(input: $input) { clientMutationId }
  }
`)

type Open = { what: 'delete' | 'who'; attachment: AttachmentRow }

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const list = useList(Attachments, { companyId }, ({ attachments }) => attachments)
  const [open, setOpen] = useState<Open | null>(null)
  const mayNot = whyNot(session, companyId, 'attachments:write')
  const columns = useColumns(mayNot, setOpen)
  const remove = async ({ id, archiveFilename }: AttachmentRow) => {
    await change(DeleteAttachment, { input: { id } }, ['Attachment'])
    say(`${archiveFilename} deleted.`)
    await list.again()
  }
  return (
    <Page title="Attachments" isFilled count={list.total && counted(list.total.count, 'file')}>
      <div className={styles.page}>
        <Drop companyId={companyId} mayNot={mayNot} onDone={() => void list.again()} />
        <ListTable<AttachmentRow>
          label="Attachments"
          list={list}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ archiveFilename }) => archiveFilename}
          empty={
            <Empty title="No files yet" command={`merlon attachment add evidence.pdf --company ${companyId}`}>
              <p>
                Add reports, contracts or evidence above. Everyone in the company can see a file unless you restrict it.
              </p>
            </Empty>
          }
        />
      </div>
      {open?.what === 'delete' && (
        <Confirm
          title={`Delete ${open.attachment.archiveFilename}`}
          description="It can no longer be downloaded. This cannot be undone."
          submit="Delete file"
          action={() => remove(open.attachment)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.what === 'who' && (
        <WhoSees
          companyId={companyId}
          attachment={open.attachment}
          onClose={() => setOpen(null)}
          onDone={async () => {
            await list.again()
            setOpen(null)
          }}
        />
      )}
    </Page>
  )
}

type DropProps = { companyId: string; mayNot: string | undefined; onDone: () => void }

function Drop({ companyId, mayNot, onDone }: DropProps) {
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null)
  const [wrong, setWrong] = useState<string>()
  const send = async (files: readonly File[]) => {
    setWrong(undefined)
    try {
      for (const file of files) {
        const onSent = (part: number) => setSending({ name: file.name, part })
        onSent(0)
        await upload(AddAttachment, { input: { companyId } }, { file, at: 'input.archive', onSent })
        say(`${file.name} uploaded.`)
        onDone()
      }
    } catch (error) {
      setWrong(asFailure(error).message)
    } finally {
      setSending(null)
    }
  }
  return (
    <div className={styles.drop}>
      <DropArea label="Add files" mayNot={mayNot} onFiles={(files) => void send(files)}>
        {sending ? (
          <Underway what={`Uploading ${sending.name}`} part={sending.part} />
        ) : mayNot === undefined ? (
          <span>
            Drop files here, or{' '}
            <ChooseFiles isMany onFiles={(files) => void send(files)}>
              choose files
            </ChooseFiles>
          </span>
        ) : (
          <span className="muted">{mayNot}</span>
        )}
        {wrong && (
          <span role="alert" className={styles.wrong}>
            {wrong}
          </span>
        )}
      </DropArea>
    </div>
  )
}

const seenBy = ({ isRestricted, allowedPortalUsers }: AttachmentRow): string =>
  isRestricted ? allowedPortalUsers.map(({ name }) => name).join(', ') : 'everyone'

function useColumns(mayNot: string | undefined, setOpen: (open: Open) => void): Column<AttachmentRow>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'File',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <a href={original.downloadUrl} download={original.archiveFilename}>
              {original.archiveFilename}
            </a>
            <Beneath of={[size(original.size), seenBy(original)]} />
          </>
        ),
      },
      {
        id: 'size',
        header: 'Size',
        meta: { width: '92px', isNumber: true, isExtra: true },
        cell: ({ row }) => size(row.original.size),
      },
      {
        id: 'who',
        header: 'Visible to',
        meta: { width: '200px', isExtra: true },
        cell: ({ row }) => seenBy(row.original),
      },
      {
        id: 'author',
        header: 'Added by',
        meta: { width: '140px', isExtra: true },
        cell: ({ row }) => row.original.author?.name,
      },
      {
        id: 'at',
        header: 'Added',
        meta: { width: '112px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
      {
        id: 'actions',
        header: () => <span className="heard">Actions</span>,
        meta: { width: '210px' },
        cell: ({ row: { original } }) => (
          <span className="row">
            <Button
              size="small"
              aria-label={`Access to ${original.archiveFilename}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'who', attachment: original })}
            >
              Access
            </Button>
            <Button
              size="small"
              tone="danger"
              aria-label={`Delete ${original.archiveFilename}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'delete', attachment: original })}
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
