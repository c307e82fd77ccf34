// The rule of the gate: what a policy makes of the counted findings.

import type { IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'

export type Subject = 'INTRODUCED' | 'TOUCHED' | 'OPEN' | 'UNMERGED'
export type RuleDecision = 'WARN' | 'BLOCK'
export type Decision = 'PASS' | RuleDecision

/** So many findings (`limit`) are allowed of what fits; one more comes to `decision`. */
export type Rule = {
  name: string | null
  subject: Subject
  severities: readonly SeverityCategory[]
  /** null: any */
  types: readonly IssueType[] | null
  /** since it was first reported; null: of any age */
  olderThanDays: number | null
  /** counts also what is settled without a decision */
  despiteReports: boolean
  limit: number
  decision: RuleDecision
}

/**
 * So many findings of a sort that are open, or settled without a decision; `olderThanDays` is the highest of the rules' ages
 * that they have passed, null below all.
 */
export type Fact = {
  subject: Subject
  severity: SeverityCategory
  type: IssueType
  olderThanDays: number | null
  isSettled: boolean
  count: number
}

/** A rule whose limit is passed; `number` is its place in the policy, from 0. */
export type Reason = { number: number; rule: Rule; count: number }

export type Verdict = { decision: Decision; reasons: Reason[] }

/** What holds where neither the asset nor its company has a policy: it judges what the deploy brings, not what was there. */
export const builtInRules: readonly Rule[] = [
  {
    name: null,
    subject: 'INTRODUCED',
    severities: ['HIGH', 'CRITICAL'],
    types: null,
    olderThanDays: null,
    despiteReports: false,
    limit: 0,
    decision: 'BLOCK',
  },
  {
    name: null,
    subject: 'INTRODUCED',
    severities: ['MEDIUM'],
    types: null,
    olderThanDays: null,
    despiteReports: false,
    limit: 0,
    decision: 'WARN',
  },
]

/** The hardest decision of the rules whose limit is passed, and these rules: those that block first, else in their order. */
export function judge(rules: readonly Rule[], facts: readonly Fact[]): Verdict {
  const reasons = rules
    .map((rule, number) => ({ number, rule, count: countOf(facts.filter((fact) => fits(rule, fact))) }))
    .filter(({ rule, count }) => count > rule.limit)
    .sort((left, right) => hardness(right.rule) - hardness(left.rule))
  return { decision: reasons[0]?.rule.decision ?? 'PASS', reasons }
}

/** What a policy comes to for one severity: of the hardest rule on it, the limit and how many findings of it count. */
export type OfSeverity = { limit: number | null; count: number; decision: Decision }

/**
 * The rule that decides a severity is, of those that name it, one that is broken by findings of it before one that is not,
 * one that blocks before one that warns, then the one with the lowest limit. Without a rule, what was introduced is counted.
 */
export function judgeSeverity(rules: readonly Rule[], facts: readonly Fact[], severity: SeverityCategory): OfSeverity {
  const ofIt = facts.filter((fact) => fact.severity === severity)
  const outcomes = rules
    .filter((rule) => rule.severities.includes(severity))
    .map((rule) => {
      const count = countOf(ofIt.filter((fact) => fits(rule, fact)))
      const isBroken = count > 0 && countOf(facts.filter((fact) => fits(rule, fact))) > rule.limit
      return { rule, count, decision: isBroken ? rule.decision : ('PASS' as const) }
    })
    .sort(
      (left, right) =>
        decisions.indexOf(right.decision) - decisions.indexOf(left.decision) ||
        hardness(right.rule) - hardness(left.rule) ||
        left.rule.limit - right.rule.limit,
    )
  const [hardest] = outcomes
  if (hardest) return { limit: hardest.rule.limit, count: hardest.count, decision: hardest.decision }
  return {
    limit: null,
    count: countOf(ofIt.filter(({ subject, isSettled }) => subject === 'INTRODUCED' && !isSettled)),
    decision: 'PASS',
  }
}

/** Without a deploy nothing is known of a branch: all that is open on it counts as introduced too. */
export const asIntroduced = (open: readonly Fact[]): Fact[] =>
  open.flatMap((fact) => [fact, { ...fact, subject: 'INTRODUCED' }])

/** On the default branch, which is merged nowhere, what was introduced counts as unmerged too. */
export const asUnmerged = (found: readonly Fact[]): Fact[] =>
  found.flatMap((fact) => (fact.subject === 'INTRODUCED' ? [fact, { ...fact, subject: 'UNMERGED' }] : [fact]))

/** The ages that the rules ask for, each once. */
export const agesOf = (rules: readonly Rule[]): number[] => [
  ...new Set(rules.flatMap(({ olderThanDays }) => (olderThanDays === null ? [] : [olderThanDays]))),
]

const decisions: readonly Decision[] = ['PASS', 'WARN', 'BLOCK']

const hardness = ({ decision }: Rule): number => decisions.indexOf(decision)

const fits = (rule: Rule, fact: Fact): boolean =>
  rule.subject === fact.subject &&
  rule.severities.includes(fact.severity) &&
  (rule.despiteReports || !fact.isSettled) &&
  (rule.types === null || rule.types.includes(fact.type)) &&
  (rule.olderThanDays === null || (fact.olderThanDays !== null && fact.olderThanDays >= rule.olderThanDays))

function countOf(facts: readonly Fact[]): number {
  let sum = 0
  for (const { count } of facts) sum += count
  return sum
}
