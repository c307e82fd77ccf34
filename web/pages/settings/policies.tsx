// The policies of a company: what its gate allows, and by when findings are to be fixed.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { ChoiceField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { severities } from '../../ui/severity.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { optionsOf } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'
import styles from './settings.module.css'
import { SlaTable } from './sla.tsx'

const Policies = graphql(`
  query Policies($companyId: ID!) {
    gatePolicy(companyId: $companyId) {
      scope
      updatedAt
      updatedBy { name }
      rules { name subject severities types olderThanDays limit decision sentence }
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
type Rule = PoliciesAnswer['gatePolicy']['rules'][number]

const subjects = [
  { value: 'INTRODUCED', label: 'that the deploy brought' },
  { value: 'TOUCHED', label: 'whose line it replaced' },
  { value: 'OPEN', label: 'that stand on the branch' },
] as const satisfies readonly { value: EnumOf<'GateSubject'>; label: string }[]

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

const inputOf = ({ name, subject, severities: of, types, olderThanDays, limit, decision }: Rule) => ({
  name,
  subject,
  severities: of,
  types,
  olderThanDays,
  limit,
  decision,
})

function Gate({ policy, again }: { policy: PoliciesAnswer['gatePolicy']; again: () => void }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const [isAdding, setAdding] = useState(false)
  const mayNot = whyNot(session, companyId, 'gates:write')
  const set = async (rules: readonly ReturnType<typeof inputOf>[]) => {
    await change(SetGate, { input: { companyId, rules: [...rules] } }, ['GatePolicy'])
    say('The gate is changed; it judges by it from now on.')
    again()
  }
  const add = async (filled: Filled) => {
    const days = filled.optional('olderThanDays')
    const rule = {
      name: filled.optional('name'),
      subject: subjects.find(({ value }) => value === filled.text('subject'))?.value ?? 'INTRODUCED',
      severities: severities.filter((severity) => filled.all('severities').includes(severity)),
      types: null,
      olderThanDays: days === null ? null : Number(days),
      limit: Number(filled.text('limit')),
      decision: filled.text('decision') === 'WARN' ? ('WARN' as const) : ('BLOCK' as const),
    }
    await set([...policy.rules.map(inputOf), rule])
    setAdding(false)
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
        <Button size="small" onClick={() => setAdding(true)} disabledReason={mayNot}>
          Add a rule
        </Button>
      </header>
      <ul className={styles.rules}>
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
      {isAdding && (
        <Dialog title="Add a rule" isOpen onClose={() => setAdding(false)}>
          <Form action={add} submit="Add it" onCancel={() => setAdding(false)}>
            <TextField name="name" label="Name (optional)" />
            <SelectField name="subject" label="Findings" options={subjects} />
            <ChoiceField
              name="severities"
              label="Of severity"
              kind="some"
              initial={['CRITICAL', 'HIGH']}
              options={optionsOf(severities)}
            />
            <TextField name="limit" label="How many are allowed" type="number" min={0} defaultValue={0} required />
            <TextField name="olderThanDays" label="Older than days (optional)" type="number" min={1} />
            <SelectField
              name="decision"
              label="More than that"
              options={[
                { value: 'BLOCK', label: 'blocks' },
                { value: 'WARN', label: 'warns' },
              ]}
            />
          </Form>
        </Dialog>
      )}
    </section>
  )
}
