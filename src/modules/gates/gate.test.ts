// The rule of the gate, on counted findings, and its sentences.

import { describe, expect, test } from 'vitest'
import { agesOf, asIntroduced, builtInRules, type Fact, judge, judgeSeverity, type Rule } from './gate.ts'
import { foundOf, sentenceOf, sentenceOfVerdict } from './words.ts'

const fact = (severity: Fact['severity'], count: number, more: Partial<Fact> = {}): Fact => ({
  subject: 'INTRODUCED',
  severity,
  type: 'SAST_FINDING',
  olderThanDays: null,
  isSettled: false,
  count,
  ...more,
})

const rule = (more: Partial<Rule> = {}): Rule => ({
  name: null,
  subject: 'INTRODUCED',
  severities: ['HIGH', 'CRITICAL'],
  types: null,
  olderThanDays: null,
  despiteReports: false,
  limit: 0,
  decision: 'BLOCK',
  ...more,
})

describe('the built-in policy', () => {
  test.each([
    ['nothing', [], 'PASS'],
    ['an introduced critical finding', [fact('CRITICAL', 1)], 'BLOCK'],
    ['an introduced high finding', [fact('HIGH', 1)], 'BLOCK'],
    ['an introduced medium finding', [fact('MEDIUM', 1)], 'WARN'],
    ['introduced low findings and notes', [fact('LOW', 9), fact('NOTIFICATION', 9)], 'PASS'],
    ['a touched critical finding', [fact('CRITICAL', 1, { subject: 'TOUCHED' })], 'PASS'],
    ['open critical findings', [fact('CRITICAL', 99, { subject: 'OPEN' })], 'PASS'],
  ] as const)('%s', (_, facts, decision) => {
    const verdict = judge(builtInRules, facts)

    expect(verdict.decision).toBe(decision)
  })
})

describe('a rule', () => {
  test('allows as many as its limit, and not one more', () => {
    const rules = [rule({ limit: 3 })]

    const [three, four] = [
      judge(rules, [fact('HIGH', 2), fact('CRITICAL', 1)]),
      judge(rules, [fact('HIGH', 2), fact('CRITICAL', 2)]),
    ]

    expect(three).toEqual({ decision: 'PASS', reasons: [] })
    expect(four).toEqual({ decision: 'BLOCK', reasons: [{ number: 0, rule: rules[0], count: 4 }] })
  })

  test('counts only its subject, its severities and its types', () => {
    const rules = [rule({ subject: 'OPEN', severities: ['LOW'], types: ['SECRET_FINDING'] })]
    const facts = [
      fact('LOW', 1, { subject: 'OPEN', type: 'SECRET_FINDING' }),
      fact('LOW', 10, { subject: 'OPEN' }),
      fact('LOW', 100, { type: 'SECRET_FINDING' }),
      fact('HIGH', 1000, { subject: 'OPEN', type: 'SECRET_FINDING' }),
    ]

    const { reasons } = judge(rules, facts)

    expect(reasons.map(({ count }) => count)).toEqual([1])
  })

  test('of an age counts what is older than it, also what is older than a higher age of another rule', () => {
    const rules = [rule({ olderThanDays: 30 }), rule({ olderThanDays: 90 }), rule()]
    const facts = [fact('HIGH', 1), fact('HIGH', 10, { olderThanDays: 30 }), fact('HIGH', 100, { olderThanDays: 90 })]

    const { reasons } = judge(rules, facts)

    expect(reasons.map(({ count }) => count)).toEqual([110, 100, 111])
    expect(agesOf(rules)).toEqual([30, 90])
  })
})

test('what is settled without a decision is counted by a rule that says so, and by no other', () => {
  const rules = [rule({ despiteReports: true }), rule()]
  const facts = [fact('HIGH', 1), fact('HIGH', 10, { isSettled: true })]

  expect(judge(rules, facts).reasons.map(({ count }) => count)).toEqual([11, 1])
  expect(judgeSeverity([], facts, 'HIGH').count).toBe(1)
})

describe('several rules', () => {
  test('come to the hardest decision, and those that block are told first', () => {
    const rules = [
      rule({ decision: 'WARN', severities: ['LOW'] }),
      rule({ decision: 'BLOCK' }),
      rule({ decision: 'WARN' }),
      rule({ severities: ['MEDIUM'] }),
    ]

    const { decision, reasons } = judge(rules, [fact('LOW', 1), fact('HIGH', 1)])

    expect(decision).toBe('BLOCK')
    expect(reasons.map(({ number }) => number)).toEqual([1, 0, 2])
  })

  test('none let everything pass', () => {
    const verdict = judge([], [fact('CRITICAL', 1)])

    expect(verdict).toEqual({ decision: 'PASS', reasons: [] })
  })
})

