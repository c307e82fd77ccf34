// Ids as callers give them.

import { describe, expect, test } from 'vitest'
import { idsIn, parseId, parseIds, parseOptionalId } from './ids.ts'

describe('an id', () => {
  test.each([
    [1, '1'],
    ['1', '1'],
    [2_147_483_648, '2147483648'],
    ['9223372036854775807', '9223372036854775807'],
  ])('may be %s', (given, id) => {
    expect(parseId(given, 'id')).toBe(id)
  })

  test.each([
    '',
    '0',
    0,
    '-1',
    -1,
    '01',
    '1.0',
    1.5,
    '1e3',
    1e21,
    ' 1',
    '1 ',
    '٣',
    '0x1',
    'abc',
    Number.NaN,
    '9223372036854775808',
    '1'.repeat(5000),
    "1' or '1",
  ])('may not be %s', (given) => {
    expect(() => parseId(given, 'input.assetId')).toThrow(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        argument: 'input.assetId',
        message: 'input.assetId must be the id of a record, a positive whole number',
      }),
    )
  })

  test('may be left out where it is optional', () => {
    expect([parseOptionalId(null, 'id'), parseOptionalId(undefined, 'id'), parseOptionalId(7, 'id')]).toEqual([
      null,
      null,
      '7',
    ])
  })
})

test('a list of ids is kept without repetitions, a thousand at most', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  expect(parseIds([1, '2', 1, '2'], 'ids')).toEqual(['1', '2'])
  expect(parseIds(many(1000), 'ids')).toHaveLength(1000)
  expect(() => parseIds(many(1001), 'ids')).toThrow('ids takes at most 1000 ids')
})

test('the ids of a payload are read where each of them is one', () => {
  const payload = { companyId: '1', id: '9223372036854775807', branch: 'main' }
  expect(idsIn(payload, 'companyId', 'id')).toEqual({ companyId: '1', id: '9223372036854775807' })
  expect(idsIn(payload, 'companyId', 'branch')).toBeNull()
  expect(idsIn(payload, 'companyId', 'scanId')).toBeNull()
  expect(idsIn({ companyId: 1 }, 'companyId')).toBeNull()
  expect(idsIn({}, 'toString')).toBeNull()
  expect([null, undefined, '1', ['1']].map((other) => idsIn(other, 'companyId'))).toEqual([null, null, null, null])
})
