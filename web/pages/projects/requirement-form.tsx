// The form that adds a requirement to a project, from one of the company's or from scratch, and edits one with its activities.

import { useChange } from '../../api/ask.ts'
import { useFindRequirements } from '../../choices/requirements.ts'
import { ChoiceField, LongTextField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AddProjectRequirement, ChangeProjectRequirement, type ProjectRequirement } from './documents.ts'

const activitiesOf = (filled: Filled): { label: string }[] =>
  filled
    .text('activities')
    .split('\n')
    .map((line) => ({ label: line.trim() }))
    .filter(({ label }) => label !== '')

type AddProps = { companyId: string; projectId: string; onClose: () => void; onDone: () => Promise<void> }

export function AddRequirementDialog({ companyId, projectId, onClose, onDone }: AddProps) {
  const change = useChange()
  const find = useFindRequirements(companyId)
  const add = async (filled: Filled) => {
    const input = {
      projectId,
      requirementId: filled.optional('requirementId'),
      label: filled.text('label'),
      description: filled.optional('description'),
      activities: activitiesOf(filled),
    }
    await change(AddProjectRequirement, { input }, ['Requirement'])
    say(`“${input.label}” is required of the project.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog title="Add a requirement" isOpen onClose={onClose}>
      <Form action={add} submit="Require it" onCancel={onClose}>
        <TextField name="label" label="What must hold" required maxLength={500} />
        <LongTextField name="description" label="In more words (optional)" />
        <SearchField
          name="requirementId"
          label="As the company requires"
          find={find}
          what="requirements"
          none="Nothing of the company’s"
          hint="Its attack patterns are checked here too; its other checks become activities."
        />
        <LongTextField name="activities" label="Activities (optional)" hint="What is done for it, one a line." />
      </Form>
    </Dialog>
  )
}

type ChangeProps = { requirement: ProjectRequirement; onClose: () => void; onDone: () => Promise<void> }

export function ChangeRequirementDialog({ requirement, onClose, onDone }: ChangeProps) {
  const change = useChange()
  const { id, label, description, activities } = requirement
  const save = async (filled: Filled) => {
    const kept = filled.all('kept')
    const input = {
      id,
      label: filled.text('label'),
      description: filled.optional('description'),
      activities: activitiesOf(filled),
      removeActivityIds: activities.map((activity) => activity.id).filter((one) => !kept.includes(one)),
    }
    await change(ChangeProjectRequirement, { input }, ['Requirement'])
    say('The requirement is changed.')
    await onDone()
    onClose()
  }
  return (
    <Dialog title="Change the requirement" isOpen onClose={onClose}>
      <Form action={save} submit="Change it" onCancel={onClose}>
        <TextField name="label" label="What must hold" required maxLength={500} defaultValue={label} />
        <LongTextField name="description" label="In more words (optional)" defaultValue={description ?? ''} />
        {activities.length > 0 && (
          <ChoiceField
            name="kept"
            label="Its activities"
            hint="What is not chosen goes for good, with its files."
            kind="some"
            initial={activities.map((activity) => activity.id)}
            options={activities.map((activity) => ({ value: activity.id, label: activity.title }))}
          />
        )}
        <LongTextField name="activities" label="More activities (optional)" hint="One a line." />
      </Form>
    </Dialog>
  )
}
