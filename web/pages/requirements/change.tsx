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
    say('The requirement is changed.')
    await onDone()
    onClose()
  }
  return (
    <Dialog title="Change the requirement" isOpen onClose={onClose}>
      <Form action={save} submit="Change it" onCancel={onClose}>
        <TextField name="label" label="What must hold" required maxLength={500} defaultValue={label} />
        <LongTextField name="description" label="In more words (optional)" defaultValue={description ?? ''} />
        {checks.length > 0 && (
          <ChoiceField
            name="checks"
            label="Its checks"
            hint="What is not chosen goes for good, with its waiver."
            kind="some"
            initial={checks.map((check) => check.id)}
            options={checks.map((check) => ({ value: check.id, label: check.label }))}
          />
        )}
      </Form>
    </Dialog>
  )
}
