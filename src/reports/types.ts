// The types of a report reader's input and output: a stream of bytes becomes observations, components and other rows.

/** A report's bytes. It can be opened as often as a reader needs, and is never held whole in memory. */
export type ReportSource = {
  /** the file's name as it was sent; '' if there is none */
  name: string
  open: () => AsyncIterable<Uint8Array>
}

/** The beginning of a report, by which its format is recognised: at most `HEAD_BYTES`, without a byte order mark. */
export type ReportHead = { name: string; text: string }

export const HEAD_BYTES = 65_536

export type Severity = 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'

export type FindingType =
  | 'SAST_FINDING'
  | 'SCA_FINDING'
  | 'DAST_FINDING'
  | 'IAC_FINDING'
  | 'SECRET_FINDING'
  | 'CONTAINER_FINDING'
  | 'MAST_FINDING'

/** The part of an observation that does not depend on its kind. Fields that a report lacks are undefined. */
type CommonObservation = {
  type: FindingType
  /** the scanner's own name */
  toolName: string
  /** the scanner's rule, if it has one */
  ruleId?: string
  title: string
  description?: string
  severity?: Severity
  /** 0.0 to 10.0 */
  cvssScore?: number
  /** CVSS:3.x or CVSS:4.0 vector */
  cvssVector?: string
  /** CWE numbers, the most specific first */
  cweIds?: readonly number[]
  /** ids of the vulnerability in any database (CVE, GHSA, OSV and the like), as aliases of each other */
  vulnerabilityIds?: readonly string[]
  /** the probability of exploitation, 0 to 1, that the report itself gives (EPSS) */
  exploitProbability?: number
  /** links, one per line */
  reference?: string
  solution?: string
  tags?: readonly string[]
  /** the tool's own id of the finding, stable across its reports */
  originalIssueIdFromTool?: string
  fingerprint?: string
  partialFingerprint?: string
  /** a decision stated in the report: a suppression, a triage, a VEX statement */
  decision?: {
    status: 'SUPPRESSED' | 'FALSE_POSITIVE' | 'RISK_ACCEPTED' | 'FIX_ACCEPTED'
    reason: string
    /** for RISK_ACCEPTED, in ISO 8601: when the decision expires */
    until?: string
  }
  /** what a VEX document states about the vulnerability in the component, whichever tool reports it */
  statement?: Statement
}

/** A VEX statement. `saidAt`: when it was made, in ISO 8601. */
export type Statement = {
  status: 'NOT_AFFECTED' | 'FIXED' | 'AFFECTED' | 'UNDER_INVESTIGATION'
  reason: string
  saidAt?: string
}

/** One step of a data flow; `text` is the code there, or the tool's description of the step. */
export type FlowStep = { path?: string; line?: number; text?: string }

/** Lines of a file. */
export type Excerpt = { code: string; firstLine: number }

/** An observation in a file. `line` and `column` count from 1. */
export type CodeObservation = CommonObservation & {
  kind: 'CODE'
  fileName?: string
  /** the container image that contains the file; undefined for a file of the repository */
  image?: string
  line?: number
  column?: number
  /** the code, and its first line */
  codeSnippet?: string
  firstLine?: number
  /** the same with lines around it that are not the tool's finding; only compared, never shown */
  around?: Excerpt
  /** further places of the same finding */
  otherPlaces?: readonly { fileName: string; line?: number }[]
  /** source and sink of tainted data, as a sentence or `path:line` each */
  source?: string
  sink?: string
  /** the steps from source to sink, both included; at least two */
  flow?: readonly FlowStep[]
  commitRef?: string
}

/** An observation in a third-party component. */
export type ComponentObservation = CommonObservation & {
  kind: 'COMPONENT'
  package: string
  affectedVersion?: string
  patchedVersion?: string
  packageManager?: string
  purl?: string
  /** the file that declares or contains the component */
  fileName?: string
  image?: string
}

/** An observation in a running application or service. */
export type ExchangeObservation = CommonObservation & {
  kind: 'EXCHANGE'
  url?: string
  method?: string
  scheme?: string
  port?: number
  /** names and values as they were sent */
  parameters?: string
  request?: string
  response?: string
  /** the ranges of the response, or of the request, that prove it */
  proof?: readonly ProofRange[]
}

/** A range of characters, from 0; the end is exclusive. */
export type ProofRange = { from: number; to: number; isInRequest: boolean }

/** A type that only people enter, never a scanner. */
type ManualType = 'NETWORK_VULNERABILITY' | 'SOURCE_CODE_VULNERABILITY' | 'WEB_VULNERABILITY'

export type KeptStatus =
  | 'CREATED'
  | 'DRAFT'
  | 'IDENTIFIED'
  | 'IN_PROGRESS'
  | 'AWAITING_VALIDATION'
  | 'FIX_ACCEPTED'
  | 'RISK_ACCEPTED'
  | 'FALSE_POSITIVE'
  | 'SUPPRESSED'

