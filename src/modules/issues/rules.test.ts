// The rules of issues that need no database: severity, transitions, weaknesses and cursors.

import { describe, expect, test } from 'vitest'
import { openStatuses } from '../../core/db/open-issues.ts'
import { encodeCursor } from '../../core/db/page.ts'
import { ApplicationError } from '../../core/errors.ts'
import { issueStatuses } from '../../core/issue-words.ts'
import { cwesIn } from './cwe.ts'
import { afterCursor, completeOrder } from './list-order.ts'
import { type Level, severityOf } from './severity.ts'
import { permittedFrom, personsWords, requireTransition } from './transitions.ts'

describe('severity', () => {
  test('a CVSS score decides by the published bands, whatever else was given', () => {
    const scores = [0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10]

    const found = scores.map((cvssScore) => severityOf({ cvssScore, severity: 'LOW' }))

    expect(found).toEqual(['NOTIFICATION', 'LOW', 'LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'HIGH', 'CRITICAL', 'CRITICAL'])
  })

  test('without a score it is as given, else impact times probability, which is symmetric', () => {
    const levels: Level[] = ['LOW', 'MEDIUM', 'HIGH']
    const table = levels.map((impact) => levels.map((probability) => severityOf({ impact, probability })))

    expect(severityOf({ severity: 'LOW', impact: 'HIGH', probability: 'HIGH' })).toBe('LOW')
    expect(table).toEqual([
      ['NOTIFICATION', 'LOW', 'MEDIUM'],
      ['LOW', 'MEDIUM', 'HIGH'],
      ['MEDIUM', 'HIGH', 'CRITICAL'],
    ])
    expect(severityOf({ impact: 'HIGH' })).toBeNull()
  })
})

describe('transitions', () => {
  test('what is dealt with only goes back to IDENTIFIED, and nothing goes to itself', () => {
    const closed = issueStatuses.filter((status) => status !== 'DRAFT' && !openStatuses.includes(status))

    expect(closed).toEqual(['FIX_ACCEPTED', ...personsWords])
    for (const status of closed) expect(permittedFrom(status)).toEqual(['IDENTIFIED'])
    for (const status of issueStatuses) expect(permittedFrom(status)).not.toContain(status)
  })

  test('a transition that is not in the table is refused with what is', () => {
    const refused = () => requireTransition('FIX_ACCEPTED', 'IN_PROGRESS')

    expect(refused).toThrow('An issue that is FIX_ACCEPTED can become IDENTIFIED, not IN_PROGRESS')
    expect(refused).toThrow(ApplicationError)
    expect(() => requireTransition('DRAFT', 'CREATED')).not.toThrow()
  })
})

describe('weaknesses', () => {
  test('are read from categories and patterns in the forms that tools write', () => {
    expect(cwesIn(['CWE-79: XSS', 'cwe_89', '22', 'A03:2021 CWE-79, CWE-80', null, 'CWE-0'])).toEqual([22, 79, 80, 89])
    expect(cwesIn(['notcwe-12', 'CWE-123456', ''])).toEqual([])
  })

  test('are read from a long text in no time', () => {
    expect(cwesIn(['CWE-'.repeat(50_000)])).toEqual([])
  })
})

describe('the order of a list', () => {
  test('ends with the id in the direction of the key before it', () => {
    expect(completeOrder([])).toEqual([{ field: 'ID', isDescending: true }])
    expect(completeOrder([{ field: 'TITLE', isDescending: false }])).toEqual([
      { field: 'TITLE', isDescending: false },
      { field: 'ID', isDescending: false },
    ])
    expect(
      completeOrder([
        { field: 'ID', isDescending: true },
        { field: 'TITLE', isDescending: true },
      ]),
    ).toEqual([{ field: 'ID', isDescending: true }])
  })

  test('refuses a cursor whose values are not of its keys', () => {
    const order = completeOrder([{ field: 'SEVERITY', isDescending: true }])

    const byTime = completeOrder([{ field: 'CREATED_AT', isDescending: true }])

    expect(() => afterCursor(byTime, encodeCursor(['2026-02-31T00:00:00Z', '1']))).toThrow('after is not a cursor')
    for (const values of [['WORST', '1'], ['HIGH', 'x'], ['HIGH', 1], ['1'], [null, '1']]) {
      expect(() => afterCursor(order, encodeCursor(values))).toThrow('after is not a cursor of this list')
    }
  })
})
