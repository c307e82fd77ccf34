// The dialog that changes the status of one or several projects, together with the reason.

import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { LongTextField, SelectField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted, optionsOf, wordsOf } from '../../util/words.ts'
import { ChangeProjectStatus } from './documents.ts'

type Status = EnumOf<'NewProjectStatusEnum'>

const statuses = ['PLANNED', 'ANALYSIS', 'PAUSED', 'DONE', 'DISCONTINUED'] as const satisfies readonly Status[]

type Props = {
  companyId: string
  ids: readonly string[]
  /** The current status, if all of them share one. */
  status?: Status
  onClose: () => void
  onDone: () => Promise<void>
}

export function StatusDialog({ companyId, ids, status, onClose, onDone }: Props) {
  const change = useChange()
  const save = async (filled: Filled) => {
    const next = filled.oneOf('projectStatus', statuses)
    if (!next) return
    const input = { companyId, ids: [...ids], projectStatus: next, reason: filled.optional('reason') }
    await change(ChangeProjectStatus, { input }, ['Project'])
    say(`${ids.length === 1 ? 'Project' : counted(ids.length, 'project')} set to ${wordsOf(next)}.`)
    await onDone()
    onClose()
  }
  const title = ids.length === 1 ? 'Change status' : `Change status of ${counted(ids.length, 'project')}`
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form action={save} submit="Change status" onCancel={onClose}>
        <SelectField
          name="projectStatus"
          label="Status"
          options={optionsOf(statuses)}
          {...(status === undefined ? { none: 'Select a status', required: true } : { defaultValue: status })}
        />
        <LongTextField name="reason" label="Reason (optional)" hint="Shown in the status history." />
      </Form>
    </Dialog>
  )
}
