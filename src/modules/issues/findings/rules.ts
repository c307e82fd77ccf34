// Identity rules: which evidence counts for a tool, and how that changes the comparison of its findings.

import type { Finding, IdentityField } from './finding.ts'

/** `toolName` is in lower case. */
export type ToolRule = { toolName: string; fields: readonly IdentityField[] }

/** The rule for a tool; of several the last, which is the asset's own. */
export const ruleFor = (rules: readonly ToolRule[] | null, toolName: string): readonly IdentityField[] | undefined =>
  rules?.findLast((rule) => rule.toolName === toolName.toLowerCase())?.fields

/** The finding, prepared for comparison under the rules for its tool. */
export function underRules(finding: Finding, rules: readonly ToolRule[] | null): Finding {
  const counts = ruleFor(rules, finding.toolName)
  return counts === undefined ? finding : { ...finding, counts, ...withinTitle(counts, finding.fields.title) }
}

/** Whether findings are compared within a title, because the tool's rule id does not count. */
export const withinTitle = (counts: readonly IdentityField[] | undefined, title: string): { within?: string } =>
  counts === undefined || counts.includes('RULE') ? {} : { within: `title ${title}` }
