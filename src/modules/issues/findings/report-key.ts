// The digest of a report: of what it says of a finding, and apart from that of where it says to come from.

import { sha256In } from '../../../core/crypto.ts'
import type { Finding } from './finding.ts'
import type { Report } from './input.ts'
import { hash64 } from './snippet.ts'
import type { ScanAsk } from './store-scan.ts'

type Ask = Pick<ScanAsk, 'assetId' | 'branchName' | 'projectId'>

/** A report word for word, whatever its run and commit; null for one that names a project, which may be gone when it comes again. */
export const reportKeyOf = ({ ask, finding }: Pick<Report, 'ask' | 'finding'>): string | null =>
  keyOfWords(ask, JSON.stringify(finding))

/** As reportKeyOf, of a finding that was put into words as JSON already. */
export const keyOfWords = (ask: Ask, words: string): string | null =>
  ask.projectId === null
    ? sha256In('hex', `${JSON.stringify([ask.assetId, ask.branchName])} ${words}`).slice(0, 32)
    : null

/** Where a report says to come from, but for its run. */
export const reportAskOf = (ask: ScanAsk): string => hash64(JSON.stringify({ ...ask, scanId: null }))

/** How the rules know a finding whose last report comes again word for word, at the place where it stands. */
export function matchOfRepeated({
  fields,
  counts,
}: Pick<Finding, 'fields' | 'counts'>): 'TOOL_ID' | 'FINGERPRINT' | 'PLACE' {
  const isCounted = (field: 'TOOL_ID' | 'FINGERPRINT') => counts === undefined || counts.includes(field)
  if (fields.originalIssueIdFromTool && isCounted('TOOL_ID')) return 'TOOL_ID'
  return fields.fingerprint && isCounted('FINGERPRINT') ? 'FINGERPRINT' : 'PLACE'
}
