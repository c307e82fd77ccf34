// How many values and names a JSON body may have, and that counting stops at the limit.

import { describe, expect, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { exceededBy, MOST_NAMES, MOST_VALUES } from './body.ts'

const bodyWith = (variables: string) => `{"query":"{ __typename }","variables":${variables}}`
const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"v${at}":1`).join(',')}}`
const alike = (count: number) => `{"a":[${Array.from({ length: count }, () => '{"b":1}').join(',')}]}`

const TOO_MANY_VALUES = 'The body has more than the 50,000 values allowed'
const TOO_MANY_NAMES = 'The body has more than the 10,000 different names of members allowed'

describe('a body', () => {
  test.each([
    ['members', bodyWith(alike(MOST_VALUES / 2)), TOO_MANY_VALUES],
    ['elements', bodyWith(`{"a":[${'1,'.repeat(MOST_VALUES)}1]}`), TOO_MANY_VALUES],
    ['levels', bodyWith(`{"a":${'['.repeat(MOST_VALUES)}${']'.repeat(MOST_VALUES)}}`), TOO_MANY_VALUES],
    ['names', bodyWith(members(MOST_NAMES)), TOO_MANY_NAMES],
  ])('with too many %s is refused', async (_, body, message) => {
    const answer = await send({ body })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
    expect(answer.errors[0]?.message).toBe(message)
  })

  test('with many, and with as long a text of what separates values, is read', async () => {
    const answers = [
      await send({ body: bodyWith(alike(MOST_VALUES / 2 - 10)) }),
      await send({ body: bodyWith(members(MOST_NAMES - 10)) }),
      await send({ body: bodyWith(JSON.stringify({ a: ',{[:"\\'.repeat(MOST_VALUES) })) }),
    ]

    expect(answers.map(({ status, errors }) => [status, errors])).toEqual([
      [200, []],
      [200, []],
      [200, []],
    ])
  })
})

test('a body whose bytes are not UTF-8 is refused, and not read as other characters', async () => {
  const [before, after] = [Buffer.from('{"query":"{ __typename }","variables":{"name":"Jos'), Buffer.from('"}}')]
  const named = (...letter: number[]) => new Uint8Array(Buffer.concat([before, Buffer.from(letter), after]))

  const latin = await send({ body: named(0xe9) })
  const half = await send({ body: named(0xed, 0xa0, 0x80) })
  const utf8 = await send({ body: named(0xc3, 0xa9) })

  expect([latin.status, codesOf(latin), latin.errors[0]?.message]).toEqual([
    400,
    ['BAD_REQUEST'],
    'The body must be in UTF-8',
  ])
  expect([half.status, codesOf(half)]).toEqual([400, ['BAD_REQUEST']])
  expect([utf8.status, utf8.errors]).toEqual([200, []])
})

describe('counting', () => {
  test.each([
    ['[1,2,3]', 3],
    ['{"a":1,"b":2}', 2],
    ['[[],[],{}]', 6],
    ['["a,b,c","\\",","\\\\",1]', 4],
    ['["","",""]', 3],
    ['7', 0],
  ])('finds in %s no more values than %d', (text, count) => {
    const padded = `${text}${' '.repeat(10)}`
    const within = (values: number) => exceededBy(padded, { values, names: 9 })

    expect([within(count - 1), within(count)]).toEqual([count > 0 ? 'values' : null, null])
  })

  test.each([
    ['{"a":1,"b":2}', 2],
    ['[{"a":":"},{"a" : "b:c"}]', 1],
    ['{"a":{"a:b":{"a":1}}}', 2],
    ['["a","b"]', 0],
  ])('finds in %s no more names than %d', (text, count) => {
    const padded = `${text}${' '.repeat(10)}`
    const within = (names: number) => exceededBy(padded, { values: 9, names })

    expect([within(count - 1), within(count)]).toEqual([count > 0 ? 'names' : null, null])
  })

  test('ends at a string without an end', () => {
    expect(exceededBy(`["${'a,'.repeat(100)}`, { values: 1, names: 1 })).toBeNull()
  })
})
