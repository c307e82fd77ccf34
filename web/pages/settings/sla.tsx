// The deadlines for fixing findings: a number of days for each severity and business impact of the asset.

import { useChange } from '../../api/ask.ts'
import { type EnumOf, graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { SeverityMark, severities } from '../../ui/severity.tsx'
import { wordsOf } from '../../util/words.ts'
import type { PoliciesAnswer } from './documents.ts'
import styles from './settings.module.css'

const SetSla = graphql(`
  mutation SetSla($input: SetSlaPolicyInput!) {
    setSlaPolicy(input: $input) { clientMutationId }
  }
`)

type Rules = PoliciesAnswer['slaPolicy']['rules']
const impacts = ['HIGH', 'MEDIUM', 'LOW', 'NOT_DEFINED'] as const satisfies readonly EnumOf<'BusinessImpactLevel'>[]

export function SlaTable({ rules, again }: { rules: Rules; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const daysOf = (severity: string, impact: string) =>
    rules.find((rule) => rule.severity === severity && rule.businessImpact === impact)?.days ?? null
  const save = async (filled: Filled) => {
    const asked = severities.flatMap((severity) =>
      impacts.map((businessImpact) => {
        const days = filled.optional(`${severity}-${businessImpact}`)
        return { severity, businessImpact, days: days === null ? null : Number(days) }
      }),
    )
    const changed = asked.filter(({ severity, businessImpact, days }) => daysOf(severity, businessImpact) !== days)
    await change(SetSla, { input: { companyId, rules: changed } }, ['SlaPolicy', 'Issue'])
    say('SLA saved.')
    await again()
  }
  return (
    <section className="stack">
      <header className={styles.head}>
        <h2>Days to fix</h2>
        <span className="muted">Counted from the first report; leave empty for no due date.</span>
      </header>
      <Form action={save} submit="Save" disabledReason={whyNot(session, companyId, 'scoring:configure')}>
        <div className={styles.wide}>
          <table className={styles.sla}>
            <thead>
              <tr>
                <th scope="col">Severity</th>
                {impacts.map((impact) => (
                  <th key={impact} scope="col">
                    {impact === 'NOT_DEFINED' ? 'Impact not set' : `${wordsOf(impact)} impact`}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {severities.map((severity) => (
                <tr key={severity}>
                  <th scope="row">
                    <SeverityMark of={severity} /> <span aria-hidden>{wordsOf(severity)}</span>
                  </th>
                  {impacts.map((impact) => (
                    <td key={impact}>
                      <input
                        type="number"
                        min={1}
                        max={3650}
                        name={`${severity}-${impact}`}
                        aria-label={`${wordsOf(severity)}, ${wordsOf(impact)}`}
                        defaultValue={daysOf(severity, impact) ?? ''}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Form>
    </section>
  )
}
