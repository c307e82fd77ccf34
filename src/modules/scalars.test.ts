// What the scalars of the schema accept.

import { describe, expect, test } from 'vitest'
import { administratorKey, ask } from '../../test/testkit/client.ts'
import { scalars } from './scalars.ts'

const scalar = (name: string) => {
  const found = scalars(4).find((one) => one.name === name)
  if (!found) throw new Error(`There is no scalar ${name}`)
  return found
}

describe('ISO8601DateTime', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:15Z', '2026-01-31T09:30:15.000Z'],
    ['2026-01-31 09:30:15', '2026-01-31T09:30:15.000Z'],
    ['2026-01-31T09:30:15.123456789Z', '2026-01-31T09:30:15.123456Z'],
    ['2026-01-31T09:30:15.1234+02:00', '2026-01-31T07:30:15.123400Z'],
    ['2026-01-31T09:30:15,5Z', '2026-01-31T09:30:15.500Z'],
    ['2026-01-31T09:30:15+02:00', '2026-01-31T07:30:15.000Z'],
    ['2026-01-31T09:30:15+0200', '2026-01-31T07:30:15.000Z'],
    ['2026-01-31T09:30:15-02', '2026-01-31T11:30:15.000Z'],
    ['2026-01-31T09:30+02', '2026-01-31T07:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (given, meant) => {
    expect(scalar('ISO8601DateTime').parseValue(given)).toBe(meant)
  })

  test.each([
    '',
    'now',
    '2026',
    '2026-1-1',
    '2026-13-01',
    '2026-02-30',
    '2026-04-31T10:00:00Z',
    '9999-12-31T24:00:00Z',
    '9999-12-31T23:59:59-05:00',
    '0000-01-01T00:00:00+05:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+05:00',
    '2026-01-31T25:00',
    '31.01.2026',
    1769850000,
    null,
    {},
    '2026-01-31T09:30:15 Europe',
  ])('%s is none', (given) => {
    expect(() => scalar('ISO8601DateTime').parseValue(given)).toThrow('is not an ISO 8601 date and time')
  })
})

describe('ISO8601Date', () => {
  test('takes a date, and a moment for its date', () => {
    expect(scalar('ISO8601Date').parseValue('2026-01-31')).toBe('2026-01-31')
    expect(scalar('ISO8601Date').parseValue('2026-01-31T09:30:00Z')).toBe('2026-01-31')
  })

  test.each(['2026-02-30', '2026-00-01', '0000-01-01', 'x', 5])('%s is none', (given) => {
    expect(() => scalar('ISO8601Date').parseValue(given)).toThrow('is not an ISO 8601 date')
  })
})

describe('a moment that is none', () => {
  const query = (given: string, declared = '') =>
    `query${declared} { deploysByProjectId(id: 1, initialDate: ${given}, finishDate: "2026-01-31") { collection { id } } }`
  const message = expect.stringMatching(/^(moment: )?This is not an ISO 8601 date and time$/)

  test('in the document is refused in a sentence, with its line and column', async () => {
    const { errors } = await ask(administratorKey(), query('"yesterday"'))

    expect(errors).toMatchObject([
      { message, locations: [{ line: 1, column: 48 }], extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ])
  })

  test('in a variable is refused in the same sentence, with the name of the variable', async () => {
    const declared = ' ($moment: ISO8601DateTime!)'

    const { errors } = await ask(administratorKey(), query('$moment', declared), { moment: 'yesterday' })

    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', argument: 'moment' } }])
  })
})

test('Upload is for input alone', () => {
  expect(() => scalar('Upload').serialize('x')).toThrow('Upload is for input alone')
})
