// The priority follows its rule, and grows with every part of it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exposureOf, impactOf, type PriorityFacts, priorityOf } from './priority.ts'

const facts: PriorityFacts = {
  isOpen: true,
  severity: 'HIGH',
  isKnownExploited: false,
  epss: 0.42,
  exposure: 'INTERNET_FACING',
  impact: 'MEDIUM',
  sla: 'APPROACHING',
}

const anyFacts: fc.Arbitrary<PriorityFacts> = fc.record({
  isOpen: fc.constant(true),
  severity: fc.constantFrom('NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
  isKnownExploited: fc.boolean(),
  epss: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  exposure: fc.constantFrom('INTERNET_FACING', 'INTERNAL', 'NOT_DEFINED'),
  impact: fc.constantFrom('LOW', 'MEDIUM', 'HIGH', 'NOT_DEFINED'),
  sla: fc.constantFrom('ON_TRACK', 'APPROACHING', 'BREACHED', null),
})

describe('the priority of a finding', () => {
  test('is its severity times the sum of what makes it pressing', () => {
    const { score, inputs, sentence } = priorityOf(facts)

    expect(score).toBe(54.7)
    expect(inputs).toEqual({
      isOpen: true,
      severity: { value: 'HIGH', points: 8 },
      exploitation: { isKnownExploited: false, epss: 0.42, points: 0.84 },
      exposure: { value: 'INTERNET_FACING', points: 1 },
      impact: { value: 'MEDIUM', points: 0.5 },
      sla: { value: 'APPROACHING', points: 0.5 },
    })
    expect(sentence).toBe(
      '54.7: HIGH severity, 42.0 % chance of exploitation within 30 days, on an internet-facing asset with MEDIUM business impact; due soon.',
    )
  })

  test('is 100 at most and 0 for what is closed', () => {
    const worst = priorityOf({
      isOpen: true,
      severity: 'CRITICAL',
      isKnownExploited: true,
      epss: 1,
      exposure: 'INTERNET_FACING',
      impact: 'HIGH',
      sla: 'BREACHED',
    })
    const closed = priorityOf({ ...facts, isOpen: false, sla: 'RESOLVED' })

    expect([worst.score, closed.score]).toEqual([100, 0])
    expect(closed.sentence).toBe('0: not open.')
  })

  test('can be worked out again from what is shown of it', () => {
    fc.assert(
      fc.property(anyFacts, (any) => {
        const { score, inputs } = priorityOf(any)
        const { severity, exploitation, exposure, impact, sla } = inputs

        const again = severity.points * (4 + exploitation.points + exposure.points + impact.points + sla.points)

        expect(Math.abs(score - again)).toBeLessThanOrEqual(0.05 + 1e-9)
      }),
    )
  })

  test('never falls when a part gets worse', () => {
    fc.assert(
      fc.property(anyFacts, (any) => {
        const { score } = priorityOf(any)

        const worse = [
          priorityOf({ ...any, severity: 'CRITICAL' }),
          priorityOf({ ...any, isKnownExploited: true }),
          priorityOf({ ...any, exposure: 'INTERNET_FACING' }),
          priorityOf({ ...any, impact: 'HIGH' }),
          priorityOf({ ...any, sla: 'BREACHED' }),
        ]

        for (const other of worse) expect(other.score).toBeGreaterThanOrEqual(score)
      }),
    )
  })
})

test('an asset is as exposed as somebody said, else as its audience', () => {
  const found = [
    exposureOf('INTERNAL', 'external'),
    exposureOf('INTERNET_FACING', null),
    exposureOf('NOT_DEFINED', 'external'),
    exposureOf('NOT_DEFINED', 'internal_and_external'),
    exposureOf('NOT_DEFINED', 'internal'),
    exposureOf('NOT_DEFINED', null),
  ]

  expect(found).toEqual([
    'INTERNAL',
    'INTERNET_FACING',
    'INTERNET_FACING',
    'INTERNET_FACING',
    'INTERNAL',
    'NOT_DEFINED',
  ])
})

test('an impact that is no level has not been defined', () => {
  expect(['LOW', 'MEDIUM', 'HIGH', 'NOT_DEFINED', 'none'].map(impactOf)).toEqual([
    'LOW',
    'MEDIUM',
    'HIGH',
    'NOT_DEFINED',
    'NOT_DEFINED',
  ])
})
