// The digest of a report's content about a finding and, separately, of the report's origin.

import { sha256In } from '../../../core/crypto.ts'
import type { Finding } from './finding.ts'
import type { Report } from './input.ts'
import { hash64 } from './snippet.ts'
import type { ScanAsk } from './store-scan.ts'

type Ask = Pick<ScanAsk, 'assetId' | 'branchName' | 'projectId'>

/** The digest of a report, regardless of its run and commit; null if it names a project, which may be gone by the next time. */
export const reportKeyOf = ({ ask, finding }: Pick<Report, 'ask' | 'finding'>): string | null =>
  keyOfWords(ask, JSON.stringify(finding))

/** As reportKeyOf, for a finding that is already serialised as JSON. */
export const keyOfWords = (ask: Ask, words: string): string | null =>
  ask.projectId === null
    ? sha256In('hex', `${JSON.stringify([ask.assetId, ask.branchName])} ${words}`).slice(0, 32)
    : null

/** The origin that a report states, apart from its run. */
export const reportAskOf = (ask: ScanAsk): string => hash64(JSON.stringify({ ...ask, scanId: null }))

/** The evidence that would match a finding whose last report is repeated unchanged, at the same place. */
export function matchOfRepeated({
  fields,
  counts,
}: Pick<Finding, 'fields' | 'counts'>): 'TOOL_ID' | 'FINGERPRINT' | 'PLACE' {
  const isCounted = (field: 'TOOL_ID' | 'FINGERPRINT') => counts === undefined || counts.includes(field)
  if (fields.originalIssueIdFromTool && isCounted('TOOL_ID')) return 'TOOL_ID'
  return fields.fingerprint && isCounted('FINGERPRINT') ? 'FINGERPRINT' : 'PLACE'
}
