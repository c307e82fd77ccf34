// The states of a run, and which may follow which.

import { expect, test } from 'vitest'
import { isComplete, requireState } from './states.ts'

test.each([
  ['PENDING', 'RUNNING'],
  ['PENDING', 'CANCELED'],
  ['RUNNING', 'SUCCEEDED'],
  ['RUNNING', 'FAILED'],
  ['FAILED', 'FAILED'],
] as const)('a run that is %s may become %s', (from, to) => {
  expect(() => requireState(from, to)).not.toThrow()
})

test.each([
  ['RUNNING', 'PENDING', 'SUCCEEDED, FAILED, CANCELED'],
  ['SUCCEEDED', 'RUNNING', 'it has ended'],
  ['CANCELED', 'FAILED', 'it has ended'],
] as const)('a run that is %s may not become %s', (from, to, told) => {
  expect(() => requireState(from, to)).toThrow(told)
})

test.each([
  [0, 0, true],
  [0, 3, false],
  [5, 4, false],
  [5, 5, true],
  [5, 7, true],
])('of %d findings with %d reported, complete is %s', (externalVulnerabilityCount, successCount, expected) => {
  expect(isComplete({ externalVulnerabilityCount, successCount })).toBe(expected)
})
