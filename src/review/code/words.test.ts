// Which pieces of code are read at all: those with the words of something at fault, or of a sink and of a source of its rule.

import { expect, test } from 'vitest'
import { rulebook, ruleLanguages } from './rules.ts'
import { joinedText, textOf } from './text.ts'
import { hotOf } from './words.ts'

const isWorth = (language: (typeof ruleLanguages)[number], code: string, ...others: string[]): boolean => {
  const { trigger } = rulebook(language)
  const piece = textOf(code, trigger.isCaseless)
  return hotOf(trigger, piece, joinedText([piece, ...others.map((each) => textOf(each, trigger.isCaseless))])) !== null
}

test.each(ruleLanguages)('a name with an underscore alone makes no piece of %s worth reading', (language) => {
  expect(isWorth(language, 'a_b')).toBe(false)
  expect(isWorth(language, '$a = $b_c;')).toBe(false)
  expect(isWorth(language, 'db_password')).toBe(true)
})

test('a piece is read where the object of its call is named anywhere in the file', () => {
  const call = "hash('md5')"

  expect(isWorth('javascript', "digest('hex')")).toBe(false)
  expect(isWorth('javascript', 'app.sendFile(name)')).toBe(false)
  expect(isWorth('javascript', 'res.sendFile(req.query.name)')).toBe(true)
  expect(isWorth('javascript', `const ${call}`, "import { createHash as hash } from 'crypto'")).toBe(true)
})

test('a word is a mark only after its sign, and in a comment it is none', () => {
  const put = 'el.innerHTML = text'

  expect(isWorth('javascript', `show(@Query('q') text) { ${put} }`)).toBe(true)
  expect(isWorth('javascript', `show(Query, text) { ${put} }`)).toBe(false)
  expect(isWorth('java', '@CrossOrigin(originPatterns = "*") class Api {}')).toBe(true)
  expect(isWorth('javascript', `/**\n * @param text the string, an object\n */\nshow(text) { ${put} }`)).toBe(false)
})

test('of a name of several parts all parts must be said', () => {
  const put = 'el.innerHTML = q.pathname'

  expect(isWorth('javascript', `const q = this.props.match; ${put}`)).toBe(true)
  expect(isWorth('javascript', `const q = text.match(form); ${put}`)).toBe(false)
})
