// The policies of a company: what its gate allows, and by when findings are to be fixed.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { inSettings } from './crumbs.ts'
import { inputOf, RuleDialog, type RuleInput } from './rule-dialog.tsx'
import styles from './settings.module.css'
import { SlaTable } from './sla.tsx'

const Policies = graphql(`
  query Policies($companyId: ID!) {
    gatePolicy(companyId: $companyId) {
      scope
      updatedAt
      updatedBy { name }
      rules { name subject severities types olderThanDays despiteReports limit decision sentence }
    }
    slaPolicy(companyId: $companyId) { rules { severity businessImpact days isDefault } }
  }
`)

const SetGate = graphql(`
  mutation SetGate($input: SetGatePolicyInput!) {
    setGatePolicy(input: $input) { clientMutationId }
  }
`)

export type PoliciesAnswer = ResultOf<typeof Policies>

export function Component() {
  const companyId = useCompanyId()
  const answer = useAsk(Policies, { companyId }, { affectedBy: ['GatePolicy', 'SlaPolicy'] })
  return (
    <Page title="Policies" crumbs={inSettings(companyId)}>
      <Answered of={answer}>
        {({ gatePolicy, slaPolicy }) => (
          <div className={styles.policies}>
            <Gate policy={gatePolicy} again={answer.again} />
            <SlaTable rules={slaPolicy.rules} again={answer.again} />
          </div>
        )}
      </Answered>
    </Page>
  )
}

function Gate({ policy, again }: { policy: PoliciesAnswer['gatePolicy']; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  /** The place of the rule that is changed, or behind the last for another one. */
  const [editing, setEditing] = useState<number | null>(null)
  const mayNot = whyNot(session, companyId, 'gates:write')
  const set = async (rules: readonly RuleInput[]) => {
    await change(SetGate, { input: { companyId, rules: [...rules] } }, ['GatePolicy'])
    say('The gate is changed; it judges by it from now on.')
    await again()
  }
  const keep = async (rule: RuleInput, place: number) => {
    const rules = policy.rules.map(inputOf)
    await set([...rules.slice(0, place), rule, ...rules.slice(place + 1)])
    setEditing(null)
  }
  return (
    <section className="stack">
      <header className={styles.head}>
        <h2>The gate</h2>
        <span className="muted">
          {policy.scope === 'BUILT_IN' ? 'Built in; the first change makes it your own.' : 'Your own.'}{' '}
          {policy.updatedAt && (
            <>
              Changed <Moment at={policy.updatedAt} /> by {policy.updatedBy?.name ?? 'somebody who left'}.
            </>
          )}
        </span>
        <Button size="small" onClick={() => setEditing(policy.rules.length)} disabledReason={mayNot}>
          Add a rule
        </Button>
      </header>
      <ul className={styles.rules} aria-label="Rules of the gate">
        {policy.rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name
          <li key={index}>
            <StandingWord of={rule.decision === 'BLOCK' ? 'bad' : 'warned'}>
              {rule.decision === 'BLOCK' ? 'Blocks' : 'Warns'}
            </StandingWord>
            <span className={styles.rule}>
              {rule.name && <strong>{rule.name}: </strong>}
              {rule.sentence}
            </span>
            <Button
              aria-label={`Change the rule: ${rule.sentence}`}
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
          </li>
        ))}
        {policy.rules.length === 0 && <li className="muted">No rule: every deploy passes.</li>}
      </ul>
      {editing !== null && (
        <RuleDialog
          rule={policy.rules[editing]}
          onClose={() => setEditing(null)}
          onSave={(rule) => keep(rule, editing)}
        />
      )}
    </section>
  )
}
