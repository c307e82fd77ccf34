// Which evidence makes two reports one finding, for each tool; a new rule is previewed before it is set.

import { useState } from 'react'
import { useAsk, useChange } from '../../api/ask.ts'
import { type EnumOf, graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { AssetField } from '../../choices/asset-field.tsx'
import { ChoiceField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { Answered, Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { count, placeWords } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'
import styles from './settings.module.css'

const Rules = graphql(`
  query Rules($companyId: ID!, $after: String) {
    identityRules(companyId: $companyId, pagination: { perPage: 100, after: $after }) {
      collection { toolName fields setAt setBy { name } asset { id name } }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

const PreviewRule = graphql(`
  query PreviewRule($companyId: ID!, $assetId: ID!, $toolName: String!, $rule: IdentityRuleInput!) {
    previewIdentityRule(companyId: $companyId, assetId: $assetId, toolName: $toolName, rule: $rule) {
      observations
      merges
      splits
      unrecognised
      isWhole
      examples(pagination: { perPage: 10 }) {
        collection { change path line branch issues { id title } }
      }
    }
  }
`)

const SetRule = graphql(`
  mutation SetRule($input: SetIdentityRuleInput!) {
    setIdentityRule(input: $input) { clientMutationId }
  }
`)

type Field = EnumOf<'IdentityField'>

const fields = [
  { value: 'TOOL_ID', label: 'Tool’s finding ID' },
  { value: 'FINGERPRINT', label: 'Fingerprint in the report' },
  { value: 'PLACE', label: 'Location, tracked across diffs' },
  { value: 'SNIPPET', label: 'Code, ignoring whitespace' },
  { value: 'CONTEXT', label: 'Surrounding lines' },
  { value: 'RULE', label: 'Tool rule' },
] as const satisfies readonly { value: Field; label: string }[]

type Asked = { assetId: string; toolName: string; fields: Field[] }

export function Component() {
  const companyId = useCompanyId()
  const list = useList(Rules, { companyId }, ({ identityRules }) => identityRules)
  const [asked, setAsked] = useState<Asked | null>(null)
  const preview = async (filled: Filled) => {
    const chosen = fields.map(({ value }) => value).filter((value) => filled.all('fields').includes(value))
    setAsked({ assetId: filled.text('assetId'), toolName: filled.text('toolName'), fields: chosen })
  }
  return (
    <Page title="Identity rules" crumbs={inSettings(companyId)}>
      <div className={styles.policies}>
        <section aria-label="Identity rules in effect">
          {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
          {list.isWaiting && <Awaited lines={2} />}
          {list.total?.count === 0 && (
            <p className="muted">
              No custom rules. Findings of every tool are matched on all evidence, strongest first.
            </p>
          )}
          <ul className={styles.rules}>
            {list.rows.map((rule) => (
              <li key={`${rule.toolName} ${rule.asset?.id}`}>
                <strong>{rule.toolName}</strong>
                <span className={styles.rule}>
                  {rule.asset ? `on ${rule.asset.name}: ` : 'all assets: '}
                  {rule.fields
                    .map((field) => fields.find(({ value }) => value === field)?.label.toLowerCase() ?? field)
                    .join(', ')}
                </span>
                <span className="muted">
                  <Moment at={rule.setAt} /> {rule.setBy?.name}
                </span>
              </li>
            ))}
          </ul>
          <Rest of={list} what="rule" />
        </section>
        <section className="stack">
          <h2>Preview a rule</h2>
          <Form action={preview} submit="Preview changes" isQuiet>
            <AssetField companyId={companyId} label="Asset" />
            <TextField name="toolName" label="Tool" required placeholder="semgrep" />
            <ChoiceField
              name="fields"
              label="Match findings on"
              kind="some"
              initial={['TOOL_ID', 'FINGERPRINT', 'PLACE', 'SNIPPET', 'CONTEXT']}
              options={fields}
            />
          </Form>
        </section>
        {asked && <Preview key={JSON.stringify(asked)} asked={asked} again={list.again} />}
      </div>
    </Page>
  )
}

function Preview({ asked, again }: { asked: Asked; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const { assetId, toolName, fields: chosen } = asked
  const answer = useAsk(PreviewRule, { companyId, assetId, toolName, rule: { fields: chosen } })
  const set = async () => {
    await change(SetRule, { input: { companyId, assetId, toolName, rule: { fields: chosen } } }, ['IdentityRule'])
    say('Identity rule saved. It applies from the next report.')
    await again()
  }
  return (
    <section className="stack" aria-label="Preview">
      <Answered of={answer}>
        {({ previewIdentityRule: seen }) => (
          <>
            <Facts
              facts={[
                {
                  name: 'Checked',
                  fact: `${count(seen.observations)} observations${seen.isWhole ? '' : ' (newest only)'}`,
                },
                { name: 'Merged', fact: count(seen.merges) },
                { name: 'Split', fact: count(seen.splits) },
                { name: 'New again with each report', fact: count(seen.unrecognised) },
              ]}
            />
            <ul className={styles.rules}>
              {seen.examples.collection.map((example, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: examples have nothing else to identify them
                <li key={index}>
                  <span className="code">{placeWords(example)}</span>
                  <span className={styles.rule}>
                    {example.change.toLowerCase()}:{' '}
                    {example.issues.map(({ id, title }) => `${title} (${id})`).join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
            <Form action={set} submit="Save rule" disabledReason={whyNot(session, companyId, 'issues:decide')}>
              {null}
            </Form>
          </>
        )}
      </Answered>
      {answer.isStale && !answer.data && <Button isRunning>Loading preview</Button>}
    </section>
  )
}
