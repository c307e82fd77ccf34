// The fields of a decision apart from its status, shared by decisions on one finding, on several, and on all that match the filters.

import { LongTextField, TextField } from '../../forms/field.tsx'
import type { Filled } from '../../forms/form.tsx'
import { type Status, statuses } from '../../ui/status.tsx'

/** Statuses that rest on a person's judgement, and so need a reason. */
export const needReason: readonly Status[] = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

export function WordFields({ status }: { status: Status | undefined }) {
  const isNeeded = status !== undefined && needReason.includes(status)
  return (
    <>
      {status === 'RISK_ACCEPTED' && (
        <TextField
          name="riskAcceptedUntil"
          label="Accepted until"
          type="date"
          hint="Returns to Identified after this day. Leave empty for no expiry."
        />
      )}
      <LongTextField
        name="reason"
        label={isNeeded ? 'Reason' : 'Reason (optional)'}
        required={isNeeded}
        hint="Recorded in the timeline. Ctrl Enter submits."
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
    </>
  )
}

/** Null if no status is chosen. */
export function wordIn(filled: Filled) {
  const status = filled.oneOf('status', statuses)
  if (!status) return null
  const until = filled.optional('riskAcceptedUntil')
  return {
    status,
    reason: filled.optional('reason'),
    ...(until === null ? {} : { riskAcceptedUntil: new Date(`${until}T23:59:59`).toISOString() }),
  }
}
