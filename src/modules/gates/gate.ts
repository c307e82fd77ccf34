// The rule of the gate: turns the counted findings into a verdict by the rules of a policy.

import type { IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'

export type Subject = 'INTRODUCED' | 'TOUCHED' | 'OPEN' | 'UNMERGED'
type RuleDecision = 'WARN' | 'BLOCK'
export type Decision = 'PASS' | RuleDecision

/** Up to `limit` matching findings are allowed; one more leads to `decision`. */
export type Rule = {
  name: string | null
  subject: Subject
  severities: readonly SeverityCategory[]
  /** null: any */
  types: readonly IssueType[] | null
  /** days since it was first reported; null: any age */
  olderThanDays: number | null
  /** also counts findings that a report settled without a person's decision */
  despiteReports: boolean
  limit: number
  decision: RuleDecision
}

/**
 * A number of equal findings that are open, or settled without a decision. `olderThanDays` is the highest of the rules' ages that they
 * exceed, null if none.
 */
export type Fact = {
  subject: Subject
  severity: SeverityCategory
  type: IssueType
  olderThanDays: number | null
  isSettled: boolean
  count: number
}

/** A rule whose limit is exceeded; `number` is its index in the policy. */
export type Reason = { number: number; rule: Rule; count: number }

export type Verdict = { decision: Decision; reasons: Reason[] }

/** The policy if neither the asset nor its company has one: it judges what the deploy introduces, not what was there before. */
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

/** The strictest decision of the rules whose limit is exceeded, and these rules: blocking ones first, otherwise in their order. */
export function judge(rules: readonly Rule[], facts: readonly Fact[]): Verdict {
  const reasons = rules
    .map((rule, number) => ({ number, rule, count: countOf(facts.filter((fact) => fits(rule, fact))) }))
    .filter(({ rule, count }) => count > rule.limit)
    .sort((left, right) => hardness(right.rule) - hardness(left.rule))
  return { decision: reasons[0]?.rule.decision ?? 'PASS', reasons }
}

/** A policy's result for one severity: the limit of its strictest rule, and how many findings count. */
type OfSeverity = { limit: number | null; count: number; decision: Decision }

/**
 * Of the rules that name a severity, the one that decides it is a rule broken by findings of that severity before one that is not, a rule
 * that blocks before one that warns, and then the one with the lowest limit. Without a rule, introduced findings are counted.
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

/** Without a deploy nothing is known about a branch's changes, so everything open on it also counts as introduced. */
export const asIntroduced = (open: readonly Fact[]): Fact[] =>
  open.flatMap((fact) => [fact, { ...fact, subject: 'INTRODUCED' }])

/** The default branch is merged nowhere, so what was introduced on it also counts as unmerged. */
export const asUnmerged = (found: readonly Fact[]): Fact[] =>
  found.flatMap((fact) => (fact.subject === 'INTRODUCED' ? [fact, { ...fact, subject: 'UNMERGED' }] : [fact]))

/** The distinct ages in the rules. */
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
