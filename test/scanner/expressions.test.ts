// Expressions that take ever longer: found by how the time grows, only when they are asked for, and not where long texts just take long.

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checks } from '../../src/scanner/checks/index.ts'
import { growsFaster } from '../../src/scanner/checks/regex-exhaustion.ts'
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
  expect(growsFaster([100, 200, 400])).toBe(false)
  expect(growsFaster([2, 4, 400])).toBe(false)
  expect(growsFaster([2, 30, 400])).toBe(true)
})

test('it slows the target, and is run on request alone', () => {
  const onRequest = checks.filter((check) => check.isOnRequest).map(({ id }) => id)

  expect(onRequest).toEqual(['regex-exhaustion'])
})
