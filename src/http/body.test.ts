// How many values a JSON body may have, and that no more than they are counted.

import { describe, expect, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { hasMoreValues, MOST_VALUES } from './body.ts'

const bodyWith = (variables: string) => `{"query":"{ __typename }","variables":${variables}}`
const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"v${at}":1`).join(',')}}`

describe('a body', () => {
  test.each([
    ['members', bodyWith(members(MOST_VALUES))],
    ['elements', bodyWith(`{"a":[${'1,'.repeat(MOST_VALUES)}1]}`)],
    ['levels', bodyWith(`{"a":${'['.repeat(MOST_VALUES)}${']'.repeat(MOST_VALUES)}}`)],
  ])('with too many %s is refused', async (_, body) => {
    const answer = await send({ body })

    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']])
    expect(answer.errors[0]?.message).toBe('The body has more than the 50,000 values allowed')
  })

  test('with many, and with as long a text of what separates values, is read', async () => {
    const answers = [
      await send({ body: bodyWith(members(MOST_VALUES - 10)) }),
      await send({ body: bodyWith(JSON.stringify({ a: ',{[:"\\'.repeat(MOST_VALUES) })) }),
    ]

    expect(answers.map(({ status, errors }) => [status, errors])).toEqual([
      [200, []],
      [200, []],
    ])
  })
})

describe('counting values', () => {
  test.each([
    ['[1,2,3]', 3],
    ['{"a":1,"b":2}', 2],
    ['[[],[],{}]', 6],
    ['["a,b,c","\\",","\\\\",1]', 4],
    ['["","",""]', 3],
    ['7', 0],
  ])('finds in %s no more than %d', (text, count) => {
    const padded = `${text}${' '.repeat(10)}`

    expect([hasMoreValues(padded, count - 1), hasMoreValues(padded, count)]).toEqual([count > 0, false])
  })

  test('ends at a string without an end', () => {
    expect(hasMoreValues(`["${'a,'.repeat(100)}`, 1)).toBe(false)
  })
})
