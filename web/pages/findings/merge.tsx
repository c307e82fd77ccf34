// The dialog that merges findings that are the same: which of them stays, and why they are one.

import { useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { ChoiceField, LongTextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { counted, placeWords } from '../../util/words.ts'
import type { FindingRow } from './documents.ts'

const Merge = graphql(`
  mutation Merge($input: MergeIssuesInput!) {
    mergeIssues(input: $input) { issue { id } }
  }
`)

type Props = { companyId: string; rows: readonly FindingRow[]; onClose: () => void; onDone: () => void }

export default function MergeDialog({ companyId, rows, onClose, onDone }: Props) {
  const change = useChange()
  const merge = async (filled: Filled) => {
    const stays = rows.find(({ id }) => id === filled.text('issueId'))
    if (!stays) return
    const mergeIds = rows.map(({ id }) => id).filter((id) => id !== stays.id)
    const input = { companyId, issueId: stays.id, mergeIds, reason: filled.text('reason') }
    await change(Merge, { input }, ['Issue'])
    say(`${counted(mergeIds.length, 'finding')} merged into ${stays.title}.`)
    onDone()
  }
  return (
    <Dialog
      title={`Merge ${counted(rows.length, 'finding')}`}
      description="Later reports of any of them update the one you keep. To undo this, split them in its panel, under Identity."
      isOpen
      onClose={onClose}
    >
      <Form action={merge} submit="Merge" onCancel={onClose}>
        <ChoiceField
          name="issueId"
          label="Finding to keep"
          kind="one"
          initial={rows.slice(0, 1).map(({ id }) => id)}
          options={rows.map((row) => ({ value: row.id, label: <Named row={row} /> }))}
        />
        <LongTextField name="reason" label="Reason" required hint="Recorded in the timeline of each." />
      </Form>
    </Dialog>
  )
}

function Named({ row: { id, title, severity, occurrences } }: { row: FindingRow }) {
  const [at] = occurrences
  return (
    <span className="words">
      <SeverityMark of={severity} /> {title}{' '}
      <span className="muted">
        {at?.path ? `${placeWords(at)}, ` : ''}finding {id}
      </span>
    </span>
  )
}
