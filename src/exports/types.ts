// What a writer of exports gets: findings and components as streams, and the facts about the document itself.

export type ExportedPlace = {
  /** '' is the branch of callers that name none */
  branch: string
  path: string | null
  line: number | null
  column: number | null
  firstLine: number | null
  /** the code; of a finding without code what stands for it: package and version, or method and parameters */
  snippet: string | null
  commit: string | null
  /** what the last deploy did to it */
  disposition: string | null
  isOpen: boolean
}

/** A finding as it stands; texts are as they were given, times in ISO 8601. */
export type ExportedFinding = {
  id: string
  type: string
  title: string
  description: string
  severity: 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
  impactLevel: string | null
  probabilityLevel: string | null
  status: string
  statusReason: string | null
  decidedAt: string | null
  riskAcceptedUntil: string | null
  closedAt: string | null
  /** since when the time to mend it runs; null of a draft */
  slaStartedAt: string | null
  cvssScore: number | null
  cvssVector: string | null
  category: string | null
  cweIds: readonly number[]
  /** all of one vulnerability: CVE first, then its aliases */
  vulnerabilityIds: readonly string[]
  /** '' when it is not named */
  toolName: string
  rule: string
  originalIssueIdFromTool: string | null
  fingerprint: string | null
  partialFingerprint: string | null
  reference: string | null
  solution: string | null
  patterns: readonly string[]
  source: string | null
  sink: string | null
  summary: string | null
  impactDescription: string | null
  stepsToReproduce: string | null
  compromisedEnvironment: boolean
  /** what only its type has, by the API's field names */
  detail: Readonly<Record<string, unknown>>
  asset: { id: string; name: string }
  /** open ones first, then those of the main branch, then those that were seen last */
  places: readonly ExportedPlace[]
  createdAt: string
  updatedAt: string
}

export type ExportedComponent = {
  id: string
  asset: { id: string; name: string }
  /** the part of the asset whose bill of materials names it; '' for the whole */
  scope: string
  name: string
  version: string | null
  purl: string | null
  packageManager: string | null
  license: string | null
  technology: string | null
}

/**
 * BY_VULNERABILITY: those of one vulnerability in a component follow each other. FIRST_OF_COMPONENT: one finding for each
 * component of an asset, by purl as bytes compare, those without one last. FIRST_OF_RULE: one for each rule, those of one tool
 * together.
 */
export type FindingOrder = 'BY_ID' | 'BY_VULNERABILITY' | 'FIRST_OF_COMPONENT' | 'FIRST_OF_RULE'

/** BY_PURL: as bytes compare, those without one last. */
type ComponentOrder = 'BY_ID' | 'BY_PURL'

/** Each stream can be opened as often as a writer needs, and gives the same every time. */
export type ExportDocument = {
  company: { id: string; label: string }
  /** the address of this service, without a slash at its end */
  address: string
  /** the version of Merlon */
  version: string
  at: string
  /** a UUID that no other export has */
  serial: string
  findings: (order: FindingOrder) => AsyncIterable<ExportedFinding>
  components: (order: ComponentOrder) => AsyncIterable<ExportedComponent>
}

export type ExportWriter = {
  /** lower case, as callers name it */
  format: string
  label: string
  mediaType: string
  /** with its dot */
  extension: string
  /** findings that name a vulnerability in a component are all that it writes, and `needsOne` of them */
  ofComponentsOnly: boolean
  needsOne: boolean
  /** The document piece by piece, in memory that its length does not change. Throws ExportFault when it cannot be written at all. */
  write: (document: ExportDocument) => AsyncIterable<string>
}

/** What is asked for cannot be written: one sentence that may be shown. */
export class ExportFault extends Error {
  override name = 'ExportFault'
}
