// The dialogs that create requirements from attack patterns or a threat model's file, and that waive a check with a reason and an end date.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { Failure } from '../../api/failure.ts'
import { upload } from '../../api/upload.ts'
import { FileField, LongTextField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../util/words.ts'
import { type CheckDetail, CreateFromPatterns, ImportModel, Unwaive, Waive } from './documents.ts'

type Props = { companyId: string; onClose: () => void; onDone: () => Promise<void> }

export function NewRequirement({ companyId, onClose, onDone }: Props) {
  const change = useChange()
  const create = async (filled: Filled) => {
    const capecIds = [...new Set(filled.text('capecIds').match(/\d+/g) ?? [])]
    if (capecIds.length === 0)
      throw new Failure('Enter at least one attack pattern, such as CAPEC-66.', 'BAD_USER_INPUT', 'capecIds')
    const label = filled.text('label')
    await change(CreateFromPatterns, { input: { companyId, requirements: [{ label, capecIds }] } }, ['Requirement'])
    say('Requirement created.')
    await onDone()
    onClose()
  }
  return (
    <Dialog title="New requirement" isOpen onClose={onClose}>
      <Form action={create} submit="Create requirement" onCancel={onClose}>
        <TextField name="label" label="Title" required maxLength={500} placeholder="Queries take parameters" />
        <TextField
          name="capecIds"
          label="Attack patterns"
          required
          hint="CAPEC IDs, such as CAPEC-66 (SQL injection). Their weaknesses are added automatically."
          placeholder="CAPEC-66, CAPEC-7"
        />
      </Form>
    </Dialog>
  )
}

/** A file imported into an existing threat model becomes its next version. */
export function ThreatModelFile({ companyId, artifactId, onClose, onDone }: Props & { artifactId?: string }) {
  const [told, setTold] = useState<string>()
  const read = async (filled: Filled) => {
    const file = filled.file('file')
    if (!file) throw new Failure('Choose a file first.', 'BAD_USER_INPUT', 'file')
    const { importThreatModel: done } = await upload(
      ImportModel,
      { input: { companyId, artifactId } },
      { file, at: 'input.file' },
    )
    if (!done) return
    const { title, createdCount, updatedCount, unchangedCount, leftOut } = done
    const left = leftOut.length > 0 ? `, ${counted(leftOut.length, 'threat')} left out: ${leftOut[0]?.reason}` : ''
    setTold(`${title}: ${createdCount} new, ${updatedCount} updated, ${unchangedCount} unchanged${left}.`)
    await onDone()
  }
  return (
    <Dialog title="Import threat model" isOpen onClose={onClose}>
      {told === undefined ? (
        <Form action={read} submit="Import" onCancel={onClose}>
          <FileField
            name="file"
            label="File"
            required
            hint="OWASP Threat Dragon, or Open Threat Model in JSON or YAML."
          />
        </Form>
      ) : (
        <div className="stack">
          <p className="words" role="status">
            {told}
          </p>
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
    </Dialog>
  )
}

type WaiveProps = { check: CheckDetail; onClose: () => void; onDone: () => Promise<void> }

export function WaiveDialog({ check, onClose, onDone }: WaiveProps) {
  const change = useChange()
  const waive = async (filled: Filled) => {
    const until = new Date(`${filled.text('until')}T23:59:59`).toISOString()
    await change(Waive, { input: { checkId: check.id, reason: filled.text('reason'), until } }, [
      'Check',
      'Requirement',
    ])
    say(`“${check.label}” waived.`)
    await onDone()
  }
  const revoke = async () => {
    await change(Unwaive, { input: { checkId: check.id } }, ['Check', 'Requirement'])
    say('Waiver removed.')
    await onDone()
  }
  return (
    <Dialog title="Waive check" description={check.label} isOpen onClose={onClose}>
      <div className="stack">
        <Form action={waive} submit="Waive" onCancel={onClose}>
          <LongTextField name="reason" label="Reason" required defaultValue={check.waiver?.reason ?? ''} />
          <TextField name="until" label="Until" type="date" required hint="The check counts again after this day." />
        </Form>
        {check.waiver && (
          <Form action={revoke} submit="Remove waiver" isQuiet>
            {null}
          </Form>
        )}
      </div>
    </Dialog>
  )
}
