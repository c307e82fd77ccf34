// The settings of the company itself: its name and short name.

import { useAsk, useChange } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { inSettings } from './crumbs.ts'
import styles from './settings.module.css'

const CompanySettings = graphql(`
  query CompanySettings($id: ID!) {
    company(id: $id) { id label sid createdAt updatedAt }
  }
`)

const UpdateCompany = graphql(`
  mutation UpdateCompanyHere($input: UpdateCompanyInput!) {
    updateCompany(input: $input) { company { id label sid updatedAt } }
  }
`)

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const answer = useAsk(CompanySettings, { id: companyId })
  const save = async (filled: Filled) => {
    const input = { id: companyId, label: filled.text('label'), sid: filled.optional('sid') }
    await change(UpdateCompany, { input }, ['Company'])
    say('Company settings saved.')
  }
  return (
    <Page title="Company" crumbs={inSettings(companyId)}>
      <Answered of={answer}>
        {({ company }) => (
          <div className={styles.policies}>
            <Form action={save} submit="Save" disabledReason={whyNot(session, companyId, 'company:update')}>
              <TextField name="label" label="Name" required maxLength={200} defaultValue={company.label} />
              <TextField
                name="sid"
                label="Short name (optional)"
                maxLength={63}
                defaultValue={company.sid ?? ''}
                hint="Lowercase letters, digits and hyphens; unique in this installation."
              />
            </Form>
            <Facts
              facts={[
                { name: 'ID', fact: company.id },
                { name: 'Created', fact: <Moment at={company.createdAt} /> },
                { name: 'Updated', fact: <Moment at={company.updatedAt} /> },
              ]}
            />
          </div>
        )}
      </Answered>
    </Page>
  )
}
