// The component in which a finding is, and what is said of the vulnerability in it.

import type { ExportedFinding } from './types.ts'

export type VulnerableComponent = {
  /** a package URL: the one that was reported, else one of the generic type */
  purl: string
  name: string
  version: string | null
  /** CVE, or the id of another database */
  vulnerability: string
  aliases: readonly string[]
}

/** Null for a finding that is in no component, or names no vulnerability. */
export function componentOf({ detail, vulnerabilityIds }: ExportedFinding): VulnerableComponent | null {
  const name = textOf(detail.package)
  const [vulnerability, ...aliases] = vulnerabilityIds
  if (name === null || vulnerability === undefined) return null
  const version = textOf(detail.affectedVersion)
  const made = `pkg:generic/${encodeURIComponent(name)}${version === null ? '' : `@${encodeURIComponent(version)}`}`
  const purl = textOf(detail.purl)
  return { purl: purl?.startsWith('pkg:') ? purl : made, name, version, vulnerability, aliases }
}

/** What VEX calls the state: whether the product is affected. */
export function vexStatus(status: string): 'not_affected' | 'affected' | 'fixed' | 'under_investigation' {
  if (status === 'FALSE_POSITIVE') return 'not_affected'
  if (status === 'FIX_ACCEPTED') return 'fixed'
  return status === 'CREATED' || status === 'DRAFT' ? 'under_investigation' : 'affected'
}

/** What is done about it: what was decided, else how it is fixed. */
export function actionOf({ status, statusReason, solution }: ExportedFinding): string {
  if (status === 'RISK_ACCEPTED') return `The risk is accepted: ${statusReason ?? 'no reason given'}`
  if (status === 'SUPPRESSED') return `It is suppressed: ${statusReason ?? 'no reason given'}`
  return solution ?? 'No fix is known yet.'
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
