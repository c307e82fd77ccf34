// The form for one rule of the gate: which findings it counts, how many it allows, and what happens when there are more.

import type { EnumOf } from '../../api/graphql.ts'
import { ChoiceField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { severities } from '../../ui/severity.tsx'
import { optionsOf } from '../../util/words.ts'
import type { GateRule } from './gate-documents.ts'

export type RuleInput = Omit<GateRule, 'sentence'>

const subjects = [
  { value: 'INTRODUCED', label: 'introduced by the deploy' },
  { value: 'TOUCHED', label: 'on lines the deploy changed' },
  { value: 'UNMERGED', label: 'introduced by merging the branch' },
  { value: 'OPEN', label: 'open on the branch' },
] as const satisfies readonly { value: EnumOf<'GateSubject'>; label: string }[]

const decisions = [
  { value: 'BLOCK', label: 'Block' },
  { value: 'WARN', label: 'Warn' },
] as const satisfies readonly { value: GateRule['decision']; label: string }[]

const settlements = [
  { value: 'BY_ALL', label: 'Not counted, whoever decided' },
  { value: 'BY_PEOPLE', label: 'Not counted only if a person decided, not a report alone' },
] as const

export const inputOf = (rule: GateRule): RuleInput => {
  const { name, subject, severities: of, types, olderThanDays, despiteReports, limit, decision } = rule
  return { name, subject, severities: of, types, olderThanDays, despiteReports, limit, decision }
}

type Props = {
  /** The rule being edited; undefined for a new one. */
  rule: GateRule | undefined
  onClose: () => void
  onSave: (rule: RuleInput) => Promise<void>
}

export function RuleDialog({ rule, onClose, onSave }: Props) {
  const save = async (filled: Filled) => {
    const days = filled.optional('olderThanDays')
    await onSave({
      name: filled.optional('name'),
      subject: subjects.find(({ value }) => value === filled.text('subject'))?.value ?? 'INTRODUCED',
      severities: severities.filter((severity) => filled.all('severities').includes(severity)),
      types: rule?.types ?? null,
      olderThanDays: days === null ? null : Number(days),
      despiteReports: filled.text('settled') === 'BY_PEOPLE',
      limit: Number(filled.text('limit')),
      decision: filled.text('decision') === 'WARN' ? 'WARN' : 'BLOCK',
    })
  }
  return (
    <Dialog title={rule ? 'Edit rule' : 'Add rule'} isOpen onClose={onClose}>
      <Form action={save} submit={rule ? 'Save' : 'Add rule'} onCancel={onClose}>
        <TextField name="name" label="Name (optional)" defaultValue={rule?.name ?? ''} />
        <SelectField name="subject" label="Findings" options={subjects} defaultValue={rule?.subject} />
        <ChoiceField
          name="severities"
          label="Severity"
          kind="some"
          initial={rule?.severities ?? ['CRITICAL', 'HIGH']}
          options={optionsOf(severities)}
        />
        <TextField
          name="limit"
          label="Maximum allowed"
          type="number"
          min={0}
          defaultValue={rule?.limit ?? 0}
          required
        />
        <TextField
          name="olderThanDays"
          label="Older than, in days (optional)"
          type="number"
          min={1}
          defaultValue={rule?.olderThanDays ?? ''}
        />
        <SelectField
          name="settled"
          label="Suppressed, accepted and false-positive findings"
          options={settlements}
          defaultValue={rule?.despiteReports ? 'BY_PEOPLE' : 'BY_ALL'}
        />
        <SelectField name="decision" label="If exceeded" options={decisions} defaultValue={rule?.decision} />
      </Form>
    </Dialog>
  )
}
