// A company's risk score is the weighted mean of its assets' scores, at every step.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { riskScore } from '../assets/service.ts'
import { meanRisk } from './risk.ts'

const assets = [
  { id: '1', businessImpact: 'HIGH' },
  { id: '2', businessImpact: 'LOW' },
  { id: '3', businessImpact: 'NOT_DEFINED' },
]

test('an asset counts as much as its impact', () => {
  const changes = [
    { assetId: '1', bucket: 0, severity: 'CRITICAL', opened: 1, closed: 0 },
    { assetId: '2', bucket: 1, severity: 'HIGH', opened: 2, closed: 1 },
    { assetId: '1', bucket: 3, severity: 'CRITICAL', opened: 0, closed: 1 },
    { assetId: 'gone', bucket: 3, severity: 'CRITICAL', opened: 1, closed: 0 },
  ] as const
  const [critical, high] = [riskScore({ CRITICAL: 1 }), riskScore({ HIGH: 1 })]

  const values = meanRisk(assets, changes, 4, riskScore)

  const expected = [3 * critical, 3 * critical + high, 3 * critical + high, high]
  expect(values).toEqual(expected.map((sum) => Math.round((sum / 6) * 10) / 10))
})

test('a company without assets has none', () => {
  expect(meanRisk([], [], 2, riskScore)).toEqual([0, 0])
})

test('the mean is that of the scores as they are shown, whatever came before', () => {
  const change = fc.record({ asset: fc.nat(2), bucket: fc.nat(20), opened: fc.integer({ min: -1, max: 3 }) })

  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (given) => {
      const changes = given.map(({ asset, bucket, opened }) => {
        return { assetId: assets[asset]?.id ?? '', bucket, severity: 'MEDIUM' as const, opened, closed: 0 }
      })
      const openIn = (id: string) => changes.reduce((sum, one) => (one.assetId === id ? sum + one.opened : sum), 0)
      const tenths = assets.map(({ id }) => Math.round(riskScore({ MEDIUM: openIn(id) }) * 10))
      const [high = 0, low = 0, other = 0] = tenths

      expect(meanRisk(assets, changes, 21, riskScore).at(-1)).toBe(Math.round((3 * high + low + 2 * other) / 6) / 10)
    }),
  )
})
