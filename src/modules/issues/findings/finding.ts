// A finding as a tool reports it, trusted and in one form whatever its type, and the bucket and birth that identify it.

import { sha256In } from '../../../core/crypto.ts'
import type { Disposition, IssueStatus, IssueType, SeverityCategory } from '../../../core/db/tables.generated.ts'
import type { FlowStep, ProofRange } from '../../../reports/types.ts'
import type { Level } from '../severity.ts'
import type { Place } from './evidence.ts'
import type { IdentityField } from './rules.ts'
import type { Snippet } from './snippet.ts'

/** Texts and numbers, and of a finding in code the `flow`. */
export type Detail = Readonly<Record<string, string | number | readonly FlowStep[] | readonly ProofRange[]>>

/** What a scan may write of an issue; null says nothing of the field. */
export type ScanFields = {
  title: string
  description: string
  severity: SeverityCategory | null
  impactLevel: Level | null
  probabilityLevel: Level | null
  cvssScore: number | null
  cvssVector: string | null
  category: string | null
  cweIds: readonly number[] | null
  patterns: readonly string[] | null
  reference: string | null
  solution: string | null
  source: string | null
  sink: string | null
  /** what only this type of finding has, by the API's field names */
  detail: Detail | null
  originalIssueIdFromTool: string | null
  fingerprint: string | null
  partialFingerprint: string | null
}

/** Where a finding stands in the code, and what stands there. */
export type Spot = {
  path: string | null
  line: number | null
  firstLine: number | null
  column: number | null
  snippet: string | null
  snippetHash: string | null
}

/** A place of a kept finding beside the one that it is compared by. */
export type KeptPlace = Spot & {
  branch: string
  commit: string | null
  disposition: Disposition | null
  isOpen: boolean
}

/** Moments in ISO 8601, null where it was not so. */
export type KeptTimes = {
  createdAt: string | null
  decidedAt: string | null
  closedAt: string | null
  /** since when the time to mend it runs */
  slaStartedAt: string | null
}

/** What else there is of a finding that another installation kept; it is written with a new one. */
export type Kept = {
  /** tells it from all others of the same file */
  id: string
  /** the branch of its own place */
  branch: string
  reason: string | null
  /** whether a person set its status */
  isDecided: boolean
  times: KeptTimes
  riskAcceptedUntil: string | null
  summary: string | null
  impactDescription: string | null
  stepsToReproduce: string | null
  compromisedEnvironment: boolean
  /** its own first, where it has one */
  places: readonly KeptPlace[]
}

export type Finding = {
  type: IssueType
  /** '' when the tool is not named */
  toolName: string
  /** the tool's rule id, else the title */
  rule: string
  fields: ScanFields
  /** the status of a new finding; null: CREATED */
  status: IssueStatus | null
  /** whether the report itself says that it is fixed: then it does not open again */
  isFixed?: boolean
  place: Place
  firstLine: number | null
  /** the text that is kept, and what is compared of it */
  text: string | null
  snippet: Snippet | null
  kept?: Kept
  /** the evidence that counts, where a rule says so, and what stands for the tool's rule where that does not count */
  counts?: readonly IdentityField[]
  within?: string
}

/** Findings are matched within a bucket only. */
export const bucketOf = (
  assetId: string,
  { type, toolName, rule, within }: Pick<Finding, 'type' | 'toolName' | 'rule' | 'within'>,
): string => JSON.stringify([assetId, type, toolName.toLowerCase(), within ?? rule])

/** All that identifies a report of a finding: equal ones are one report. */
export const identityOf = (assetId: string, branch: string, commit: string | null, finding: Finding): string => {
  const { fields, place, snippet, kept } = finding
  return JSON.stringify([
    bucketOf(assetId, finding),
    branch,
    commit,
    fields.originalIssueIdFromTool,
    fields.fingerprint,
    fields.partialFingerprint,
    [place.path, place.line, place.column, place.token],
    snippet?.hash ?? null,
    ...(kept ? [kept.id] : []),
  ])
}

/** The hash under which a new finding is born; `turn` counts other findings that were born of an equal report. */
export const birthKeyOf = (identity: string, turn: number): string =>
  sha256In('hex', turn === 0 ? identity : `${identity} ${turn}`)
