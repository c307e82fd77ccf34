// Expressions that take ever longer: found by how the time grows, only when they are asked for, and not where long texts just take long.

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checks } from '../../src/scanner/checks/index.ts'
import { leapsIn } from '../../src/scanner/checks/regex-exhaustion.ts'
import { findingsOf, type Handler } from './tiny.ts'

const described = { 'POST /names': { body: { name: 'Ann' } } }
/** Takes as many milliseconds as an expression of that growth takes for so many letters before an end that does not fit. */
const taking =
  (milliseconds: (letters: number) => number): Handler =>
  async ({ body }) => {
    const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : ''
    const letters = name.endsWith('!') ? (/^\w*/.exec(name)?.[0].length ?? 0) : 0
    await delay(Math.min(milliseconds(letters), 3_000))
    return [200, { isName: letters === 0 }]
  }

test.each([
  ['doubles with each letter', (letters: number) => 2 ** (letters - 12)],
  ['grows with the square', (letters: number) => 290 * (letters / 8_000) ** 2],
  ['grows with the cube', (letters: number) => 200 * (letters / 4_000) ** 3],
])('an expression whose time %s is found', async (_, milliseconds) => {
  const found = await findingsOf(taking(milliseconds), ['regex-exhaustion'], described)

  expect(found.map(({ cwes, parameter }) => [cwes[0], parameter?.name])).toEqual([[1333, 'name']])
})

test('an expression whose time doubles with each third letter is found, and no text after which the target is busy for long is sent', async () => {
  const longest: number[] = []

  const found = await findingsOf(
    (asked) => {
      const takes = (letters: number) => 2 ** ((letters - 36) / 3)
      return taking((letters) => {
        longest.push(takes(letters))
        return takes(letters)
      })(asked)
    },
    ['regex-exhaustion'],
    described,
  )

  expect(found).toHaveLength(1)
  expect(Math.max(...longest)).toBeLessThan(15_000)
})

test('an expression that takes no time is not found', async () => {
  expect(
    await findingsOf(
      taking(() => 0),
      ['regex-exhaustion'],
      described,
    ),
  ).toEqual([])
})

test('a time in proportion to the length is none that grows faster', () => {
  const steps = (...times: number[]) => times.map((ms, index) => ({ length: 1_000 * 2 ** index, ms }))
  const lengths = (times: number[]) => leapsIn(steps(...times))?.map(({ length }) => length) ?? null

  expect(lengths([100, 200, 400])).toBe(null)
  expect(lengths([2, 4, 400])).toBe(null)
  expect(lengths([2, 30, 400])).toEqual([1_000, 2_000, 4_000])
})

test('it slows the target, and is run on request alone', () => {
  const onRequest = checks.filter((check) => check.isOnRequest).map(({ id }) => id)

  expect(onRequest).toEqual(['regex-exhaustion'])
})
