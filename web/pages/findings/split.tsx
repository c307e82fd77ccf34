// Splits what was wrongly merged into one finding: one tool's reports, or everything reported at one place.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { LongTextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const Split = graphql(`
  mutation Split($input: SplitIssueInput!) {
    splitIssue(input: $input) { splitIssue { id title } }
  }
`)

/** The part to split off, and its description. */
export type Splitting = { part: { witnessId: string } | { placeId: string }; told: string }

type Props = {
  companyId: string
  issueId: string
  splitting: Splitting
  onClose: () => void
  onDone: () => Promise<void>
}

export default function SplitDialog({ companyId, issueId, splitting: { part, told }, onClose, onDone }: Props) {
  const change = useChange()
  const split = async (filled: Filled) => {
    const input = { companyId, issueId, ...part, reason: filled.text('reason') }
    const { splitIssue: answer } = await change(Split, { input }, ['Issue'])
    if (answer) say(`${answer.splitIssue.title} split off as finding ${answer.splitIssue.id}.`)
    await onDone()
  }
  return (
    <Dialog
      title="Split off"
      description={`${told} becomes a separate finding. This is permanent: no rule joins the two again.`}
      isOpen
      onClose={onClose}
    >
      <Form action={split} submit="Split off" onCancel={onClose}>
        <LongTextField name="reason" label="Reason" required hint="Recorded in the timeline of both." />
      </Form>
    </Dialog>
  )
}
