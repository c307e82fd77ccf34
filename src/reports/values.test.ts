// What is taken out of a report's values, whatever they are.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { severityOfScore } from '../core/cvss.ts'
import * as values from './values.ts'

describe('a value', () => {
  test('of another type than the asked for is as if it were not there', () => {
    expect([values.text({}), values.text(' '), values.text(true), values.text([])]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([values.number('12px'), values.number(''), values.number(null), values.number(Number.NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([values.whole(0), values.whole(1.5), values.whole('7'), values.whole(2 ** 40)]).toEqual([
      undefined,
      undefined,
      7,
      undefined,
    ])
    expect([values.list({}), values.objects([1, {}, null, []]), values.texts(['a', 1, null, ''])]).toEqual([
      [],
      [{}],
      ['a', '1'],
    ])
  })

  test('is found at its path among its own properties alone', () => {
    const report = JSON.parse('{"a":[{"b":"c"}],"__proto__":{"x":1}}')

    expect(values.at(report, 'a', 0, 'b')).toBe('c')
    expect(values.at(report, 'constructor', 'name')).toBeUndefined()
    expect(values.at(report, 'a', 'length')).toBe(1)
    expect(values.at('text', 'length')).toBeUndefined()
  })

  test('never breaks a helper', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        values.cwesIn(value)
        values.vulnerabilityIdsIn(value)
        values.cvssVectorOf(value)
        values.severityOf(value)
        values.textAt(value, 'a', 0)
        values.code(value)
      }),
    )
  })
})

describe('a text', () => {
  test('can be stored: without NUL, without half characters, within its bound', () => {
    expect(values.text('a\0b\ud800')).toBe('ab\ufffd')
    expect(values.text('x'.repeat(300_000))).toHaveLength(values.LONGEST_TEXT)
  })

  test.each([
    ['Words.', 'Words.'],
    ['A sentence that goes\non here.', 'A sentence that goes on here.'],
    [`First sentence. ${'Another one. '.repeat(20)}`, 'First sentence.'],
    [`Say \`raise ... from\` here. ${'Another one. '.repeat(20)}`, 'Say `raise ... from` here.'],
    ['Line\nAnother', 'Line'],
    ['', 'none'],
  ])('%j makes the title %j', (text, title) => {
    expect(values.headline(text, 'none')).toBe(title)
  })

  test('too long for a title ends in an ellipsis', () => {
    expect(values.headline('x'.repeat(500), '')).toBe(`${'x'.repeat(199)}…`)
  })
})

describe('ids', () => {
  test('of weaknesses are read in each of their spellings', () => {
    expect(values.cwesIn('CWE-79: XSS', 'external/cwe/cwe-089', 22, '611', ['CWE-79', null], { cwe: 1 })).toEqual([
      79, 89, 22, 611,
    ])
    expect(values.cwesIn('nothing', [])).toBeUndefined()
  })

  test('of vulnerabilities are found in words, each once', () => {
    const words = 'cve-2021-44228 (GHSA-JFH8-C2JP-5V3Q), RUSTSEC-2020-0001, SNYK-JS-QS-3153490, CVE-2021-44228; CVE-99'

    expect(values.vulnerabilityIdsIn(words)).toEqual([
      'CVE-2021-44228',
      'GHSA-jfh8-c2jp-5v3q',
      'RUSTSEC-2020-0001',
      'SNYK-JS-QS-3153490',
    ])
  })

  test.each([
    [0, 'NOTIFICATION'],
    [3.9, 'LOW'],
    [4, 'MEDIUM'],
    [7, 'HIGH'],
    [9, 'CRITICAL'],
  ])('the score %d is %s', (score, severity) => {
    expect(severityOfScore(score)).toBe(severity)
  })

  test('links are those of the web, one a line', () => {
    expect(
      values.links('https://a.example', 'javascript:alert(1)', 'https://a.example', undefined, 'http://b.example'),
    ).toBe('https://a.example\nhttp://b.example')
  })
})

describe('a moment', () => {
  test.each([
    ['2026-02-03T04:05:06.789012Z', '2026-02-03T04:05:06.789012Z'],
    ['2026-02-03T04:05:06+02:00', '2026-02-03T02:05:06.000Z'],
    ['2026-02-03T04:05:06', '2026-02-03T04:05:06.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2026-02-03T04:05:06+20:00', '2026-02-02T08:05:06.000Z'],
  ])('%s is %s', (given, read) => {
    expect(values.moment(given)).toBe(read)
  })

  test.each([
    '0000-01-01T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2026-01-01T10:00:00Z (noon)',
    '2026-01-01T25:00:00Z',
    '2026-01-01',
    '0001-01-01T00:00:00+02:00',
  ])('%s is none that the database holds', (given) => {
    expect(values.moment(given)).toBeUndefined()
  })
})
