// Texts that patterns of descriptions ask for.

import { expect, test } from 'vitest'
import { fitsPattern, textOfPattern } from './patterns.ts'

test('a pattern with one way to be gives that, and classes and counts the simplest that fits', () => {
  const made = Object.fromEntries(
    [
      '^password$',
      '^(?:password)$',
      '^(up|down)$',
      '^\\d{4}-\\d{2}$',
      '^[A-Z]{2}[0-9]+$',
      'a\\.b',
      '^[\\w-]{3,8}$',
    ].map((pattern) => [pattern, textOfPattern(pattern)]),
  )

  expect(made).toEqual({
    '^password$': 'password',
    '^(?:password)$': 'password',
    '^(up|down)$': 'up',
    '^\\d{4}-\\d{2}$': '1111-11',
    '^[A-Z]{2}[0-9]+$': 'AA1',
    'a\\.b': 'a.b',
    '^[\\w-]{3,8}$': 'aaa',
  })
  for (const [pattern, text] of Object.entries(made)) expect(text).toMatch(new RegExp(pattern))
})

test('a text of a pattern is as long as the description asks for', () => {
  expect(textOfPattern('^[a-z]+$', 6)).toBe('aaaaaa')
  expect(textOfPattern('^[0-9]{2,4}$', 9)).toBe('1111')
})

test('what looks ahead, says what it is not, or is no pattern gives no text', () => {
  expect(['(?=.*\\d).{8,}', '[^a]', '(a', '*', '\\b'].map((pattern) => textOfPattern(pattern))).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})

test('whether a text fits is left open where finding out might take long', () => {
  expect(fitsPattern('^[a-z]+$', 'merlon')).toBe(true)
  expect(fitsPattern('^[a-z]+$', '1')).toBe(false)
  expect(fitsPattern('^(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')).toBe(null)
  expect(fitsPattern('(', 'a')).toBe(null)
})

test('a pattern that grows, or may be gone through in many ways, costs nothing', () => {
  const grown = ['((((a{200}){200}){200}){200})', '(a{150}b{150})']
  const many = ['.?'.repeat(40), '(.|.)'.repeat(30), '\\w*\\w*\\w*'].map((pattern) => `^${pattern}!$`)

  expect(grown.map((pattern) => textOfPattern(pattern))).toEqual([null, null])
  expect(many.map((pattern) => fitsPattern(pattern, 'a'.repeat(5_000)))).toEqual([null, null, null])
  expect(many.slice(0, 2).map((pattern) => fitsPattern(pattern, 'a'.repeat(40)))).toEqual([null, null])
})
