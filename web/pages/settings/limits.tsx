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
          The console and the API share one endpoint. The <a href={to.explorer({ companyId })}>API explorer</a> uses
          your session; pipelines send <code>x-api-key</code>.
        </p>
        <Answered of={answer}>
          {({ limits }) => (
            <Facts
              facts={[
                { name: 'Attachment size', fact: size(limits.attachmentBytes) },
                { name: 'Diff size', fact: size(limits.diffBytes) },
                { name: 'Report size', fact: size(limits.reportBytes) },
                { name: 'JSON body size', fact: size(limits.jsonBytes) },
                { name: 'File inside JSON', fact: size(limits.inlineUploadBytes) },
                { name: 'Files per request', fact: count(limits.filesPerRequest) },
                { name: 'Rows per page', fact: count(limits.pageSize) },
                { name: 'Query size', fact: `${size(limits.documentBytes)}, ${count(limits.documentTokens)} tokens` },
                { name: 'Query depth', fact: count(limits.documentDepth) },
                { name: 'Query aliases', fact: count(limits.documentAliases) },
                { name: 'Query cost', fact: count(limits.documentCost) },
                { name: 'Requests per minute', fact: count(limits.requestsPerMinute) },
                { name: 'Request timeout', fact: `${count(limits.requestMilliseconds / 1_000)} s` },
                { name: 'Statement timeout', fact: `${count(limits.statementMilliseconds / 1_000)} s` },
              ]}
            />
          )}
        </Answered>
      </div>
    </Page>
  )
}