/** The place of an exported finding on one branch; '' is the branch of callers that name none. */
export type KeptPlace = {
  branch: string
  path?: string
  line?: number
  column?: number
  firstLine?: number
  snippet?: string
  commit?: string
  disposition?: 'UNCHANGED' | 'MOVED' | 'RENAMED' | 'TOUCHED' | 'REMOVED'
  isOpen: boolean
}

/** A finding exported by another Merlon: not a scanner's observation, but the finding itself with its places and decisions. */
export type KeptObservation = Omit<CommonObservation, 'type' | 'vulnerabilityIds' | 'exploitProbability' | 'tags'> & {
  kind: 'KEPT'
  type: FindingType | ManualType
  /** stable for the same finding of the same company */
  keptId: string
  status: KeptStatus
  statusReason?: string
  /** whether a person set the status */
  isDecided: boolean
  /** times in ISO 8601; `slaStartedAt`: when its SLA started */
  createdAt?: string
  decidedAt?: string
  closedAt?: string
  slaStartedAt?: string
  /** ISO 8601 */
  riskAcceptedUntil?: string
  impactLevel?: 'LOW' | 'MEDIUM' | 'HIGH'
  probabilityLevel?: 'LOW' | 'MEDIUM' | 'HIGH'
  category?: string
  patterns: readonly string[]
  source?: string
  sink?: string
  flow?: readonly FlowStep[]
  proof?: readonly ProofRange[]
  summary?: string
  impactDescription?: string
  stepsToReproduce?: string
  compromisedEnvironment: boolean
  /** the type-specific fields, by their names in the API */
  detail: Readonly<Record<string, string | number>>
  /** the first is the one by which it is matched */
  places: readonly KeptPlace[]
}

/** An observation of a scanner. */
export type ScannedObservation = CodeObservation | ComponentObservation | ExchangeObservation

export type Observation = ScannedObservation | KeptObservation

/** A component of a bill of materials, vulnerable or not. */
export type Component = {
  name: string
  version?: string
  purl?: string
  packageManager?: string
  /** an SPDX expression, or the licence's name */
  license?: string
  technology?: string
}

/**
 * One row of a report. `at` is its place in the report, so that a person finds it: `runs[0].results[17]`, `row 5`.
 * LEFT_OUT: it could not be read, or is undecided in the report itself (`isUndecided`), so it may be a finding that seems to be absent.
 * With an `observation` it is a VEX statement that leaves open whether the component is affected, and ends what was stated before.
 * PASSED_OVER: it was read, and rightly is not a finding of its own.
 * UNSEEN_FILE: the tool could not read the file, or only part of it, so nothing in it counts as absent.
 * SCOPE: the rows that follow are of this scope; null: of the one that they have without it, which is that of their file or none.
 * TOOL: the tool has run, whether it found anything or not; given by formats that many tools write.
 * TRUNCATED: the report is incomplete; earlier rows are valid, but nothing counts as absent.
 */
export type Row =
  | { kind: 'OBSERVATION'; at: string; observation: Observation }
  | { kind: 'LEFT_OUT'; at: string; reason: string; isUndecided?: true; observation?: ComponentObservation }
  | { kind: 'PASSED_OVER'; at: string; reason: string }
  | { kind: 'UNSEEN_FILE'; at: string; fileName: string; image?: string; reason: string }
  | { kind: 'COMPONENT'; at: string; component: Component }
  | { kind: 'SCOPE'; scope: string | null }
  | { kind: 'TOOL'; toolName: string }
  | { kind: 'TRUNCATED'; reason: string }

/**
 * A row as a reader yields it, with the paths that the tool wrote. ROOTS: directories on the tool's machine, each ending in `/`, outermost
 * first, to which the report itself says that the following paths belong.
 */
export type ReadRow = Row | { kind: 'ROOTS'; roots: readonly string[] }

export type ReportReader = {
  /** the name for callers, in lower case: `sarif`, `npm-audit` */
  format: string
  /** the name for people */
  label: string
  /** Its documents may state something about a vulnerability (VEX) or only list it, which withdraws what the same tool stated before. */
  withdrawsStatements?: true
  /** Whether the report has this format, judged by its beginning. */
  recognises: (head: ReportHead) => boolean
  /** The rows in the order of the report. Throws ReportFault if it does not have this format, or exceeds a bound. */
  read: (source: ReportSource) => AsyncIterable<ReadRow>
}

/** The report cannot be read; the message is one sentence that may be shown to the caller. */
export class ReportFault extends Error {
  override name = 'ReportFault'
}

/** The format that the caller names is unknown. */
export class UnknownFormat extends ReportFault {}

/** The caller names no format, and the file is none of those that are known by their content: it may not be a report at all. */
export class NotRecognised extends ReportFault {}
