// The dialog that creates an application with its assets, edits one, or deletes it.

import { useAsk, useChange } from '../../api/ask.ts'
import { useFindAssets } from '../../choices/assets.ts'
import { LongTextField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import {
  type ApplicationDetail,
  CreateApplication,
  DeleteApplication,
  OneApplication,
  UpdateApplication,
} from './documents.ts'

type Props = { companyId: string; mayNot: string | undefined; onClose: () => void }

export function NewApplication({ companyId, ...rest }: Props) {
  const change = useChange()
  const create = async (filled: Filled) => {
    await change(CreateApplication, { input: { ...writtenIn(filled), companyId: Number(companyId) } }, ['Application'])
    rest.onClose()
  }
  return (
    <Dialog title="New application" isOpen onClose={rest.onClose}>
      <Fields {...rest} companyId={companyId} submit="Create application" action={create} />
    </Dialog>
  )
}

export function OpenApplication({ id, ...props }: Props & { id: string }) {
  const answer = useAsk(OneApplication, { companyId: props.companyId, id })
  return (
    <Dialog title={answer.data?.application.name ?? 'Application'} isOpen onClose={props.onClose}>
      <Answered of={answer} lines={6}>
        {({ application }) => <Change {...props} application={application} />}
      </Answered>
    </Dialog>
  )
}

function Change({ application, ...props }: Props & { application: ApplicationDetail }) {
  const { companyId, mayNot, onClose } = props
  const change = useChange()
  const ids = { companyId: Number(companyId), id: Number(application.id) }
  const save = async (filled: Filled) => {
    await change(UpdateApplication, { input: { ...writtenIn(filled), ...ids } }, ['Application'])
    say('Application saved.')
    onClose()
  }
  const remove = async () => {
    await change(DeleteApplication, { input: { companyId, id: application.id } }, ['Application'])
    say(`${application.name} deleted.`)
    onClose()
  }
  return (
    <div className="stack">
      {application.url !== null && <Facts facts={[{ name: 'URL', fact: <OutsideLink to={application.url} /> }]} />}
      <Fields {...props} application={application} submit="Save" action={save} />
      <div>
        <DeleteButton
          what="application"
          description={`${application.name} is permanently deleted; its assets stay.`}
          disabledReason={mayNot}
          action={remove}
        />
      </div>
    </div>
  )
}

type FieldsProps = Props & {
  application?: ApplicationDetail
  submit: string
  action: (filled: Filled) => Promise<void>
}

function Fields({ companyId, application, mayNot, onClose, ...rest }: FieldsProps) {
  const findAssets = useFindAssets(companyId)
  return (
    <Form {...rest} disabledReason={mayNot} onCancel={onClose}>
      <TextField name="name" label="Name" required defaultValue={application?.name} />
      <LongTextField
        name="description"
        label="Description (optional)"
        defaultValue={application?.description ?? undefined}
      />
      <TextField name="url" label="URL (optional)" type="url" defaultValue={application?.url ?? undefined} />
      <SearchField
        name="assetIds"
        label="Assets"
        kind="some"
        find={findAssets}
        what="assets"
        none="None yet"
        initial={application?.assets ?? []}
      />
    </Form>
  )
}

const writtenIn = (filled: Filled) => ({
  name: filled.text('name'),
  description: filled.optional('description'),
  url: filled.optional('url'),
  assetIds: filled
    .all('assetIds')
    .filter((id) => id !== '')
    .map(Number),
})
