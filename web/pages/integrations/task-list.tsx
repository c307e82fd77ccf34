// Maps findings to a list of a task tracker and the list's own statuses.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { MapList } from './documents.ts'
import { ListMap, useMap } from './states.tsx'
import { mappingsOf, whyNotYet } from './status-map.tsx'
import { createFromOf, WhichFindings } from './which-findings.tsx'

type Props = { integrationId: string; onClose?: () => void; onMapped: (configurationId: string) => void }

export function TaskList({ integrationId, onClose, onMapped }: Props) {
  const whose = { companyId: useCompanyId(), integrationId }
  const change = useChange()
  const [typed, setTyped] = useState('')
  // set once the id is complete, so that not every digit triggers a request
  const [listId, setListId] = useState('')
  const [map, setMap] = useMap(listId)
  const save = async (filled: Filled) => {
    const { createTaskTrackerConfiguration } = await change(MapList, {
      input: {
        integrationId,
        assetId: filled.optional('assetId'),
        list: { id: listId, name: filled.text('name') },
        statusMappings: mappingsOf(map),
        createFrom: createFromOf(filled),
      },
    })
    const id = createTaskTrackerConfiguration?.taskTrackerConfiguration.id
    if (id !== undefined) onMapped(id)
  }
  return (
    <Form action={save} submit="Check and map" onCancel={onClose} disabledReason={whyNotYet(listId, map)}>
      <TextField
        name="list"
        label="List ID"
        required
        hint="The number at the end of the list’s URL."
        value={typed}
        pattern="\d{3,}"
        onChange={(event) => setTyped(event.target.value.trim())}
        onBlur={() => setListId(/^\d{3,}$/.test(typed) ? typed : '')}
      />
      <TextField name="name" label="List name" required />
      {listId !== '' && <ListMap place={{ ...whose, listId }} map={map} onChange={setMap} />}
      <WhichFindings integrationId={integrationId} map={listId === '' ? null : map} />
    </Form>
  )
}
