// The rules of a gate, of a company or of one asset: edit them one by one, or drop them in favour of those that hold otherwise.

import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { asFailure, Failure } from '../../api/failure.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { withGateWords } from '../../util/words.ts'
import { DeleteGate, type GatePolicy, type GateRule, SetGate } from './gate-documents.ts'
import { inputOf, RuleDialog, type RuleInput } from './rule-dialog.tsx'
import styles from './settings.module.css'

/** Whose gate it is: the asset's own if one is named, otherwise the company's. */
type Owner = { companyId: string; assetId?: string }

/** The dialog that is open over the rules. */
type Editing = { what: 'add'; rule?: undefined } | { what: 'change' | 'remove'; rule: GateRule }

type Props = {
  policy: GatePolicy
  of: Owner
  /** Whose rules hold if it has none of its own. */
  without: Exclude<GatePolicy['scope'], 'ASSET'>
  again: () => Promise<void>
}

export function Gate({ policy, of, without, again }: Props) {
  const { session } = useSession()
  const change = useChange()
  const [editing, setEditing] = useState<Editing | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const mayNot = whyNot(session, of.companyId, 'gates:write')
  const isOwn = policy.scope === (of.assetId === undefined ? 'COMPANY' : 'ASSET')
  const words = wordsOf(of, without)
  const replaces = isOwn ? policy.updatedAt : null
  /** On a conflict, loads the rules that somebody else has saved meanwhile instead of overwriting them. */
  const unlessChanged = async <T,>(changing: Promise<T>): Promise<T> => {
    try {
      return await changing
    } catch (error) {
      if (asFailure(error).code !== 'CONFLICT') throw error
      await again()
      throw new Failure('The gate was changed by someone else. Their rules are now shown; try again.', 'CONFLICT')
    }
  }
  const set = async (rules: readonly RuleInput[]) => {
    await unlessChanged(change(SetGate, { input: { ...of, rules: [...rules], replaces } }, ['GatePolicy']))
    say('Gate saved. It applies to verdicts from now on.')
    await again()
    setEditing(null)
  }
  /** The current index of a rule, which others may have moved since its dialog was opened. */
  const placeOf = (rule: GateRule): number => {
    const place = policy.rules.findIndex((other) => isSame(other, rule))
    if (place < 0) throw new Failure('This rule no longer exists: someone else changed the gate.', 'CONFLICT')
    return place
  }
  const save = (before: GateRule | undefined) => async (rule: RuleInput) => {
    const rules = policy.rules.map(inputOf)
    await set(before === undefined ? [...rules, rule] : rules.with(placeOf(before), rule))
  }
  const remove = async (rule: GateRule) => {
    const place = placeOf(rule)
    await set(policy.rules.filter((_, other) => other !== place).map(inputOf))
  }
  const leave = async () => {
    const { deleteGatePolicy: left } = await unlessChanged(
      change(DeleteGate, { input: { ...of, replaces } }, ['GatePolicy']),
    )
    say(left?.gatePolicy.scope === 'COMPANY' ? 'The company’s rules apply again.' : 'The built-in rules apply again.')
    await again()
  }
  return (
    <section className="stack">
      <header className={styles.head}>
        <h2>Gate</h2>
        <span className="muted">
          {isOwn ? words.own : words.inherited(policy.scope)}{' '}
          {isOwn && policy.updatedAt && (
            <>
              Updated <Moment at={policy.updatedAt} /> by {policy.updatedBy?.name ?? 'a former member'}.
            </>
          )}
        </span>
        <Button size="small" onClick={() => setEditing({ what: 'add' })} disabledReason={mayNot}>
          Add rule
        </Button>
        {isOwn && (
          <Button size="small" onClick={() => setLeaving(true)} disabledReason={mayNot}>
            {words.leave}…
          </Button>
        )}
      </header>
      <Rules of={policy.rules} label="Gate rules">
        {(rule) => (
          <span className={styles.doing}>
            <Button
              aria-label={`Edit rule: ${withGateWords(rule.sentence)}`}
              onClick={() => setEditing({ what: 'change', rule })}
              disabledReason={mayNot}
            >
              Edit…
            </Button>
            <Button
              aria-label={`Remove rule: ${withGateWords(rule.sentence)}`}
              onClick={() => setEditing({ what: 'remove', rule })}
              disabledReason={mayNot}
            >
              Remove…
            </Button>
          </span>
        )}
      </Rules>
      {(editing?.what === 'add' || editing?.what === 'change') && (
        <RuleDialog rule={editing.rule} onClose={() => setEditing(null)} onSave={save(editing.rule)} />
      )}
      {editing?.what === 'remove' && (
        <Confirm
          title="Remove rule"
          description={`It ${editing.rule.decision === 'BLOCK' ? 'blocks' : 'warns'} on ${withGateWords(editing.rule.sentence)}. New verdicts no longer consider it.`}
          submit="Remove rule"
          action={() => remove(editing.rule)}
          onClose={() => setEditing(null)}
        />
      )}
      {isLeaving && (
        <Confirm
          title={words.leave}
          description={words.after}
          submit="Discard these rules"
          action={leave}
          onClose={() => setLeaving(false)}
        />
      )}
    </section>
  )
}

const isSame = (one: GateRule, other: GateRule): boolean =>
  JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(other))

const wordsOf = ({ assetId }: Owner, without: Props['without']) =>
  assetId === undefined
    ? {
        own: 'Custom rules.',
        inherited: () => 'Built-in rules; the first edit creates custom ones.',
        leave: 'Use the built-in rules',
        after: 'The company’s rules are deleted. The built-in rules apply to every asset without its own rules.',
      }
    : {
        own: 'This asset’s own rules override the company’s.',
        inherited: (scope: GatePolicy['scope']) =>
          `${scope === 'COMPANY' ? 'Company rules' : 'Built-in rules'}; the first edit creates rules for this asset.`,
        leave: without === 'COMPANY' ? 'Use the company’s rules' : 'Use the built-in rules',
        after: `The asset’s rules are deleted, and the ${without === 'COMPANY' ? 'company’s' : 'built-in'} rules apply.`,
      }

type RulesProps<Rule> = {
  of: readonly Rule[]
  label: string
  /** The actions on one of the rules. */
  children?: (rule: Rule) => ReactNode
}

/** Rules as sentences, each with its consequence. */
export function Rules<Rule extends Pick<GateRule, 'decision' | 'name' | 'sentence'>>({
  of,
  label,
  children,
}: RulesProps<Rule>) {
  return (
    <ul className={styles.rules} aria-label={label}>
      {of.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have nothing else to identify them
        <li key={index}>
          <span className={styles.consequence}>
            <StandingWord of={rule.decision === 'BLOCK' ? 'bad' : 'warned'}>
              {rule.decision === 'BLOCK' ? 'Blocks' : 'Warns'}
            </StandingWord>
          </span>
          <span className={styles.rule}>
            {rule.name && <strong>{rule.name}: </strong>}
            on {withGateWords(rule.sentence)}
          </span>
          {children?.(rule)}
        </li>
      ))}
      {of.length === 0 && <li className="muted">No rules. Every deploy passes.</li>}
    </ul>
  )
}
