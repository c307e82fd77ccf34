// Schedules as people write them.

import { expect, test } from 'vitest'
import { dueBy, isSchedule } from './schedules.ts'

test.each([
  ['* * * * *', '2026-03-01T12:34:56Z', true],
  ['34 12 1 3 0', '2026-03-01T12:34:00Z', true],
  ['0 3 * * 1', '2026-03-02T03:00:59Z', true],
  ['0 3 * * 1', '2026-03-01T03:00:00Z', false],
  ['*/15 * * * *', '2026-03-01T12:45:00Z', true],
  ['*/15 * * * *', '2026-03-01T12:46:00Z', false],
])('%s at %s: %s', (schedule, at, isDue) => {
  expect(dueBy(schedule)(new Date(at))).toBe(isDue)
})

test.each(['', 'daily', '* * * *', '60 * * * *', '0 24 * * *'])('%s is no schedule', (text) => {
  expect(isSchedule(text)).toBe(false)
  expect(() => dueBy(text)).toThrow()
})
