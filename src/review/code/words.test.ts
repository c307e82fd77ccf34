// Which pieces of code are read at all: those with a word that a rule is about.

import { expect, test } from 'vitest'
import { rulebook, ruleLanguages } from './rules.ts'
import { isWorthReading } from './words.ts'

test.each(ruleLanguages)('a name with an underscore alone makes no piece of %s worth reading', (language) => {
  const { trigger } = rulebook(language)

  expect(isWorthReading(trigger, 'a_b')).toBe(false)
  expect(isWorthReading(trigger, '$a = $b_c;')).toBe(false)
  expect(isWorthReading(trigger, 'db_password')).toBe(true)
})
