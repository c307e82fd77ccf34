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
      throw new Failure('Name at least one pattern, such as CAPEC-66.', 'BAD_USER_INPUT', 'capecIds')
    const label = filled.text('label')
    await change(CreateFromPatterns, { input: { companyId, requirements: [{ label, capecIds }] } }, ['Requirement'])
    say(`“${label}” is required.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog title="New requirement" isOpen onClose={onClose}>
      <Form action={create} submit="Require it" onCancel={onClose}>
        <TextField name="label" label="What must hold" required maxLength={500} placeholder="Queries take parameters" />
        <TextField
          name="capecIds"
          label="Attack patterns that would break it"
          required
          hint="Entries of CAPEC, such as CAPEC-66 (SQL injection). Their weaknesses follow from them."
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
    setTold(`${title}: ${createdCount} new, ${updatedCount} updated, ${unchangedCount} as before${left}.`)
    await onDone()
  }
  return (
    <Dialog title="Import a threat model" isOpen onClose={onClose}>
      {told === undefined ? (
        <Form action={read} submit="Import it" onCancel={onClose}>
          <FileField
            name="file"
            label="The file"
            required
            hint="OWASP Threat Dragon, or an Open Threat Model in JSON or YAML."
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
    say(`“${check.label}” is waived.`)
    await onDone()
  }
  const revoke = async () => {
    await change(Unwaive, { input: { checkId: check.id } }, ['Check', 'Requirement'])
    say(`“${check.label}” is no longer waived.`)
    await onDone()
  }
  return (
    <Dialog title="Waive" description={check.label} isOpen onClose={onClose}>
      <div className="stack">
        <Form action={waive} submit="Waive" onCancel={onClose}>
          <LongTextField name="reason" label="Reason" required defaultValue={check.waiver?.reason ?? ''} />
          <TextField name="until" label="Until" type="date" required hint="It counts again after that day." />
        </Form>
        {check.waiver && (
          <Form action={revoke} submit="End the waiver" isQuiet>
            {null}
          </Form>
        )}
      </div>
    </Dialog>
  )
}
