// The sentences of a gate: what breaks a rule, and the outcome.

import { severities } from '../../core/issue-words.ts'
import type { Rule, Subject, Verdict } from './gate.ts'
import type { Unknown } from './unknown.ts'

const adjectives: Record<Subject, string> = {
  INTRODUCED: 'introduced',
  TOUCHED: 'touched',
  OPEN: 'open',
  UNMERGED: 'unmerged',
}

const either = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** What a rule counts, such as `3 introduced findings of CRITICAL or HIGH severity`. */
function counted(rule: Rule, count: string, isOne: boolean): string {
  const asked = severities.filter((severity) => rule.severities.includes(severity)).reverse()
  const kinds = [
    asked.length === severities.length ? null : `${either(asked)} severity`,
    rule.types === null ? null : `type ${either(rule.types)}`,
  ].filter((kind) => kind !== null)
  const parts = [
    `${count} ${adjectives[rule.subject]} ${isOne ? 'finding' : 'findings'}`,
    kinds.length === 0 ? '' : ` of ${kinds.join(' and ')}`,
    rule.olderThanDays === null ? '' : ` older than ${rule.olderThanDays} ${rule.olderThanDays === 1 ? 'day' : 'days'}`,
    rule.despiteReports ? ', even if suppressed by a report' : '',
  ]
  return parts.join('')
}

/** What breaks the rule, such as `any introduced finding of CRITICAL or HIGH severity` or `more than 1 open finding`. */
export const sentenceOf = (rule: Rule): string =>
  counted(rule, rule.limit === 0 ? 'any' : `more than ${rule.limit}`, rule.limit < 2)

/** The rule's name, or else its sentence. */
export const titleOf = (rule: Rule): string => rule.name ?? sentenceOf(rule)

/** What the rule found, such as `2 open findings of HIGH severity (1 allowed)`. */
export function foundOf({ rule, count }: Verdict['reasons'][number]): string {
  return `${counted(rule, String(count), count === 1)} (${rule.limit === 0 ? 'none' : rule.limit} allowed)`
}

export type Scope = 'BUILT_IN' | 'COMPANY' | 'ASSET'

const policies: Record<Scope, string> = {
  BUILT_IN: 'the built-in policy',
  COMPANY: "the company's policy",
  ASSET: "the asset's policy",
}

const openings = {
  PASS: (policy: string) => `passes ${policy}`,
  WARN: (policy: string) => `passes ${policy} with a warning: `,
  BLOCK: (policy: string) => `is blocked by ${policy}: `,
} as const

const unjudged = {
  PASS: (policy: string) => `is not judged, although no rule of ${policy} is violated`,
  WARN: (policy: string) => `is not judged, with a warning from ${policy}: `,
} as const

/** The verdict as a sentence, including what is not known; `what` names the thing that was judged. */
export function sentenceOfVerdict(
  { decision, reasons }: Verdict,
  scope: Scope,
  what: string,
  { isJudged, unknown }: { isJudged: boolean; unknown: readonly Unknown[] },
): string {
  const opening = isJudged || decision === 'BLOCK' ? openings[decision] : unjudged[decision]
  const found = reasons.filter(({ rule }) => rule.decision === decision).map(foundOf)
  const warnings = reasons.length - found.length
  const sentences = [
    `${what} ${opening(policies[scope])}${found.join('; ')}.`,
    warnings === 0 ? null : `${warnings === 1 ? '1 other rule also warns' : `${warnings} other rules also warn`}.`,
    ...unknown.map(({ sentence }) => sentence),
  ]
  return sentences.filter((sentence) => sentence !== null).join(' ')
}
