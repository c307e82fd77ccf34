// The parts of a CycloneDX document, the same for JSON and XML.

import type { Fields } from '../values.ts'

export type Part =
  | { kind: 'TOOL'; name: string }
  | { kind: 'SUBJECT'; component: CdxComponent }
  | { kind: 'COMPONENT'; at: string; component: CdxComponent }
  | { kind: 'VULNERABILITY'; at: string; vulnerability: CdxVulnerability }
  | { kind: 'LEFT_OUT'; at: string; reason: string }
  | { kind: 'TRUNCATED'; reason: string }

export type CdxComponent = {
  ref?: string
  type?: string
  /** with its group, as its package manager writes it */
  name: string
  version?: string
  purl?: string
  license?: string
}

export type CdxVulnerability = {
  id?: string
  aliases: readonly string[]
  /** each with score, severity, method, vector */
  ratings: readonly Fields[]
  cwes: readonly unknown[]
  description?: string
  detail?: string
  recommendation?: string
  workaround?: string
  links: readonly (string | undefined)[]
  analysis: Fields
  affects: readonly string[]
}

/** What the first pass collects: components by reference, as JSON. */
export type Known = { components: Map<string, string>; tool: string; image: string | undefined }
