// Which names and texts are accepted from callers.

import { describe, expect, test } from 'vitest'
import { readName, readText } from './text.ts'

describe('a name', () => {
  test.each([
    ['spaces of any kind', ' \u00a0\u2003\u3000'],
    ['what has no width', '\u200b\u200d\u2060\ufeff'],
    ['what turns the direction', '\u202e\u200f'],
    ['fillers', '\u3164\u115f'],
    ['nothing', ''],
  ])('of %s alone is refused by its argument', (_, text) => {
    expect(() => readName(text, 'input.label')).toThrow(expect.objectContaining({ argument: 'input.label' }))
  })

  test.each(['\u0645\u0631\u0644\u0648\u0646', '\u{1f469}\u200d\u{1f4bb}', '\u200bx', 'e\u0301', '.'])(
    '%s is kept',
    (text) => {
      expect(readName(text, 'input.label')).toBe(text)
    },
  )
})

test('a text with the character U+0000 is refused by its argument', () => {
  expect(() => readText('a\0b', 'input.description')).toThrow(
    expect.objectContaining({
      message: 'description may not contain the character U+0000',
      argument: 'input.description',
    }),
  )
})
