// The risk score's figures.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { riskScore, severities } from './risk-score.ts'

describe('the risk score', () => {
  test('has the figures that its description gives', () => {
    const scores = [{}, { NOTIFICATION: 9 }, { LOW: 1 }, { MEDIUM: 1 }, { HIGH: 1 }, { CRITICAL: 1 }, { CRITICAL: 10 }]

    expect(scores.map(riskScore)).toEqual([0, 0, 1, 3.9, 13.9, 33, 98.2])
  })

  test('stays between 0 and 100 and never falls when a finding is added', () => {
    const counts = fc.record(Object.fromEntries(severities.map((severity) => [severity, fc.nat(10_000)])))

    fc.assert(
      fc.property(counts, fc.constantFrom(...severities), (found, severity) => {
        const more = { ...found, [severity]: (found[severity] ?? 0) + 1 }
        expect(riskScore(found)).toBeGreaterThanOrEqual(0)
        expect(riskScore(more)).toBeLessThanOrEqual(100)
        expect(riskScore(more)).toBeGreaterThanOrEqual(riskScore(found))
      }),
    )
  })
})
