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
  { value: 'INTRODUCED', label: 'that the deploy brought' },
  { value: 'TOUCHED', label: 'whose line it replaced' },
  { value: 'UNMERGED', label: 'that merging the branch would bring' },
  { value: 'OPEN', label: 'that stand on the branch' },
] as const satisfies readonly { value: EnumOf<'GateSubject'>; label: string }[]

const decisions = [
  { value: 'BLOCK', label: 'blocks' },
  { value: 'WARN', label: 'warns' },
] as const satisfies readonly { value: GateRule['decision']; label: string }[]

const settlements = [
  { value: 'BY_ALL', label: 'is let through, whoever says so' },
  { value: 'BY_PEOPLE', label: 'is let through when a person has decided it, and not by a report alone' },
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
    <Dialog title={rule ? 'Change the rule' : 'Add a rule'} isOpen onClose={onClose}>
      <Form action={save} submit={rule ? 'Change it' : 'Add it'} onCancel={onClose}>
        <TextField name="name" label="Name (optional)" defaultValue={rule?.name ?? ''} />
        <SelectField name="subject" label="Findings" options={subjects} defaultValue={rule?.subject} />
        <ChoiceField
          name="severities"
          label="Of severity"
          kind="some"
          initial={rule?.severities ?? ['CRITICAL', 'HIGH']}
          options={optionsOf(severities)}
        />
        <TextField
          name="limit"
          label="How many are allowed"
          type="number"
          min={0}
          defaultValue={rule?.limit ?? 0}
          required
        />
        <TextField
          name="olderThanDays"
          label="Older than days (optional)"
          type="number"
          min={1}
          defaultValue={rule?.olderThanDays ?? ''}
        />
        <SelectField
          name="settled"
          label="What is suppressed, accepted or called false"
          options={settlements}
          defaultValue={rule?.despiteReports ? 'BY_PEOPLE' : 'BY_ALL'}
        />
        <SelectField name="decision" label="More than that" options={decisions} defaultValue={rule?.decision} />
      </Form>
    </Dialog>
  )
}
