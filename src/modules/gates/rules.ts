// Reads and checks the rules of a policy from a caller's input.

import { badUserInput } from '../../core/errors.ts'
import { severities } from '../../core/issue-words.ts'
import { readName } from '../../core/text.ts'
import type { GateRuleInput } from '../api.generated.ts'
import type { Rule } from './gate.ts'

const MOST_RULES = 50
const LARGEST_LIMIT = 1_000_000
/** a hundred years */
const OLDEST_DAYS = 36_500

/** The rules in their order; BAD_USER_INPUT with the path of the first invalid value. */
export function readRules(given: readonly GateRuleInput[]): Rule[] {
  if (given.length > MOST_RULES) throw badUserInput(`rules takes at most ${MOST_RULES} rules`, 'input.rules')
  return given.map((rule, index) => readRule(rule, `input.rules.${index}`))
}

function readRule(rule: GateRuleInput, argument: string): Rule {
  const { name, types, olderThanDays, limit } = rule
  requireWithin(limit, LARGEST_LIMIT, `${argument}.limit`)
  if (olderThanDays != null) requireWithin(olderThanDays, OLDEST_DAYS, `${argument}.olderThanDays`)
  if (types?.length === 0) throw badUserInput('types takes one type or more; leave it out for any', `${argument}.types`)
  return {
    name: name == null ? null : readName(name, `${argument}.name`, 200),
    subject: rule.subject,
    severities: readSeverities(rule, argument),
    types: types ? [...new Set(types)] : null,
    olderThanDays: olderThanDays ?? null,
    despiteReports: rule.despiteReports ?? false,
    limit,
    decision: rule.decision,
  }
}

function readSeverities({ severities: asked, minimumSeverity }: GateRuleInput, argument: string): Rule['severities'] {
  if (asked && minimumSeverity) {
    throw badUserInput('A rule takes severities or minimumSeverity, not both', `${argument}.minimumSeverity`)
  }
  if (asked?.length === 0) {
    throw badUserInput('severities takes one severity or more; leave it out for all', `${argument}.severities`)
  }
  if (asked) return severities.filter((severity) => asked.includes(severity))
  return minimumSeverity ? severities.slice(severities.indexOf(minimumSeverity)) : severities
}

function requireWithin(number: number, largest: number, argument: string): void {
  if (number >= 0 && number <= largest) return
  throw badUserInput(`${argument.split('.').at(-1)} is a whole number from 0 to ${largest}`, argument)
}
