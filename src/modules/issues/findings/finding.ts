// A reported finding in one trusted form for all types, with the bucket and the birth key that identify it.

import { sha256In } from '../../../core/crypto.ts'
import type { Disposition, IssueStatus, IssueType, SeverityCategory } from '../../../core/db/tables.generated.ts'
import type { FlowStep, ProofRange } from '../../../reports/types.ts'
import type { Level } from '../severity.ts'
import type { Snippet } from './snippet.ts'

/** Texts and numbers, and the `flow` for a finding in code. */
export type Detail = Readonly<Record<string, string | number | readonly FlowStep[] | readonly ProofRange[]>>

/** The fields of an issue that a scan may write; null leaves the field unchanged. */
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
  /** the type-specific fields, by their names in the API */
  detail: Detail | null
  originalIssueIdFromTool: string | null
  fingerprint: string | null
  partialFingerprint: string | null
}

/** A place in the code, with the code itself. */
export type Spot = {
  path: string | null
  line: number | null
  firstLine: number | null
  column: number | null
  snippet: string | null
  snippetHash: string | null
}

/** A further place of an exported finding, beside the one that it is matched by. */
export type KeptPlace = Spot & {
  branch: string
  commit: string | null
  disposition: Disposition | null
  isOpen: boolean
}

/** Times in ISO 8601; null for what did not happen. */
export type KeptTimes = {
  createdAt: string | null
  decidedAt: string | null
  closedAt: string | null
  /** when its SLA started */
  slaStartedAt: string | null
}

/** The further data of a finding exported by another installation; written when the finding is created. */
export type Kept = {
  /** unique within the file */
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
  /** its own place first, if it has one */
  places: readonly KeptPlace[]
}

/** `token` takes the place of a line if there is none: package and version, or method and parameters. */
export type Place = { path: string | null; line: number | null; column: number | null; token: string | null }

/** The kinds of evidence that a rule can select; docs/identity.md describes each. */
export const identityFields = ['TOOL_ID', 'FINGERPRINT', 'PLACE', 'SNIPPET', 'CONTEXT', 'RULE'] as const

export type IdentityField = (typeof identityFields)[number]

export type Finding = {
  type: IssueType
  /** '' when the tool is not named */
  toolName: string
  /** the tool's rule id, else the title */
  rule: string
  fields: ScanFields
  /** the status of a new finding; null: CREATED */
  status: IssueStatus | null
  /** whether the report itself says that it is fixed, so that it is not opened again */
  isFixed?: boolean
  place: Place
  firstLine: number | null
  /** the text that is stored, and the part of it that is compared */
  text: string | null
  snippet: Snippet | null
  kept?: Kept
  /** the evidence that counts, if an identity rule restricts it, and the substitute for the tool's rule if that does not count */
  counts?: readonly IdentityField[]
  within?: string
}

/** The key of a finding's bucket; findings are matched only within their bucket. */
export const bucketOf = (
  assetId: string,
  { type, toolName, rule, within }: Pick<Finding, 'type' | 'toolName' | 'rule' | 'within'>,
): string => JSON.stringify([assetId, type, toolName.toLowerCase(), within ?? rule])

/** Everything that identifies a report of a finding: reports with equal identities are the same. */
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

/** The unique key of a new finding; `turn` counts the findings created from equal reports before. */
export const birthKeyOf = (identity: string, turn: number): string =>
  sha256In('hex', turn === 0 ? identity : `${identity} ${turn}`)
