// The dialog that decides on findings: the statuses that they may go to, why they may not go to the others, and the server's answer.

import { useEffect, useRef, useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { ChoiceField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Status, StatusWord, statuses } from '../../ui/status.tsx'
import { count, counted, wordsOf } from '../../util/words.ts'
import { Decided, DecideMany, DecideOne, type Standing } from './decide-documents.ts'
import { needReason, WordFields, wordIn } from './decide-fields.tsx'

/** `title` is used when the decision is on a single finding. */
export type Deciding = { ids: readonly string[]; title: string }

type Props = { companyId: string; deciding: Deciding; onClose: () => void; onDone: () => void }

/**
 * Why not all of the findings may get this status. A judgement may be repeated, with another reason or a longer term;
 * any other status that they all have already is refused.
 */
function whyRefused(standings: readonly Standing[], to: Status): string | undefined {
  const others = standings.filter(({ status }) => status !== to)
  if (standings.length > 0 && others.length === 0) return needReason.includes(to) ? undefined : '– current status'
  const refusing = others.filter(({ permittedStatus }) => !permittedStatus.includes(to))
  if (refusing.length === 0) return undefined
  const from = [...new Set(refusing.map(({ status }) => wordsOf(status)))].join(', ')
  const share = refusing.length < standings.length ? ` (${count(refusing.length)} of ${count(standings.length)})` : ''
  return `– not from ${from}${share}`
}

export default function DecideDialog(props: Props) {
  const { companyId, deciding, onClose } = props
  const { ids } = deciding
  const answer = useAsk(Decided, { companyId, ids: [...ids], perPage: ids.length }, { affectedBy: ['Issue'] })
  return (
    <Dialog
      title={ids.length === 1 ? 'Decide' : `Decide on ${counted(ids.length, 'finding')}`}
      isOpen
      onClose={onClose}
    >
      <Answered of={answer} lines={8}>
        {({ issues }) => <Word {...props} standings={issues.collection} />}
      </Answered>
    </Dialog>
  )
}

function Word({ companyId, deciding, standings, onClose, onDone }: Props & { standings: readonly Standing[] }) {
  const change = useChange()
  const [status, setStatus] = useState<Status>()
  const { ids, title } = deciding
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector<HTMLElement>('input:enabled')?.focus(), [])
  const decide = async (filled: Filled) => {
    const word = wordIn(filled)
    if (!word) return
    const [only] = ids
    if (ids.length === 1 && only !== undefined) await change(DecideOne, { input: { id: only, ...word } }, ['Issue'])
    else await change(DecideMany, { input: { companyId, ids: [...ids], ...word } }, ['Issue'])
    say(`${ids.length === 1 ? title : counted(ids.length, 'finding')} set to ${wordsOf(word.status)}.`)
    onDone()
  }

  return (
    <div ref={fields}>
      <Form action={decide} submit="Decide" onCancel={onClose}>
        {ids.length === 1 && <p className="words">{title}</p>}
        <ChoiceField
          name="status"
          label="Status"
          kind="one"
          onChoose={setStatus}
          options={statuses
            .filter((to) => to !== 'DRAFT')
            .map((to) => ({ value: to, label: <StatusWord of={to} />, disabledReason: whyRefused(standings, to) }))}
        />
        <WordFields status={status} />
      </Form>
    </div>
  )
}
