// Expressions that take ever longer: found by how the time grows, only when they are asked for, and not where long texts just take long.

import { expect, test } from 'vitest'
import { checks } from '../../src/scanner/checks/index.ts'
import { growsFaster } from '../../src/scanner/checks/regex-exhaustion.ts'
import { findingsOf, type Handler } from './tiny.ts'

const described = { 'POST /names': { body: { name: 'Ann' } } }
const judging =
  (pattern: RegExp): Handler =>
  ({ body }) => {
    const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : ''
    return [200, { isName: pattern.test(name) }]
  }

test.each([
  ['doubles with each letter', /^(\w+\s?)+$/],
  ['grows with the square', /^\w*\w*;$/],
  ['grows with the cube', /^\w*\s*\w*\s*\w*$/],
])(
  'an expression whose time %s is found',
  async (_, pattern) => {
    const found = await findingsOf(judging(pattern), ['regex-exhaustion'], described)

    expect(found.map(({ cwes, parameter }) => [cwes[0], parameter?.name])).toEqual([[1333, 'name']])
  },
  60_000,
)

test('an expression that reads a text once is not found', async () => {
  expect(await findingsOf(judging(/^\w+$/), ['regex-exhaustion'], described)).toEqual([])
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
