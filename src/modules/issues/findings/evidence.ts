// The types of identity matching: what a tool observed, what is known of a finding, and the evidence that matched them.

import type { Finding, Place } from './finding.ts'
import { hash64, type Snippet } from './snippet.ts'

/** The evidence by which an observation was matched with a known finding, or NEW. */
export type MatchedBy =
  | 'TOOL_ID'
  | 'FINGERPRINT'
  | 'PLACE'
  | 'SNIPPET_IN_FILE'
  | 'CONTEXT'
  | 'STYLE_IN_FILE'
  | 'SNIPPET_ELSEWHERE'
  | 'NEAREST_LINE'
  | 'NEW'

/** What is compared of a report, apart from path and line. Stored with each place, so that another rule can be tried on it. */
export type Evidence = {
  title: string
  rule: string
  toolId?: string
  fingerprint?: string
  partialFingerprint?: string
  column?: number
  token?: string
  snippetHash?: string
  isLong?: true
}

export function evidenceOf({ rule, fields, place, snippet }: Finding): Evidence {
  const evidence: Evidence = { title: nameOf(fields.title), rule: nameOf(rule) }
  if (fields.originalIssueIdFromTool !== null) evidence.toolId = fields.originalIssueIdFromTool
  if (fields.fingerprint !== null) evidence.fingerprint = fields.fingerprint
  if (fields.partialFingerprint !== null) evidence.partialFingerprint = fields.partialFingerprint
  if (place.column !== null) evidence.column = place.column
  if (place.token !== null) evidence.token = place.token
  if (snippet !== null) evidence.snippetHash = snippet.hash
  if (snippet?.isLong) evidence.isLong = true
  return evidence
}

/** A name in the form in which it is compared: a long one is replaced by its hash. */
export const nameOf = (text: string): string => (text.length <= 100 ? text : hash64(text))

/** An observation of a tool, with its place carried to the head of the branch. `code`: the text of its snippet. */
export type Observed = {
  toolId: string | null
  fingerprint: string | null
  partialFingerprint: string | null
  place: Place
  snippet: Snippet | null
  code?: string | null
}

/**
 * A known finding on one branch, in the same bucket, with its place carried to the head of the branch.
 * `isMapped`: the deploys' diffs say exactly where its line is at the scanned commit, and that it still exists.
 * `isTouched`: they say that its line was removed or replaced since it was last reported.
 * `isGone`: they say that its line was removed without a replacement.
 * `seen`: whether it was already reported at the scanned commit, or by the same run.
 * `code`: the text of its snippet; missing if only a hash of it was kept.
 */
export type Candidate = {
  issueId: string
  isOwnBranch: boolean
  isOpen: boolean
  toolId: string | null
  fingerprint: string | null
  partialFingerprint: string | null
  place: Place
  snippetHash: string | null
  code?: string | null
  isMapped: boolean
  isTouched: boolean
  isGone: boolean
  seen: 'HERE' | 'ELSEWHERE' | 'UNKNOWN'
}

/** WHOLE: the observations are everything that the report has in the bucket. PARTIAL: others may follow, or came before. */
export type Extent = 'WHOLE' | 'PARTIAL'

export type Match = { matchedBy: MatchedBy; candidate: Candidate | null }
