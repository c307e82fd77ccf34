// The dialog that decides on all findings matching the filters: it previews the exceptions, and a worker changes the rest, all or nothing.

import { useEffect, useRef, useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import type { VariablesOf } from '../../api/graphql.ts'
import { ChoiceField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Underway } from '../../ui/drop-area.tsx'
import { type Status, StatusWord, statuses } from '../../ui/status.tsx'
import { count, counted, wordsOf } from '../../util/words.ts'
import { DecideAll, type Decision, HowFar, type Matched, Matching } from './decide-documents.ts'
import { WordFields, wordIn } from './decide-fields.tsx'

/** The most findings that the contract takes in one decision. */
const MOST = 50_000

type Filters = NonNullable<VariablesOf<typeof Matching>['filters']>
type Props = { companyId: string; filters: Filters; onClose: () => void; onDone: () => void }

/**
 * What a decision for one status would do: how many findings would get it, and the statuses from which it cannot be
 * reached.
 */
type Coming = { to: Status; going: number; refused: { from: Status; count: number }[] }

function comingTo(to: Status, { statuses: found }: Matched): Coming {
  const others = found.filter(({ value, count: many }) => many > 0 && value !== to)
  const refused = others.filter(({ permittedStatus }) => !permittedStatus.includes(to))
  const left = refused.map(({ value, count: many }) => ({ from: value, count: many }))
  const going = others.filter((one) => !refused.includes(one)).reduce((sum, { count: many }) => sum + many, 0)
  return { to, going, refused: left }
}

export default function DecideAllDialog(props: Props) {
  const { companyId, filters, onClose } = props
  const answer = useAsk(Matching, { companyId, filters }, { affectedBy: ['Issue'] })
  const [decisionId, setDecisionId] = useState<string>()
  const again = () => {
    setDecisionId(undefined)
    void answer.again()
  }
  return (
    <Dialog title="Decide on all matching findings" isOpen onClose={onClose}>
      {decisionId === undefined ? (
        <Answered of={answer} lines={8}>
          {({ issuesStats }) => <Wish {...props} matched={issuesStats} again={answer.again} onBegun={setDecisionId} />}
        </Answered>
      ) : (
        <Going {...props} id={decisionId} again={again} />
      )}
    </Dialog>
  )
}

type WishProps = Props & { matched: Matched; again: () => Promise<void>; onBegun: (id: string | undefined) => void }

function Wish({ companyId, filters, matched, onClose, again, onBegun }: WishProps) {
  const change = useChange()
  const [status, setStatus] = useState<Status>()
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector<HTMLElement>('input:enabled')?.focus(), [])
  const coming = status && comingTo(status, matched)
  const decide = async (filled: Filled) => {
    const word = wordIn(filled)
    if (!word) return
    const input = { companyId, filters, ...word, leaveOthers: true, expectedCount: matched.total }
    try {
      const { decideOnIssues } = await change(DecideAll, { input })
      onBegun(decideOnIssues?.issueDecision.id)
    } catch (error) {
      // the preview of what would happen may be out of date
      await again()
      throw error
    }
  }
  const tooMany =
    matched.total > MOST
      ? `At most ${counted(MOST, 'finding')} can be decided on at once. Narrow the filters.`
      : undefined
  return (
    <div ref={fields}>
      <Form
        action={decide}
        submit={coming ? `Decide on ${counted(coming.going, 'finding')}` : 'Decide'}
        disabledReason={tooMany}
        onCancel={onClose}
      >
        <p>{counted(matched.total, 'finding')}, including those not loaded in the list.</p>
        <ChoiceField
          name="status"
          label="Status"
          kind="one"
          onChoose={setStatus}
          options={statuses
            .filter((to) => to !== 'DRAFT')
            .map((to) => ({
              value: to,
              label: <StatusWord of={to} />,
              disabledReason: comingTo(to, matched).going === 0 ? '– none can change to it' : undefined,
            }))}
        />
        {coming && <Left coming={coming} total={matched.total} />}
        <WordFields status={status} />
      </Form>
    </div>
  )
}

/** Which findings would keep their status, and why. */
function Left({ coming: { to, going, refused }, total }: { coming: Coming; total: number }) {
  const left = refused.reduce((sum, { count: many }) => sum + many, 0)
  const same = total - going - left
  if (left + same === 0) return null
  const from = refused.map(({ from, count: many }) => `${count(many)} ${wordsOf(from)}`)
  const reasons = [
    ...(same > 0 ? [`${count(same)} already ${wordsOf(to)}`] : []),
    ...(from.length > 0 ? [`${from.join(', ')} that cannot change to it`] : []),
  ]
  return (
    <p role="status" className="muted">
      {counted(left + same, 'finding')} {left + same === 1 ? 'keeps its' : 'keep their'} status: {reasons.join('; ')}.
    </p>
  )
}

/** The polling interval in milliseconds. */
const LOOK = 500

function Going({ id, onClose, onDone, again: anew }: Props & { id: string; again: () => void }) {
  const { data, failure, again } = useAsk(HowFar, { id })
  const found = data?.issueDecision
  const isOver = found !== undefined && found.state !== 'PENDING' && found.state !== 'RUNNING'
  const told = useRef(false)
  useEffect(() => {
    if (!isOver) {
      const timer = setInterval(again, LOOK)
      return () => clearInterval(timer)
    }
    if (told.current || found.state !== 'SUCCEEDED') return
    told.current = true
    say(outcomeOf(found))
    onDone()
    onClose()
  }, [isOver, found, again, onDone, onClose])
  if (failure) return <p role="alert">{failure.message}</p>
  if (!found || !isOver) {
    return (
      <div className="stack">
        <Underway
          what={found ? `${count(found.done)} of ${counted(found.total, 'finding')} updated` : 'Queued'}
          part={found ? found.done / found.total : 0}
        />
        <p className="muted">All changes appear together at the end. Closing this dialog does not stop them.</p>
      </div>
    )
  }
  return (
    <div className="stack">
      <div role="alert">
        <p>{found.failure ?? 'No finding was changed, because some cannot change to this status any more:'}</p>
        <ul>
          {found.refusals.map(({ from, count: many }) => (
            <li key={from}>
              {count(many)} {wordsOf(from)}
            </li>
          ))}
        </ul>
      </div>
      <div className="row">
        <Button tone="main" onClick={anew}>
          Review again
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  )
}

function outcomeOf({ status, total, unchanged }: Decision): string {
  const rest = unchanged === 0 ? '' : ` ${count(unchanged)} unchanged.`
  return `${counted(total - unchanged, 'finding')} set to ${wordsOf(status)}.${rest}`
}
