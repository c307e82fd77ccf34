// The form that creates a project or edits one.

import { useAsk, useChange } from '../../api/ask.ts'
import { Failure } from '../../api/failure.ts'
import { useFindAssets } from '../../choices/assets.ts'
import { useFindPeopleByEmail } from '../../choices/people.ts'
import { LongTextField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CreateProject, type ProjectAnswer, ProjectTypes, UpdateProject } from './documents.ts'

type Props = {
  companyId: string
  project?: ProjectAnswer['project']
  onClose: () => void
  onDone: (id: string) => void | Promise<void>
}

export function ProjectDialog({ companyId, project, onClose, onDone }: Props) {
  const change = useChange()
  const findAssets = useFindAssets(companyId)
  const findPeople = useFindPeopleByEmail(companyId)
  const answer = useAsk(ProjectTypes, {})
  const save = async (filled: Filled) => {
    const chosen = (name: string) => filled.all(name).filter((value) => value !== '')
    const input = {
      companyId: Number(companyId),
      label: filled.text('label'),
      goal: filled.text('goal'),
      scope: filled.text('scope'),
      typeId: Number(filled.text('typeId')),
      startDate: filled.text('startDate'),
      endDate: filled.optional('endDate'),
      assetsIds: chosen('assetsIds').map(Number),
      allocatedPortalUserEmails: chosen('allocatedPortalUserEmails'),
    }
    const payload = project
      ? (await change(UpdateProject, { input: { ...input, id: project.id } }, ['Project'])).updateProject
      : (await change(CreateProject, { input }, ['Project'])).createProject
    const [wrong] = payload?.errors ?? []
    if (wrong !== undefined) throw new Failure(wrong, 'BAD_USER_INPUT')
    if (project) say('Project saved.')
    if (payload?.project) await onDone(payload.project.id)
  }
  return (
    <Dialog title={project ? 'Edit project' : 'New project'} isOpen onClose={onClose}>
      <Answered of={answer} lines={4}>
        {({ projectTypes }) => (
          <Form action={save} submit={project ? 'Save' : 'Create project'} onCancel={onClose}>
            <TextField name="label" label="Name" required defaultValue={project?.label} />
            <SelectField
              name="typeId"
              label="Type"
              options={projectTypes.collection.map(({ id, label }) => ({ value: id, label }))}
              defaultValue={project?.projectType.id}
            />
            <LongTextField name="goal" label="Goal" required defaultValue={project?.goal} />
            <LongTextField name="scope" label="Scope" required defaultValue={project?.scope ?? ''} />
            <TextField name="startDate" label="Start date" type="date" required defaultValue={project?.startDate} />
            <TextField name="endDate" label="End date (optional)" type="date" defaultValue={project?.endDate ?? ''} />
            <SearchField
              name="assetsIds"
              label="Assets"
              kind="some"
              find={findAssets}
              what="assets"
              none="None yet"
              initial={project?.assets ?? []}
            />
            <SearchField
              name="allocatedPortalUserEmails"
              label="Analysts"
              kind="some"
              find={findPeople}
              what="people"
              none="Nobody yet"
              initial={project?.allocatedAnalyst.flatMap(({ portalUser: one }) =>
                one ? [{ id: one.email, name: one.name, beside: one.email }] : [],
              )}
            />
          </Form>
        )}
      </Answered>
    </Dialog>
  )
}
