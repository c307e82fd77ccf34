// A project is begun.

import { useAsk, useChange } from '../../api/ask.ts'
import { Failure } from '../../api/failure.ts'
import { useFindAssets } from '../../choices/assets.ts'
import { LongTextField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CreateProject, ProjectTypes } from './documents.ts'

type Props = { companyId: string; onClose: () => void; onDone: (id: string) => void }

export function NewProject({ companyId, onClose, onDone }: Props) {
  const change = useChange()
  const find = useFindAssets(companyId)
  const answer = useAsk(ProjectTypes, {})
  const create = async (filled: Filled) => {
    const input = {
      companyId: Number(companyId),
      label: filled.text('label'),
      goal: filled.text('goal'),
      scope: filled.text('scope'),
      typeId: Number(filled.text('typeId')),
      startDate: filled.text('startDate'),
      endDate: filled.optional('endDate'),
      assetsIds: filled.all('assetsIds').map(Number),
    }
    const { createProject } = await change(CreateProject, { input }, ['Project'])
    const [wrong] = createProject?.errors ?? []
    if (wrong !== undefined) throw new Failure(wrong, 'BAD_USER_INPUT')
    if (createProject?.project) onDone(createProject.project.id)
  }
  return (
    <Dialog title="New project" isOpen onClose={onClose}>
      <Answered of={answer} lines={4}>
        {({ projectTypes }) => (
          <Form action={create} submit="Begin the project" onCancel={onClose}>
            <TextField name="label" label="Name" required />
            <SelectField
              name="typeId"
              label="Type"
              options={projectTypes.collection.map(({ id, label }) => ({ value: id, label }))}
            />
            <LongTextField name="goal" label="Goal" required />
            <LongTextField name="scope" label="Scope" required />
            <TextField name="startDate" label="Begins" type="date" required />
            <TextField name="endDate" label="Ends (optional)" type="date" />
            <SearchField name="assetsIds" label="Assets" kind="some" find={find} what="assets" none="None yet" />
          </Form>
        )}
      </Answered>
    </Dialog>
  )
}
