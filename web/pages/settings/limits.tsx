// The service's limits for one request, and a link to the API explorer.

import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Facts } from '../../ui/facts.tsx'
import { to } from '../../util/path-builder.ts'
import { count, size } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'

const Limits = graphql(`
  query Limits {
    limits {
      attachmentBytes
      diffBytes
      reportBytes
      jsonBytes
      inlineUploadBytes
      filesPerRequest
      pageSize
      documentBytes
      documentTokens
      documentDepth
      documentAliases
      documentCost
      requestsPerMinute
      requestMilliseconds
      statementMilliseconds
    }
  }
`)

export function Component() {
  const companyId = useCompanyId()
  const answer = useAsk(Limits, {})
  return (
    <Page title="Limits and API" crumbs={inSettings(companyId)}>
      <div className="stack">
        <p>
          Everything here is done through one endpoint. <a href={to.explorer({ companyId })}>The explorer</a> asks it
          with the session you have; pipelines send <code>x-api-key</code>.
        </p>
        <Answered of={answer}>
          {({ limits }) => (
            <Facts
              facts={[
                { name: 'An attachment', fact: size(limits.attachmentBytes) },
                { name: 'A diff', fact: size(limits.diffBytes) },
                { name: 'A report', fact: size(limits.reportBytes) },
                { name: 'A JSON body', fact: size(limits.jsonBytes) },
                { name: 'A file inside JSON', fact: size(limits.inlineUploadBytes) },
                { name: 'Files in a request', fact: count(limits.filesPerRequest) },
                { name: 'Rows of a page', fact: count(limits.pageSize) },
                { name: 'A document', fact: `${size(limits.documentBytes)}, ${count(limits.documentTokens)} tokens` },
                { name: 'Its depth', fact: count(limits.documentDepth) },
                { name: 'Its aliases', fact: count(limits.documentAliases) },
                { name: 'Its cost', fact: count(limits.documentCost) },
                { name: 'Requests a minute', fact: count(limits.requestsPerMinute) },
                { name: 'A request', fact: `${count(limits.requestMilliseconds / 1_000)} s` },
                { name: 'A statement', fact: `${count(limits.statementMilliseconds / 1_000)} s` },
              ]}
            />
          )}
        </Answered>
      </div>
    </Page>
  )
}
