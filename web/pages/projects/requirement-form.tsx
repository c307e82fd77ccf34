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
    say(`“${input.label}” added to the project.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog title="Add requirement" isOpen onClose={onClose}>
      <Form action={add} submit="Add requirement" onCancel={onClose}>
        <TextField name="label" label="Title" required maxLength={500} />
        <LongTextField name="description" label="Description (optional)" />
        <SearchField
          name="requirementId"
          label="Company requirement"
          find={find}
          what="requirements"
          none="None"
          hint="Its attack patterns are checked here too; its other checks become activities."
        />
        <LongTextField name="activities" label="Activities (optional)" hint="Work to do for it, one per line." />
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
    say('Requirement saved.')
    await onDone()
    onClose()
  }
  return (
    <Dialog title="Edit requirement" isOpen onClose={onClose}>
      <Form action={save} submit="Save" onCancel={onClose}>
        <TextField name="label" label="Title" required maxLength={500} defaultValue={label} />
        <LongTextField name="description" label="Description (optional)" defaultValue={description ?? ''} />
        {activities.length > 0 && (
          <ChoiceField
            name="kept"
            label="Current activities"
            hint="Unselected activities are permanently deleted with their files."
            kind="some"
            initial={activities.map((activity) => activity.id)}
            options={activities.map((activity) => ({ value: activity.id, label: activity.title }))}
          />
        )}
        <LongTextField name="activities" label="New activities (optional)" hint="One per line." />
      </Form>
    </Dialog>
  )
}
