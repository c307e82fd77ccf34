// Which project of a tool an asset is.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { SelectField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { useAssets } from '../../table/asset-facet.tsx'
import { SearchBox } from '../../table/filters.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Associate, ExternalProjects } from './documents.ts'
import { type Kind, kinds } from './kinds.ts'

type Props = { kind: Kind; integrationId: string; onClose: () => void; onDone: () => void }

export default function Projects(props: Props) {
  return (
    <Dialog title={`Projects of ${kinds[props.kind].name}`} isOpen onClose={props.onClose}>
      <Follow {...props} />
    </Dialog>
  )
}

type FollowProps = Omit<Props, 'onClose'> & { onClose?: () => void }

export function Follow({ kind, integrationId, onClose, onDone }: FollowProps) {
  const companyId = useCompanyId()
  const change = useChange()
  const assets = useAssets(companyId)
  const [words, setWords] = useState('')
  const answer = useAsk(ExternalProjects, {
    companyId,
    type: kind,
    integrationId,
    name: words.trim() || undefined,
  })
  const found = answer.data?.externalProjects?.collection ?? []
  const associate = async (filled: Filled) => {
    const externalProjectId = filled.text('externalProjectId')
    const name = found.find(({ id }) => id === externalProjectId)?.name
    await change(Associate, {
      input: { assetId: filled.text('assetId'), integrationId, externalProjectId, name },
    })
    say(`${name} is followed.`)
    onDone()
  }
  return (
    <div className="stack">
      <SearchBox label="Search in projects" value={words} onChange={setWords} />
      <Answered of={answer} lines={3}>
        {() =>
          found.length === 0 ? (
            <p className="muted">It shows no project of that name to this credential.</p>
          ) : (
            <Form action={associate} submit="Follow it" onCancel={onClose}>
              <SelectField
                name="externalProjectId"
                label="Project"
                required
                options={found.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <SelectField
                name="assetId"
                label="Is the asset"
                required
                options={assets.map(({ id, name }) => ({ value: id, label: name }))}
              />
            </Form>
          )
        }
      </Answered>
    </div>
  )
}
