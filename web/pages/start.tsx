// The first page: the overview of the first company, or what to do where there is no company yet.

import { Navigate } from 'react-router'
import { useAsk } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { Page } from '../frame/page.tsx'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { to } from '../util/path-builder.ts'

const FirstCompany = graphql(`
  query FirstCompany {
    companies(limit: 1, order: LABEL, orderType: ASC) {
      collection { id }
    }
  }
`)

export function Component() {
  const answer = useAsk(FirstCompany, {}, { affectedBy: ['Company'] })
  return (
    <Answered of={answer}>
      {({ companies }) => {
        const [first] = companies.collection
        if (first) return <Navigate to={to.overview({ companyId: first.id })} replace />
        return (
          <Page title="Merlon">
            <Empty title="There is no company yet" command='merlon company create "My company"'>
              <p>Everything belongs to a company: assets, findings, deploys and who may see them.</p>
            </Empty>
          </Page>
        )
      }}
    </Answered>
  )
}
