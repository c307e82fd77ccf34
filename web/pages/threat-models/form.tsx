// The forms that create a threat model, edit one, or add a version by hand.

import { useChange } from '../../api/ask.ts'
import { Failure } from '../../api/failure.ts'
import { AssigneeField, assigneeOf } from '../../choices/assignee-field.tsx'
import { FileField, LongTextField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { RecordDialog } from '../../forms/record-dialog.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AddVersion, CreateThreatModel, type ThreatModel, UpdateThreatModel } from './documents.ts'

type Props = {
  companyId: string
  model?: ThreatModel
  onClose: () => void
  onDone: (id: string) => void | Promise<void>
}

export function ThreatModelDialog({ companyId, model, onClose, onDone }: Props) {
  const change = useChange()
  const save = async (filled: Filled) => {
    const fields = {
      label: filled.text('label'),
      description: filled.optional('description'),
      scopeText: filled.optional('scopeText'),
      assigneeEmail: assigneeOf(filled, model?.assignee),
    }
    const payload = model
      ? (await change(UpdateThreatModel, { input: { ...fields, id: model.id } })).updateThreatModelArtifact
      : (await change(CreateThreatModel, { input: { ...fields, companyId } }, ['ThreatModelArtifact']))
          .createThreatModelArtifact
    say(model ? 'Threat model saved.' : 'Threat model created.')
    if (payload) await onDone(payload.threatModelArtifact.id)
  }
  return (
    <RecordDialog what="threat model" isNew={!model} save={save} onClose={onClose}>
      <TextField name="label" label="Name" required maxLength={500} defaultValue={model?.label} />
      <LongTextField name="description" label="Description (optional)" defaultValue={model?.description ?? ''} />
      <LongTextField
        name="scopeText"
        label="Scope (optional)"
        hint="What the model covers, and what it does not."
        defaultValue={model?.scopeText ?? ''}
      />
      <AssigneeField companyId={companyId} assignee={model?.assignee} />
    </RecordDialog>
  )
}

type VersionProps = { model: ThreatModel; onClose: () => void; onDone: () => Promise<void> }

/**
 * In characters. The parts of a longer file are not sent along, because the file and its parts must fit into one
 * request of 2 MiB.
 */
const MOST_TAKEN_APART = 400_000

/** How deeply nested the parts may be that the contract accepts beside the file. */
const DEEPEST_TAKEN_APART = 32

/**
 * The system's parts, where the file is JSON that names them. A file that is not JSON, is null or is nested too deeply
 * has none, and is stored as it is.
 */
function partsOf(content: string): unknown {
  if (content.length > MOST_TAKEN_APART) return []
  try {
    const parts: unknown = JSON.parse(content) ?? []
    return isWithin(parts, DEEPEST_TAKEN_APART) ? parts : []
  } catch {
    return []
  }
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)))

/** Only UTF-8 text without NUL characters can be stored unchanged. */
async function textOf(file: File): Promise<string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer())
    if (!text.includes('\0')) return text
  } catch {}
  throw new Failure('The file is not UTF-8 text.', 'BAD_USER_INPUT', 'diagramContent')
}

export function VersionDialog({ model, onClose, onDone }: VersionProps) {
  const change = useChange()
  const add = async (filled: Filled) => {
    const file = filled.file('diagramContent')
    if (!file) throw new Failure('Choose a file first.', 'BAD_USER_INPUT', 'diagramContent')
    const diagramContent = await textOf(file)
    const input = {
      artifactId: model.id,
      diagramType: filled.text('diagramType'),
      diagramContent,
      architectureItems: partsOf(diagramContent),
      notes: filled.optional('notes'),
    }
    const { createThreatModelArtifactVersion: added } = await change(AddVersion, { input })
    if (added) say(`Version ${added.version.version} added.`)
    await onDone()
  }
  return (
    <Dialog
      title="Add version"
      description="The file is stored unchanged. Requirements are created only from an imported file."
      isOpen
      onClose={onClose}
    >
      <Form action={add} submit="Add version" onCancel={onClose}>
        <FileField
          name="diagramContent"
          label="File"
          required
          hint="Text, such as a diagram’s source; at most 1 MiB."
        />
        <TextField name="diagramType" label="Format" required maxLength={100} placeholder="Mermaid" />
        <LongTextField name="notes" label="Notes (optional)" />
      </Form>
    </Dialog>
  )
}
