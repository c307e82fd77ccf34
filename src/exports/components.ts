// The component that a finding is in, and what is known of its vulnerability.

import { addressOf } from './addresses.ts'
import type { ExportedFinding } from './types.ts'

export type VulnerableComponent = {
  /** the same for the same component, and no other */
  ref: string
  /** what it is ordered by: the package URL as it was reported */
  sort: string | null
  /** the package URL as it is written: what was reported, else one of the generic type */
  purl: string
  name: string
  version: string | null
  /** CVE, or the id of another database */
  vulnerability: string
  aliases: readonly string[]
}

/** Null for a finding that is in no component, or names no vulnerability. */
export function componentOf({ detail, vulnerabilityIds }: ExportedFinding): VulnerableComponent | null {
  const said = textOf(detail.purl)
  const name = textOf(detail.package) ?? said
  const vulnerability = mainOf(vulnerabilityIds, textOf(detail.cve)?.toUpperCase())
  if (name === null || vulnerability === undefined) return null
  const version = textOf(detail.affectedVersion)
  const made = `pkg:generic/${encoded(name)}${version === null ? '' : `@${encoded(version)}`}`
  const sort = said?.startsWith('pkg:') ? said : null
  const purl = reportedPurl(sort)
  const ref = purl === null || sort === null ? `component/${made}` : sort
  const aliases = vulnerabilityIds.filter((id) => id !== vulnerability && !(isCve(id) && isCve(vulnerability)))
  return { ref, sort, purl: purl ?? made, name, version, vulnerability, aliases }
}

/** The CVE that the tool reports: titles may name others, which are other vulnerabilities. */
const mainOf = ([first, ...others]: readonly string[], reported: string | undefined): string | undefined =>
  others.find((id) => isCve(id) && id === reported) ?? first

const isCve = (id: string): boolean => id.startsWith('CVE-')

/** A package URL in the characters of one; null for what is none. */
export function reportedPurl(purl: string | null): string | null {
  const address = purl === null ? '' : addressOf(purl)
  return /^pkg:[A-Za-z.+-][A-Za-z0-9.+-]*\/./.test(address) ? address : null
}

/** What VEX calls the state: whether the product is affected. */
export function vexStatus(status: string): 'not_affected' | 'affected' | 'fixed' | 'under_investigation' {
  if (status === 'FALSE_POSITIVE') return 'not_affected'
  if (status === 'FIX_ACCEPTED') return 'fixed'
  return status === 'CREATED' || status === 'DRAFT' ? 'under_investigation' : 'affected'
}

/** What is done about it: what was decided, else how it is fixed. */
export function actionOf({ status, statusReason, solution }: ExportedFinding): string {
  if (status === 'RISK_ACCEPTED') return `The risk is accepted: ${statusReason || 'no reason given'}`
  if (status === 'SUPPRESSED') return `It is suppressed: ${statusReason || 'no reason given'}`
  return solution || 'No fix is known yet.'
}

/** Why it does no harm, of a false positive. */
export const impactOf = ({ statusReason }: ExportedFinding): string =>
  statusReason || 'It was found to be a false positive.'

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
