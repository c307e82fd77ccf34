// Instructions to reproduce a finding in a running application.

import { CopyText } from '../../ui/copy-text.tsx'
import { curlOf } from './curl.ts'
import type { FindingDetail } from './panel-documents.ts'

export function Reproduce({ issue }: { issue: FindingDetail }) {
  const http = 'http' in issue ? issue.http : null
  const command = http?.request ? curlOf(http.request, http.url) : null
  if (command === null) return <p className="muted">The report came without a request that could be sent again.</p>
  return (
    <div className="stack">
      <p>The request as it was sent. Credentials were masked; put yours in their place.</p>
      <CopyText text={command} what="the command" />
    </div>
  )
}
