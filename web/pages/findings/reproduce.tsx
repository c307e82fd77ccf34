// Instructions to reproduce a finding in a running application.

import { CopyText } from '../../ui/copy-text.tsx'
import { curlOf } from './curl.ts'
import type { FindingDetail } from './panel-documents.ts'

export function Reproduce({ issue }: { issue: FindingDetail }) {
  const http = 'http' in issue ? issue.http : null
  const command = http?.request ? curlOf(http.request, http.url) : null
  if (command === null) return <p className="muted">The report contains no request that can be repeated.</p>
  return (
    <div className="stack">
      <p>Repeats the recorded request. Credentials are masked; insert your own.</p>
      <CopyText text={command} what="the command" />
    </div>
  )
}
