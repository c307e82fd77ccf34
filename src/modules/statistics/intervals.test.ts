// Time is divided where calendars divide it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOf, type Interval, shifted, startOf } from './intervals.ts'

const at = (text: string) => Date.parse(text)
const iso = (time: number) => new Date(time).toISOString()

test.each([
  ['DAY', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ['WEEK', '2026-02-23T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ['MONTH', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  ['QUARTER', '2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
] as const)('a Sunday on the first of March is in the %s from %s to %s', (interval, start, next) => {
  const found = startOf(interval, at('2026-03-01T23:59:59Z'))

  expect([iso(found), iso(shifted(interval, found, 1))]).toEqual([start, next])
})

describe('intervals', () => {
  test('follow each other without a gap, from the one of the first time to the last', () => {
    const intervals = fc.constantFrom<Interval>('DAY', 'WEEK', 'MONTH', 'QUARTER')
    const times = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2020-12-31T00:00:00Z') })
    fc.assert(
      fc.property(intervals, times, fc.integer({ min: 1, max: 300 * 86_400_000 }), (interval, from, length) => {
        const buckets = bucketsOf(interval, iso(from), iso(from + length), 0)

        expect(at(buckets[0]?.start ?? '')).toBeLessThanOrEqual(from)
        expect(buckets.at(-1)?.end).toBe(iso(from + length))
        for (const [index, { start }] of buckets.entries()) {
          expect(startOf(interval, at(start))).toBe(at(start))
          if (index > 0) expect(start).toBe(buckets[index - 1]?.end)
        }
      }),
    )
  })

  test('are the last twelve unless said', () => {
    const buckets = bucketsOf('MONTH', null, null, at('2026-11-21T10:00:00Z'))

    expect(buckets).toHaveLength(12)
    expect(buckets[0]?.start).toBe('2025-12-01T00:00:00.000Z')
    expect(buckets.at(-1)).toEqual({ start: '2026-11-01T00:00:00.000Z', end: '2026-11-21T10:00:00.000Z' })
  })

  test('without an end are at least the one that it is now, though the caller’s clock is ahead', () => {
    const buckets = bucketsOf('DAY', '2026-11-21T10:00:03Z', null, at('2026-11-21T10:00:00Z'))

    expect(buckets).toEqual([{ start: '2026-11-21T00:00:00.000Z', end: '2026-11-21T10:00:00.000Z' }])
    expect(() => bucketsOf('DAY', '2026-11-22T00:00:00Z', null, at('2026-11-21T10:00:00Z'))).toThrow(
      'from lies before now',
    )
  })

  test.each([
    ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
    ['2026-01-01T12:00:00Z', '2026-01-01T10:00:00Z'],
  ])('from %s to %s are refused', (from, to) => {
    expect(() => bucketsOf('DAY', from, to, 0)).toThrow()
  })
})
