// What a writer of exports is given: findings and components as streams, and what it says of the document itself.

export type ExportedPlace = {
  branch: string
  path: string | null
  line: number | null
  column: number | null
  firstLine: number | null
  snippet: string | null
  commit: string | null
  isOpen: boolean
}

/** A finding as it stands; texts are as they were given, times in ISO 8601. */
export type ExportedFinding = {
  id: string
  type: string
  title: string
  description: string
  severity: 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
  status: string
  statusReason: string | null
  riskAcceptedUntil: string | null
  cvssScore: number | null
  cvssVector: string | null
  cweIds: readonly number[]
  /** all of one vulnerability: CVE first, then its aliases */
  vulnerabilityIds: readonly string[]
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
  /** what only its type has, by the API's field names */
  detail: Readonly<Record<string, unknown>>
  asset: { id: string; name: string }
  /** the first is where it is on the default branch, or where it was seen last */
  places: readonly ExportedPlace[]
  createdAt: string
  updatedAt: string
}

export type ExportedComponent = {
  id: string
  asset: { id: string; name: string }
  name: string
  version: string | null
  purl: string | null
  packageManager: string | null
  license: string | null
}

/** BY_VULNERABILITY: findings of one vulnerability follow each other. */
export type FindingOrder = 'BY_ID' | 'BY_VULNERABILITY'

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
  components: () => AsyncIterable<ExportedComponent>
}

export type ExportWriter = {
  /** lower case, as callers name it */
  format: string
  label: string
  mediaType: string
  /** with its dot */
  extension: string
  /** The document piece by piece, in memory that its length does not change. Throws ExportFault when it cannot be written at all. */
  write: (document: ExportDocument) => AsyncIterable<string>
}

/** What is asked for cannot be written: one sentence that may be shown. */
export class ExportFault extends Error {
  override name = 'ExportFault'
}
