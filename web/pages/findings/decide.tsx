// Deciding on findings: the statuses they may go to, those they may not with the reason, and what the server says.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { ChoiceField, LongTextField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Status, StatusWord, statuses } from '../../ui/status.tsx'
import { counted, wordsOf } from '../../util/words.ts'
import { DecideMany, DecideOne } from './documents.ts'

/** `permitted` is known of a single finding; of many, the server tells of the first that may not. */
export type Deciding = { ids: readonly string[]; title: string; status?: Status; permitted?: readonly Status[] }

type Props = { companyId: string; deciding: Deciding; onClose: () => void; onDone: () => void }

/** Statuses that are a person's word, which needs a reason. */
const needReason: readonly Status[] = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

const whyRefused = ({ status, permitted }: Deciding, to: Status): string | undefined => {
  if (status === to) return '– it is so already'
  if (!status || !permitted || permitted.includes(to)) return undefined
  return `– not from ${wordsOf(status)}`
}

export default function DecideDialog({ companyId, deciding, onClose, onDone }: Props) {
  const change = useChange()
  const [status, setStatus] = useState<Status>()
  const { ids, title } = deciding
  const decide = async (filled: Filled) => {
    const chosen = filled.oneOf('status', statuses)
    if (!chosen) return
    const until = filled.optional('riskAcceptedUntil')
    const word = {
      status: chosen,
      reason: filled.optional('reason'),
      ...(until === null ? {} : { riskAcceptedUntil: new Date(until).toISOString() }),
    }
    const [only] = ids
    if (ids.length === 1 && only !== undefined) await change(DecideOne, { input: { id: only, ...word } }, ['Issue'])
    else await change(DecideMany, { input: { companyId, ids: [...ids], ...word } }, ['Issue'])
    say(`${ids.length === 1 ? title : counted(ids.length, 'finding')}: ${wordsOf(chosen)}.`)
    onDone()
  }

  return (
    <Dialog
      title={ids.length === 1 ? 'Decide' : `Decide on ${counted(ids.length, 'finding')}`}
      isOpen
      onClose={onClose}
    >
      <Form action={decide} submit="Decide" onCancel={onClose}>
        {ids.length === 1 && <p className="words">{title}</p>}
        <ChoiceField
          name="status"
          label="Status"
          kind="one"
          onChoose={setStatus}
          options={statuses
            .filter((to) => to !== 'DRAFT')
            .map((to) => ({ value: to, label: <StatusWord of={to} />, disabledReason: whyRefused(deciding, to) }))}
        />
        {status === 'RISK_ACCEPTED' && (
          <TextField
            name="riskAcceptedUntil"
            label="Accepted until"
            type="date"
            hint="It returns to Identified by itself then; without a date it stays."
          />
        )}
        <LongTextField
          name="reason"
          label={status && needReason.includes(status) ? 'Reason' : 'Reason (optional)'}
          required={status !== undefined && needReason.includes(status)}
          hint="Kept in the timeline. Ctrl and Enter decide."
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </Form>
    </Dialog>
  )
}