describe('for one severity', () => {
  test('the rule that is broken by findings of it decides, and one that others break does not', () => {
    const rules = [rule({ limit: 1 }), rule({ severities: ['MEDIUM', 'HIGH'], limit: 5, decision: 'WARN' })]
    const facts = [fact('CRITICAL', 2), fact('MEDIUM', 1)]

    const of = (severity: Fact['severity']) => judgeSeverity(rules, facts, severity)

    expect(of('CRITICAL')).toEqual({ limit: 1, count: 2, decision: 'BLOCK' })
    expect(of('HIGH')).toEqual({ limit: 1, count: 0, decision: 'PASS' })
    expect(of('MEDIUM')).toEqual({ limit: 5, count: 1, decision: 'PASS' })
  })

  test('a rule that warns and is broken comes before one that blocks and is not', () => {
    const rules = [rule({ limit: 9 }), rule({ decision: 'WARN' })]

    const { limit, decision } = judgeSeverity(rules, [fact('HIGH', 1)], 'HIGH')

    expect([limit, decision]).toEqual([0, 'WARN'])
  })

  test('without a rule there is no limit, and what was introduced is counted', () => {
    const facts = [fact('LOW', 3), fact('LOW', 9, { subject: 'OPEN' })]

    const ofLow = judgeSeverity(builtInRules, facts, 'LOW')

    expect(ofLow).toEqual({ limit: null, count: 3, decision: 'PASS' })
  })
})

test('where there is no deploy all that is open counts as introduced too', () => {
  const open = [fact('HIGH', 2, { subject: 'OPEN' })]

  const facts = asIntroduced(open)

  expect(judge(builtInRules, facts).reasons.map(({ count }) => count)).toEqual([2])
  expect(judge([rule({ subject: 'OPEN' })], facts).reasons.map(({ count }) => count)).toEqual([2])
})

describe('in words', () => {
  test('a rule says what breaks it, and a reason what was found', () => {
    const old = rule({ subject: 'OPEN', severities: ['LOW'], types: ['SECRET_FINDING'], olderThanDays: 30, limit: 1 })
    const any = rule({ severities: ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] })

    expect(sentenceOf(rule())).toBe('any introduced finding of CRITICAL or HIGH severity')
    expect(sentenceOf(old)).toBe('more than 1 open finding of LOW severity and type SECRET_FINDING older than 30 days')
    expect(sentenceOf(any)).toBe('any introduced finding')
    expect(sentenceOf({ ...any, types: ['SECRET_FINDING'], limit: 5 })).toBe(
      'more than 5 introduced findings of type SECRET_FINDING',
    )
    expect(sentenceOf(rule({ despiteReports: true }))).toBe(
      'any introduced finding of CRITICAL or HIGH severity, even if suppressed by a report',
    )
    expect(foundOf({ number: 0, rule: rule(), count: 1 })).toBe(
      '1 introduced finding of CRITICAL or HIGH severity (none allowed)',
    )
    expect(foundOf({ number: 0, rule: old, count: 2 })).toBe(
      '2 open findings of LOW severity and type SECRET_FINDING older than 30 days (1 allowed)',
    )
  })

  test('a verdict says what happened, by whose policy, and what could not be judged', () => {
    const facts = [fact('HIGH', 1), fact('MEDIUM', 2)]

    const all = { isJudged: true, unknown: [] }
    const some = [{ short: 'its lines are not known', sentence: 'Nothing is known of its lines.' }]

    const blocked = sentenceOfVerdict(judge(builtInRules, facts), 'BUILT_IN', 'Deploy 7', all)
    const warned = sentenceOfVerdict(judge(builtInRules, facts.slice(1)), 'COMPANY', 'Deploy 7', all)
    const passed = sentenceOfVerdict(judge([], []), 'ASSET', 'Deploy 7', { isJudged: true, unknown: some })
    const unjudged = [[], facts.slice(1)].map((found) =>
      sentenceOfVerdict(judge(builtInRules, found), 'BUILT_IN', 'Deploy 7', { isJudged: false, unknown: some }),
    )

    expect(blocked).toBe(
      'Deploy 7 is blocked by the built-in policy: 1 introduced finding of CRITICAL or HIGH severity (none allowed). 1 other rule also warns.',
    )
    expect(warned).toBe(
      "Deploy 7 passes the company's policy with a warning: 2 introduced findings of MEDIUM severity (none allowed).",
    )
    expect(passed).toBe("Deploy 7 passes the asset's policy. Nothing is known of its lines.")
    expect(unjudged).toEqual([
      'Deploy 7 is not judged, although no rule of the built-in policy is violated. Nothing is known of its lines.',
      'Deploy 7 is not judged, with a warning from the built-in policy: 2 introduced findings of MEDIUM severity (none allowed). Nothing is known of its lines.',
    ])
  })
})
