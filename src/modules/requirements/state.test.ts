// How facts decide the state of a check.

import { describe, expect, test } from 'vitest'
import { type Facts, type Judged, judge, type LookedAt } from './state.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')

const sqlInjection: Judged = { capecId: 66, weaknesses: 3, waiver: null }

const nothing: Facts = {
  findings: { open: 0, accepted: 0, worst: null },
  integrations: [],
  tools: [],
  assets: [],
}

const asset = (id: string, changedAt: string | null, ...finished: string[]): LookedAt => ({
  id,
  name: `Asset ${id}`,
  changedAt,
  fixedAt: null,
  reportedBy: [],
  looks: finished.map((at, index) => ({ kind: 'SCAN', id: `${id}${index}`, by: 'PLATFORM_AST', at })),
})

const scanned = (assets: Facts['assets']): Facts => ({ ...nothing, integrations: ['PLATFORM_AST'], assets })

const stateOf = (facts: Facts | null, check = sqlInjection) => judge(check, facts, NOW)

describe('the state of a check', () => {
  test('open findings violate it, and the most severe is named', () => {
    const worst = { id: '7', title: 'Query from a parameter', severity: 'HIGH' as const, cwes: [89] }

    const verdict = stateOf({ ...nothing, findings: { open: 2, accepted: 1, worst } })

    expect(verdict).toEqual({
      state: 'VIOLATED',
      stateReason:
        '2 open findings have a weakness that CAPEC-66 uses: the most severe is Issue 7, “Query from a parameter” (HIGH, CWE-89).',
      satisfiedAt: null,
      look: null,
    })
  })

  test('without a finding and without a tool that looks for it nothing is known', () => {
    const verdict = stateOf(nothing)

    expect(verdict.state).toBe('UNKNOWN')
    expect(verdict.stateReason).toBe('No finding is open, and no scan has yet reported a weakness that CAPEC-66 uses.')
  })

  test('a scan that ended after the last change satisfies it, with its date', () => {
    const verdict = stateOf(scanned([asset('1', '2026-05-01T10:00:00Z', '2026-05-01T10:30:00.25Z')]))

    expect(verdict.state).toBe('SATISFIED')
    expect(verdict.satisfiedAt).toBe('2026-05-01T10:30:00.250Z')
    expect(verdict.look).toMatchObject({ kind: 'SCAN', id: '10' })
    expect(verdict.stateReason).toBe(
      'PLATFORM_AST scan 10 of Asset 1 ended on 2026-05-01, after its last change, and no finding with such a weakness is open.',
    )
  })

  test('a whole report of a tool satisfies it, also where it closed the finding at that moment, and a later deploy does not', () => {
    const at = '2026-05-01T10:00:00Z'
    const look = { kind: 'IMPORT', id: '4', by: 'a-scanner', at } as const
    const facts = { ...scanned([]), tools: ['a-scanner'] }
    const reported = { ...asset('1', null), fixedAt: at, looks: [look] }

    const verdict = stateOf({ ...facts, assets: [reported] })
    const deployed = stateOf({ ...facts, assets: [{ ...reported, changedAt: at }] })
    const unknownTool = stateOf({ ...facts, tools: ['another'], assets: [reported] })

    expect(verdict).toMatchObject({ state: 'SATISFIED', satisfiedAt: '2026-05-01T10:00:00.000Z', look })
    expect(verdict.stateReason).toMatch(/^The a-scanner report of import 4 of Asset 1 ended on 2026-05-01, after/)
    expect([deployed.state, unknownTool.state]).toEqual(['UNKNOWN', 'UNKNOWN'])
  })

  test('the scan that reported what was fixed meanwhile does not satisfy it, and another one does', () => {
    const fixed = { ...asset('1', null, '2026-05-02T00:00:00Z'), fixedAt: '2026-05-01T00:00:00Z' }

    const bySame = stateOf(scanned([{ ...fixed, reportedBy: ['10'] }]))
    const byAnother = stateOf(scanned([{ ...fixed, reportedBy: ['9'] }]))

    expect([bySame.state, byAnother.state]).toEqual(['UNKNOWN', 'SATISFIED'])
  })

  test('of several assets every one must be scanned, and the oldest scan gives the date', () => {
    const whole = stateOf(scanned([asset('1', null, '2026-05-03T00:00:00Z'), asset('2', null, '2026-05-02T00:00:00Z')]))
    const partly = stateOf(scanned([asset('1', null, '2026-05-03T00:00:00Z'), asset('2', null)]))

    expect(whole).toMatchObject({ state: 'SATISFIED', satisfiedAt: '2026-05-02T00:00:00.000Z' })
    expect(partly.state).toBe('UNKNOWN')
    expect(partly.stateReason).toContain('1 of 2 assets were scanned by PLATFORM_AST')
    expect(partly.stateReason).toContain('Asset 2')
  })

  test('a deploy or a fix after the scan leaves it unknown', () => {
    const scan = '2026-05-01T10:00:00Z'
    const fixedAt = '2026-05-02T00:00:00+00:00'

    const deployed = stateOf(scanned([asset('1', '2026-05-01T10:00:01Z', scan)]))
    const fixed = stateOf(scanned([{ ...asset('1', null, scan), fixedAt }]))
    const confirmed = stateOf(scanned([{ ...asset('1', null, '2026-05-03T00:00:00Z'), fixedAt }]))

    expect([deployed.state, fixed.state, confirmed.state]).toEqual(['UNKNOWN', 'UNKNOWN', 'SATISFIED'])
  })

  test('a scan of a tool that has never reported such a weakness proves nothing', () => {
    const other = { kind: 'SCAN', id: '9', by: 'SCANNER_B', at: '2026-05-03T00:00:00Z' } as const

    const verdict = stateOf(scanned([{ ...asset('1', null), looks: [other] }]))

    expect(verdict.state).toBe('UNKNOWN')
  })

  test('an accepted risk keeps it from being satisfied', () => {
    const facts = scanned([asset('1', null, '2026-05-03T00:00:00Z')])

    const verdict = stateOf({ ...facts, findings: { open: 0, accepted: 1, worst: null } })

    expect(verdict.state).toBe('UNKNOWN')
    expect(verdict.stateReason).toContain('1 finding with such a weakness stays as an accepted risk.')
  })

  test('a waiver hides the state until it expires, and says what it hides', () => {
    const worst = { id: '7', title: 'Query', severity: 'HIGH' as const, cwes: [89] }
    const violated = { ...nothing, findings: { open: 1, accepted: 0, worst } }
    const waiver = { reason: 'Behind the firewall', until: '2026-06-02T00:00:00Z', by: 'Ada' }

    const waived = stateOf(violated, { ...sqlInjection, waiver })
    const expired = stateOf(violated, { ...sqlInjection, waiver: { ...waiver, until: '2026-05-31T00:00:00Z' } })

    expect(waived.state).toBe('WAIVED')
    expect(waived.stateReason).toBe(
      'Waived by Ada until 2026-06-02: Behind the firewall. Without the waiver: 1 open finding has a weakness that CAPEC-66 uses: Issue 7, “Query” (HIGH, CWE-89).',
    )
    expect(expired.state).toBe('VIOLATED')
    expect(expired.stateReason).toContain('A waiver expired on 2026-05-31.')
  })

  test('a check without a pattern, and a pattern without weaknesses, are unknown', () => {
    const plain = stateOf(null, { capecId: null, weaknesses: 0, waiver: null })
    const empty = stateOf(null, { capecId: 2, weaknesses: 0, waiver: null })

    expect([plain.state, empty.state]).toEqual(['UNKNOWN', 'UNKNOWN'])
    expect(empty.stateReason).toBe('CAPEC-2 names no weakness that a finding could have.')
  })
})
