// The rules of a gate, a company's or those of one asset: changed one by one, and given up for those that hold without them.

import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { withGateWords } from '../../util/words.ts'
import { DeleteGate, type GatePolicy, type GateRule, SetGate } from './gate-documents.ts'
import { inputOf, RuleDialog, type RuleInput } from './rule-dialog.tsx'
import styles from './settings.module.css'

/** Whose gate it is: an asset's own where one is named. */
type Owner = { companyId: string; assetId?: string }

type Props = {
  policy: GatePolicy
  of: Owner
  /** Whose rules hold where it has none of its own. */
  without: Exclude<GatePolicy['scope'], 'ASSET'>
  again: () => Promise<void>
}

export function Gate({ policy, of, without, again }: Props) {
  const { session } = useSession()
  const change = useChange()
  /** The place of the rule that is changed, or behind the last for another one. */
  const [editing, setEditing] = useState<number | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const mayNot = whyNot(session, of.companyId, 'gates:write')
  const isOwn = policy.scope === (of.assetId === undefined ? 'COMPANY' : 'ASSET')
  const words = wordsOf(of, without)
  const set = async (rules: readonly RuleInput[]) => {
    await change(SetGate, { input: { ...of, rules: [...rules] } }, ['GatePolicy'])
    say('The gate is changed; it judges by it from now on.')
    await again()
  }
  const keep = async (rule: RuleInput, place: number) => {
    const rules = policy.rules.map(inputOf)
    await set([...rules.slice(0, place), rule, ...rules.slice(place + 1)])
    setEditing(null)
  }
  const leave = async () => {
    const { deleteGatePolicy: left } = await change(DeleteGate, { input: of }, ['GatePolicy'])
    say(
      left?.gatePolicy.scope === 'COMPANY' ? 'The rules of the company hold again.' : 'The built-in rules hold again.',
    )
    await again()
  }
  return (
    <section className="stack">
      <header className={styles.head}>
        <h2>The gate</h2>
        <span className="muted">
          {isOwn ? words.own : words.inherited(policy.scope)}{' '}
          {isOwn && policy.updatedAt && (
            <>
              Changed <Moment at={policy.updatedAt} /> by {policy.updatedBy?.name ?? 'somebody who left'}.
            </>
          )}
        </span>
        <Button size="small" onClick={() => setEditing(policy.rules.length)} disabledReason={mayNot}>
          Add a rule
        </Button>
        {isOwn && (
          <Button size="small" onClick={() => setLeaving(true)} disabledReason={mayNot}>
            {words.leave}…
          </Button>
        )}
      </header>
      <Rules of={policy.rules} label="Rules of the gate">
        {(rule, index) => (
          <>
            <Button
              aria-label={`Change the rule: ${withGateWords(rule.sentence)}`}
              onClick={() => setEditing(index)}
              disabledReason={mayNot}
            >
              Change…
            </Button>
            <Form
              submit="Remove"
              isQuiet
              disabledReason={mayNot}
              action={() => set(policy.rules.filter((_, other) => other !== index).map(inputOf))}
            >
              {null}
            </Form>
          </>
        )}
      </Rules>
      {editing !== null && (
        <RuleDialog
          rule={policy.rules[editing]}
          onClose={() => setEditing(null)}
          onSave={(rule) => keep(rule, editing)}
        />
      )}
      {isLeaving && (
        <Confirm
          title={words.leave}
          description={words.after}
          submit="Give up these rules"
          action={leave}
          onClose={() => setLeaving(false)}
        />
      )}
    </section>
  )
}

const wordsOf = ({ assetId }: Owner, without: Props['without']) =>
  assetId === undefined
    ? {
        own: 'Your own.',
        inherited: () => 'Built in; the first change makes it your own.',
        leave: 'Back to the built-in rules',
        after: 'The rules of the company go, and the built-in ones hold for every asset without rules of its own.',
      }
    : {
        own: 'The asset’s own, in place of the company’s.',
        inherited: (scope: GatePolicy['scope']) =>
          `${scope === 'COMPANY' ? 'The company’s' : 'Built in'}; the first change makes it the asset’s own.`,
        leave: without === 'COMPANY' ? 'Back to the company’s rules' : 'Back to the built-in rules',
        after: `The rules of the asset go, and ${without === 'COMPANY' ? 'those of the company' : 'the built-in ones'} hold for it.`,
      }

type RulesProps<Rule> = {
  of: readonly Rule[]
  label: string
  /** What can be done with one of them. */
  children?: (rule: Rule, index: number) => ReactNode
}

/** Rules as sentences, each with what more than it allows comes to. */
export function Rules<Rule extends Pick<GateRule, 'decision' | 'name' | 'sentence'>>({
  of,
  label,
  children,
}: RulesProps<Rule>) {
  return (
    <ul className={styles.rules} aria-label={label}>
      {of.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name
        <li key={index}>
          <StandingWord of={rule.decision === 'BLOCK' ? 'bad' : 'warned'}>
            {rule.decision === 'BLOCK' ? 'Blocks' : 'Warns'}
          </StandingWord>
          <span className={styles.rule}>
            {rule.name && <strong>{rule.name}: </strong>}
            allows {withGateWords(rule.sentence)}
          </span>
          {children?.(rule, index)}
        </li>
      ))}
      {of.length === 0 && <li className="muted">No rule: every deploy passes.</li>}
    </ul>
  )
}
