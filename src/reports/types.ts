// What a report reader is given and what it gives: a stream of bytes becomes observations, components, and rows left out.

/** A report's bytes; it can be opened as often as a reader needs, and is never held whole. */
export type ReportSource = {
  /** the file's name as it was sent; '' when there is none */
  name: string
  open: () => AsyncIterable<Uint8Array>
}

/** The start of a report, enough to tell its format: at most `HEAD_BYTES` of it, without a byte order mark. */
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

/** What a scanner says that it saw, whatever it saw it in. What it does not say is left out. */
type CommonObservation = {
  type: FindingType
  /** the scanner that found it, as it names itself */
  toolName: string
  /** the scanner's rule; left out where it has none */
  ruleId?: string
  title: string
  description?: string
  severity?: Severity
  /** 0.0 to 10.0 */
  cvssScore?: number
  /** CVSS:3.x or CVSS:4.0 vector */
  cvssVector?: string
  /** numbers of CWE, the most telling first */
  cweIds?: readonly number[]
  /** ids of the vulnerability in any database: CVE, GHSA, OSV and the like; aliases of each other */
  vulnerabilityIds?: readonly string[]
  /** 0 to 1: the chance of exploitation that the report itself names (EPSS) */
  exploitProbability?: number
  /** links, one a line */
  reference?: string
  solution?: string
  tags?: readonly string[]
  /** the tool's own id of this finding, the same in its next report */
  originalIssueIdFromTool?: string
  fingerprint?: string
  partialFingerprint?: string
  /** somebody decided, and said so in the report: a suppression, a triage, a VEX statement */
  decision?: {
    status: 'SUPPRESSED' | 'FALSE_POSITIVE' | 'RISK_ACCEPTED' | 'FIX_ACCEPTED'
    reason: string
    /** of RISK_ACCEPTED, ISO 8601; what was decided no longer holds from then on */
    until?: string
  }
}

/** One step of a data flow; `text` is the code there, or the tool's word for what happens. */
export type FlowStep = { path?: string; line?: number; text?: string }

/** In a file. `line` and `column` count from 1. */
export type CodeObservation = CommonObservation & {
  kind: 'CODE'
  fileName?: string
  /** the container image in which the file lies; left out where it is one of the repository */
  image?: string
  line?: number
  column?: number
  /** the code, and the line at which it starts */
  codeSnippet?: string
  firstLine?: number
  /** further places of the same finding */
  otherPlaces?: readonly { fileName: string; line?: number }[]
  /** where tainted data comes in, and where it does harm, one sentence or `path:line` each */
  source?: string
  sink?: string
  /** the steps from the source to the sink, both among them; two or more */
  flow?: readonly FlowStep[]
  commitRef?: string
}

/** In a component that somebody else made. */
export type ComponentObservation = CommonObservation & {
  kind: 'COMPONENT'
  package: string
  affectedVersion?: string
  patchedVersion?: string
  packageManager?: string
  purl?: string
  /** the file that names it, or in which it lies */
  fileName?: string
  image?: string
}

/** In a running application or service. */
export type ExchangeObservation = CommonObservation & {
  kind: 'EXCHANGE'
  url?: string
  method?: string
  scheme?: string
  port?: number
  /** names and values, as they were sent */
  parameters?: string
  request?: string
  response?: string
  /** what proves it: characters of the response, or of the request */
  proof?: readonly ProofRange[]
}

/** From a character, counted from 0, up to but not including another. */
export type ProofRange = { from: number; to: number; isInRequest: boolean }

/** What a person wrote down, which no scanner reports. */
export type ManualType = 'NETWORK_VULNERABILITY' | 'SOURCE_CODE_VULNERABILITY' | 'WEB_VULNERABILITY'

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

/** Where a kept finding is on one branch; '' is the branch of callers that name none. */
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

/** A finding as another Merlon knows it: not what a scanner saw, but what it is, where, and what was decided of it. */
export type KeptObservation = Omit<CommonObservation, 'type' | 'vulnerabilityIds' | 'exploitProbability' | 'tags'> & {
  kind: 'KEPT'
  type: FindingType | ManualType
  /** the same for the same finding of the same company */
  keptId: string
  status: KeptStatus
  statusReason?: string
  /** whether a person set the status */
  isDecided: boolean
  /** moments, each in ISO 8601: `slaStartedAt` is since when the time to mend it runs */
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
  summary?: string
  impactDescription?: string
  stepsToReproduce?: string
  compromisedEnvironment: boolean
  /** what only its type has, by the API's field names */
  detail: Readonly<Record<string, string | number>>
  /** the first is the one that it is compared by */
  places: readonly KeptPlace[]
}

/** What a scanner reports. */
export type ScannedObservation = CodeObservation | ComponentObservation | ExchangeObservation

export type Observation = ScannedObservation | KeptObservation

/** A component of a bill of materials, vulnerable or not. */
export type Component = {
  name: string
  version?: string
  purl?: string
  packageManager?: string
  /** SPDX expression, or the licence's name */
  license?: string
  technology?: string
}

/**
 * One thing read. `at` says where it stands in the report, so that a person finds it: `runs[0].results[17]`, `row 5`.
 * LEFT_OUT: it could not be read, or says that nobody knows yet (`isUndecided`), so that it may be what seems to be absent. PASSED_OVER: it was read, and rightly is no finding of
 * its own. UNSEEN_FILE: the tool could not look into the file, or not into all of it, and says nothing of what is absent there.
 * TOOL: the tool has looked, whether it found anything or not; told where reports of many tools have this format.
 * TRUNCATED: the report ends before it is complete; what came before is good, but says nothing of what is absent.
 */
export type Row =
  | { kind: 'OBSERVATION'; at: string; observation: Observation }
  | { kind: 'LEFT_OUT'; at: string; reason: string; isUndecided?: true }
  | { kind: 'PASSED_OVER'; at: string; reason: string }
  | { kind: 'UNSEEN_FILE'; at: string; fileName: string; image?: string; reason: string }
  | { kind: 'COMPONENT'; at: string; component: Component }
  | { kind: 'SCOPE'; scope: string }
  | { kind: 'TOOL'; toolName: string }
  | { kind: 'TRUNCATED'; reason: string }

/**
 * As a reader gives it: paths are those that the tool wrote. ROOTS: directories of the tool's machine, each ending in `/`, the widest
 * first, of which the report itself says that what follows was found below them.
 */
export type ReadRow = Row | { kind: 'ROOTS'; roots: readonly string[] }

export type ReportReader = {
  /** lower case, as callers name it: `sarif`, `npm-audit` */
  format: string
  /** as people call it */
  label: string
  /** Whether the report is of this format, by its beginning alone. */
  recognises: (head: ReportHead) => boolean
  /** The rows in the order of the report. Throws ReportFault when it is not of this format at all, or past a bound. */
  read: (source: ReportSource) => AsyncIterable<ReadRow>
}

/** The report cannot be read: one sentence that may be shown. */
export class ReportFault extends Error {
  override name = 'ReportFault'
}

/** The format that a report is said to be of is none that is read. */
export class UnknownFormat extends ReportFault {}
