// The schedule of retries: soon at first, rarely later, for a day; and how Retry-After and a hold change it.

import { describe, expect, test } from 'vitest'
import { holdAfter, pauseAfter, readRetryAfter } from './backoff.ts'

const DAY = 86_400

const least = () => 0
const most = () => 1 - Number.EPSILON

const pauses = (count: number, random: () => number) =>
  Array.from({ length: count }, (_, failures) => pauseAfter(failures + 1, null, random))

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

describe('the pauses between attempts', () => {
  test('begin with seconds and never become shorter', () => {
    const planned = pauses(20, least)

    expect(planned[0]).toBe(5)
    expect(planned).toEqual(planned.toSorted((one, other) => one - other))
  })

  test.each([
    ['at their shortest', least],
    ['at their longest', most],
  ])('%s are a dozen attempts within 24 hours, and the next one comes to their end', (_, random) => {
    let [attempts, at] = [0, 0]
    while (at + pauseAfter(attempts + 1, null, random) < DAY) {
      attempts += 1
      at += pauseAfter(attempts, null, random)
    }

    expect(attempts).toBeGreaterThanOrEqual(11)
    expect(attempts).toBeLessThanOrEqual(12)
    expect(at).toBeLessThan(DAY)
    expect(at).toBeGreaterThan(DAY - 4.4 * 3600)
    expect(sum(pauses(attempts + 1, random))).toBeGreaterThanOrEqual(DAY)
  })

  test('are up to a tenth longer, so that not everything comes again at once', () => {
    const drawn = Array.from({ length: 100 }, () => pauseAfter(4))

    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(600)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(660)
    expect(new Set(drawn).size).toBeGreaterThan(1)
  })

  test('are as long as the other side asks, an hour at most, and never shorter than planned', () => {
    const asked = [
      [1, 60],
      [1, 1_000_000],
      [8, 60],
    ] as const

    const given = asked.map(([failures, seconds]) => pauseAfter(failures, seconds, least))

    expect(given).toEqual([60, 3_600, 14_400])
  })
})

test('a place is held from the fifth failure in a row on, for an hour at most', () => {
  const holds = Array.from({ length: 20 }, (_, failures) => holdAfter(failures))

  expect(holds.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
  expect(holds[5]).toBeGreaterThanOrEqual(5)
  expect(Math.max(...holds)).toBe(3_600)
})

test('Retry-After is read as seconds and as a date, and is nothing when it is neither', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const headers = ['120', 'Sun, 01 Mar 2026 12:01:00 GMT', 'Sun, 01 Mar 2026 11:00:00 GMT', 'soon', '-5', undefined]

  const read = headers.map((header) => readRetryAfter(header, now))

  expect(read.slice(0, 4)).toEqual([120, 60, 0, null])
  expect(read[5]).toBeNull()
})
