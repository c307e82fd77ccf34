// The start page: opens the overview of the last or first company, or explains what to do while there is none.

import { useState } from 'react'
import { Navigate } from 'react-router'
import { useAsk, useChange } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { signOut, useSession } from '../api/session.ts'
import { TextField } from '../forms/field.tsx'
import { type Filled, Form } from '../forms/form.tsx'
import { Page } from '../frame/page.tsx'
import { Answered, Awaited } from '../ui/answered.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { lastCompany } from '../util/last-visit.ts'
import { to } from '../util/path-builder.ts'

const FirstCompany = graphql(`
  query FirstCompany {
    companies(limit: 1, order: LABEL, orderType: ASC) {
      collection { id }
    }
  }
`)

/** Whether the company still exists and the user may see it. */
const LastCompany = graphql(`
  query LastCompany($id: ID!) {
    company(id: $id) { id }
  }
`)

const CreateCompany = graphql(`
  mutation CreateCompany($input: CreateCompanyInput!) {
    createCompany(input: $input) { company { id } }
  }
`)

export function Component() {
  const [last] = useState(lastCompany)
  return last === null ? <First /> : <Last id={last} />
}

function Last({ id }: { id: string }) {
  const { data, isWaiting } = useAsk(LastCompany, { id })
  if (isWaiting) return <Awaited lines={3} />
  return data ? <Navigate to={to.overview({ companyId: id })} replace /> : <First />
}

function First() {
  const answer = useAsk(FirstCompany, {}, { affectedBy: ['Company'] })
  return (
    <Answered of={answer}>
      {({ companies }) => {
        const [first] = companies.collection
        if (first) return <Navigate to={to.overview({ companyId: first.id })} replace />
        return <FirstOne />
      }}
    </Answered>
  )
}

function FirstOne() {
  const { session } = useSession()
  const change = useChange()
  const create = async (filled: Filled) => {
    await change(CreateCompany, { input: { label: filled.text('label') } }, ['Company'])
  }
  return (
    <main>
      <Page title="Merlon" actions={<Button onClick={() => void signOut()}>Sign out</Button>}>
        <Empty title="No company yet">
          <p>A company holds your assets, findings, deploys and members.</p>
          {session?.isAdministrator ? (
            <Form action={create} submit="Create company">
              <TextField name="label" label="Company name" required autoFocus placeholder="Harbour Shop" />
            </Form>
          ) : (
            <p>Ask an administrator to create one or add you to one.</p>
          )}
        </Empty>
      </Page>
    </main>
  )
}
