// What the catalogue says of patterns and their weaknesses.

import { describe, expect, test } from 'vitest'
import { capec, cwe, cwesOf, parseCapecId, patternsOf } from './catalogue.ts'

describe('the catalogue of attack patterns', () => {
  test('SQL injection uses CWE-89 and what descends from it and from CWE-1286', () => {
    const weaknesses = cwesOf(66)

    expect(capec(66)).toEqual({ id: 66, name: 'SQL Injection' })
    expect(weaknesses).toEqual([89, 112, 564, 1286])
    expect(cwe(564)?.name).toContain('Hibernate')
  })

  test('cross-site scripting uses CWE-79 and CWE-20 with all generations below', () => {
    const weaknesses = cwesOf(63)

    expect(weaknesses).toEqual(expect.arrayContaining([20, 79, 80, 83, 121, 787]))
    expect(weaknesses).not.toContain(89)
  })

  test('the broadest patterns stand for a weakness, three at most, or those of what is above it', () => {
    const found = [89, 79, 787, 287, 476].map(patternsOf)

    expect(found).toEqual([[66], [63, 85], [123], [115, 151, 593], []])
    expect(cwesOf(123)).toContain(787)
  })

  test('a number and a prefixed number name the same pattern, and nothing else does', () => {
    const readings = ['66', 'CAPEC-66', 'capec-66', 'CAPEC-', '066', '66 ', 'CWE-66', '99999', '1e2', '0', '-66', '']

    expect(readings.map(parseCapecId)).toEqual([66, 66, 66, ...Array.from({ length: 9 }, () => null)])
  })

  test('a pattern without weaknesses has none, and one that is not in the catalogue is null', () => {
    expect(cwesOf(100_000)).toEqual([])
    expect([capec(100_000), cwe(100_000)]).toEqual([null, null])
  })

  test('relations that meet again below are walked once', () => {
    const weaknesses = cwesOf(1)

    expect(new Set(weaknesses).size).toBe(weaknesses.length)
    expect(weaknesses.every((id) => cwe(id) !== null)).toBe(true)
  })
})
