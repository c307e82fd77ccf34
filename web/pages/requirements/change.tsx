// The form that edits the text of a requirement and chooses which of its checks stay.

import { useChange } from '../../api/ask.ts'
import { ChoiceField, LongTextField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChangeRequirement, type RequirementDetail } from './documents.ts'

type Props = {
  companyId: string
  requirement: RequirementDetail
  onClose: () => void
  onDone: () => Promise<void>
}

export function RequirementDialog({ companyId, requirement, onClose, onDone }: Props) {
  const change = useChange()
  const { id, label, description, check: checks } = requirement
  const save = async (filled: Filled) => {
    const kept = filled.all('checks')
    const input = {
      companyId,
      id,
      label: filled.text('label'),
      description: filled.text('description'),
      removeCheckIds: checks.map((check) => check.id).filter((one) => !kept.includes(one)),
    }
    await change(ChangeRequirement, { input }, ['Requirement', 'Check'])
    say('Requirement saved.')
    await onDone()
    onClose()
  }
  return (
    <Dialog title="Edit requirement" isOpen onClose={onClose}>
      <Form action={save} submit="Save" onCancel={onClose}>
        <TextField name="label" label="Title" required maxLength={500} defaultValue={label} />
        <LongTextField name="description" label="Description (optional)" defaultValue={description ?? ''} />
        {checks.length > 0 && (
          <ChoiceField
            name="checks"
            label="Checks"
            hint="Unselected checks are permanently deleted with their waivers."
            kind="some"
            initial={checks.map((check) => check.id)}
            options={checks.map((check) => ({ value: check.id, label: check.label }))}
          />
        )}
      </Form>
    </Dialog>
  )
}
