// The rules of a gate, of a company or of one asset: edit them one by one, or drop them in favour of those that hold otherwise.

import { useState } from 'react'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { withGateWords } from '../../util/words.ts'
import type { GatePolicy, GateRule } from './gate-documents.ts'
import { Rules } from './gate-rules.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import styles from './settings.module.css'
import { isOwnPolicy, type Owner, useGate } from './use-gate.ts'

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
  const [editing, setEditing] = useState<Editing | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const mayNot = whyNot(session, of.companyId, 'gates:write')
  const isOwn = isOwnPolicy(policy, of)
  const words = wordsOf(of, without)
  const { save, remove, leave } = useGate(policy, of, again)
  const close = () => setEditing(null)
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
        <RuleDialog rule={editing.rule} onClose={close} onSave={(rule) => save(editing.rule, rule).then(close)} />
      )}
      {editing?.what === 'remove' && (
        <Confirm
          title="Remove rule"
          description={`It ${editing.rule.decision === 'BLOCK' ? 'blocks' : 'warns'} on ${withGateWords(editing.rule.sentence)}. New verdicts no longer consider it.`}
          submit="Remove rule"
          action={() => remove(editing.rule)}
          onClose={close}
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
