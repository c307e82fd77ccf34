// Patterns of branches mean what people expect them to.

import { expect, test } from 'vitest'
import { isFollowed } from './branches.ts'

test.each([
  [null, 'anything', true],
  ['main', 'main', true],
  ['main', 'main2', false],
  ['release/*', 'release/1.2', true],
  ['release/*', 'release/1/2', false],
  ['release/**', 'release/1/2', true],
  ['**/x', 'a/b/x', true],
  ['*', 'main', true],
  ['*', 'feature/x', false],
  ['v?', 'v1', true],
  ['v?', 'v12', false],
  ['v?', 'v/', false],
  ['a.b', 'axb', false],
  ['[a]', '[a]', true],
  ['*a*b*', 'xxaxxbxx', true],
  ['größe-*', 'größe-7', true],
])('%s follows %s: %s', (pattern, branch, expected) => {
  expect(isFollowed(pattern, branch)).toBe(expected)
})

test('a hostile pattern takes no longer than another', () => {
  expect(isFollowed('*a'.repeat(120), 'a'.repeat(500))).toBe(true)
  expect(isFollowed(`${'*a'.repeat(120)}b`, 'a'.repeat(500))).toBe(false)
})
