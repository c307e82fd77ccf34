// When a finding is due, and its state until then.

import { describe, expect, test } from 'vitest'
import { slaOf } from './sla.ts'

const START = '2026-03-01T12:00:00.000Z'
const HOUR = 3_600_000
const open = { status: 'CREATED', startedAt: START, dueAt: '2026-03-11T12:00:00.000Z', closedAt: null } as const
const daysAfter = (days: number) => Date.parse(START) + days * 24 * HOUR

describe('a finding with ten days', () => {
  test.each([
    [0, 'ON_TRACK', 10],
    [7.99, 'ON_TRACK', 2],
    [8, 'APPROACHING', 2],
    [9.5, 'APPROACHING', 0],
    [10, 'BREACHED', 0],
    [10.01, 'BREACHED', -1],
    [12, 'BREACHED', -2],
  ] as const)('after %d days is %s with %d days left', (days, state, daysRemaining) => {
    expect(slaOf(open, daysAfter(days))).toMatchObject({ state, daysRemaining })
  })

  test('that was closed stays as it stood then', () => {
    const closedAt = new Date(daysAfter(4)).toISOString()

    const sla = slaOf({ ...open, status: 'FIX_ACCEPTED', closedAt }, daysAfter(100))

    expect(sla).toEqual({ state: 'RESOLVED', dueAt: open.dueAt, daysRemaining: 6 })
  })
})

test('a finding that is never due stands nowhere', () => {
  expect(slaOf({ ...open, dueAt: null }, daysAfter(1))).toBeNull()
})
