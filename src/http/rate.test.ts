// How often a key may ask, by a clock of the test's own.

import { expect, test } from 'vitest'
import { openRateLimit } from './rate.ts'

test('so many requests may come at once, and then as many as have run off', () => {
  let now = 0
  const rates = openRateLimit(60, () => now)

  const atOnce = Array.from({ length: 60 }, () => rates.take('key'))
  const beyond = rates.take('key')
  now += 1000
  const afterOneSecond = [rates.take('key'), rates.take('key')]
  now += 60_000
  const afterAMinute = Array.from({ length: 60 }, () => rates.take('key'))

  expect(atOnce.every((wait) => wait === null)).toBe(true)
  expect(beyond).toBe(1)
  expect(afterOneSecond).toEqual([null, 1])
  expect(afterAMinute.every((wait) => wait === null)).toBe(true)
})

test('keys are counted apart', () => {
  const rates = openRateLimit(1, () => 0)

  expect([rates.take('a'), rates.take('b'), rates.take('a')]).toEqual([null, null, 60])
})

test('what was refused does not count', () => {
  let now = 0
  const rates = openRateLimit(1, () => now)
  rates.take('key')
  for (let count = 0; count < 100; count += 1) rates.take('key')
  now += 60_000

  expect(rates.take('key')).toBeNull()
})
