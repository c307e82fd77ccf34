// Which evidence counts of a tool, where people said so, and what that makes of its findings.

import type { Finding } from './finding.ts'

/** The evidence of which a rule may say that it counts; docs/identity.md says what each is. */
export const identityFields = ['TOOL_ID', 'FINGERPRINT', 'PLACE', 'SNIPPET', 'CONTEXT', 'RULE'] as const

export type IdentityField = (typeof identityFields)[number]

/** `toolName` in small letters. */
export type ToolRule = { toolName: string; fields: readonly IdentityField[] }

/** The rule for a tool: of several the last, which is the asset's own. */
export const ruleFor = (rules: readonly ToolRule[] | null, toolName: string): readonly IdentityField[] | undefined =>
  rules?.findLast((rule) => rule.toolName === toolName.toLowerCase())?.fields

/** The finding as the rules for its tool have it compared. */
export function underRules(finding: Finding, rules: readonly ToolRule[] | null): Finding {
  const counts = ruleFor(rules, finding.toolName)
  return counts === undefined ? finding : { ...finding, counts, ...withinTitle(counts, finding.fields.title) }
}

/** Findings of one title are compared where the tool's rule does not count. */
export const withinTitle = (counts: readonly IdentityField[] | undefined, title: string): { within?: string } =>
  counts === undefined || counts.includes('RULE') ? {} : { within: `title ${title}` }
