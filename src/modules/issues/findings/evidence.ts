// What a tool says that it saw, what is known of a finding, and how the two are matched.

import type { Finding } from './finding.ts'
import { hash64, type Snippet } from './snippet.ts'

/** The evidence that made an observation a known finding, or NEW. */
export type MatchedBy =
  | 'TOOL_ID'
  | 'FINGERPRINT'
  | 'PLACE'
  | 'SNIPPET_IN_FILE'
  | 'CONTEXT'
  | 'SNIPPET_ELSEWHERE'
  | 'NEAREST_LINE'
  | 'NEW'

/** What is compared of a report, without the path and the line: kept with each place, so that another rule can be tried on it. */
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

/** A name as it is compared: of a long one its hash. */
const nameOf = (text: string): string => (text.length <= 100 ? text : hash64(text))

/** `token` is what stands for the line where there is none: package and version, or method and parameters. */
export type Place = { path: string | null; line: number | null; column: number | null; token: string | null }

/** What a tool says that it saw. Its place is counted at the head of the branch. */
export type Observed = {
  toolId: string | null
  fingerprint: string | null
  partialFingerprint: string | null
  place: Place
  snippet: Snippet | null
}

/**
 * What is known of a finding on one branch, in the same bucket. Its place is carried to the head of the branch.
 * `isMapped`: the deploys' diffs say exactly where its line is at the commit scanned, and that it is still there.
 * `isTouched`: they say that its line was removed or replaced since it was last reported.
 * `isGone`: they say that its line is no more, and nothing came in its place.
 * `seen`: whether it was reported at the commit, or by the run, that is scanned now.
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
  isMapped: boolean
  isTouched: boolean
  isGone: boolean
  seen: 'HERE' | 'ELSEWHERE' | 'UNKNOWN'
}

/** WHOLE: the observations are all that a report has of the bucket. PARTIAL: others may come, or have come, apart. */
export type Extent = 'WHOLE' | 'PARTIAL'

export type Match = { matchedBy: MatchedBy; candidate: Candidate | null }
