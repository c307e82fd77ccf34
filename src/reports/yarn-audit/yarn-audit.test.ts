// How `yarn audit --json` is read, of Yarn 1 and of Yarn 4.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { yarnAudit } from './reader.ts'

const lines = (...documents: unknown[]) => documents.map((each) => JSON.stringify(each)).join('\n')

const told = (path: string, more: Record<string, unknown> = {}) => ({
  type: 'auditAdvisory',
  data: {
    resolution: { id: 1001, path },
    advisory: {
      id: 1001,
      module_name: 'example',
      title: 'Overflow in example',
      severity: 'moderate',
      vulnerable_versions: '<1.1.0',
      github_advisory_id: 'GHSA-2345-6789-cfgh',
      findings: [{ version: '1.0.0', paths: ['a>example', 'example'] }],
      ...more,
    },
  },
})

const summary = { type: 'auditSummary', data: { vulnerabilities: { moderate: 2 } } }

const four = (more: Record<string, unknown> = {}) => ({
  value: 'example',
  children: {
    ID: 1001,
    Issue: 'Overflow in example',
    URL: 'https://github.com/advisories/GHSA-2345-6789-cfgh',
    Severity: 'high',
    'Vulnerable Versions': '<1.1.0',
    'Tree Versions': ['1.0.0'],
    Dependents: ['ours@workspace:.'],
    ...more,
  },
})

describe('of Yarn 1', () => {
  test('an advisory is told once, whatever number of paths leads to its package', async () => {
    const rows = await rowsIn(yarnAudit, lines(told('a>example'), told('example'), summary))

    expect(rows).toMatchObject([
      {
        kind: 'OBSERVATION',
        at: 'line 1',
        observation: {
          toolName: 'yarn audit',
          ruleId: 'GHSA-2345-6789-cfgh',
          package: 'example',
          affectedVersion: '1.0.0',
          description: 'Through a>example, example',
        },
      },
      { kind: 'PASSED_OVER', at: 'line 2', reason: 'It is the same advisory as line 1, by another path' },
    ])
  })

  test('one without a summary is cut short, and says what yarn complained of', async () => {
    const failed = lines({ type: 'warning', data: 'No license' }, { type: 'error', data: 'No connection' })

    expect(await rowsIn(yarnAudit, failed)).toEqual([
      { kind: 'TRUNCATED', reason: 'yarn could not audit: No connection' },
    ])
    expect((await rowsIn(yarnAudit, lines(told('example')))).at(-1)).toEqual({
      kind: 'TRUNCATED',
      reason: 'yarn could not audit: it has no summary',
    })
  })

  test('an advisory that names no package is left out', async () => {
    const rows = await rowsIn(yarnAudit, lines(told('example', { module_name: null }), summary))

    expect(rows).toEqual([{ kind: 'LEFT_OUT', at: 'line 1', reason: 'It names no package, or no vulnerability' }])
  })
})

describe('of Yarn 4', () => {
  test('an advisory is an observation of each version that is installed', async () => {
    const observations = await observationsIn(yarnAudit, lines(four({ 'Tree Versions': ['1.0.0', '0.9.0'] })))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'yarn audit',
        ruleId: 'GHSA-2345-6789-cfgh',
        title: 'Overflow in example',
        description: 'Overflow in example\n\nexample <1.1.0\n\nThrough ours@workspace:.',
        severity: 'HIGH',
        reference: 'https://github.com/advisories/GHSA-2345-6789-cfgh',
        vulnerabilityIds: ['GHSA-2345-6789-cfgh'],
        package: 'example',
        affectedVersion: '1.0.0',
        packageManager: 'npm',
      },
      expect.objectContaining({ affectedVersion: '0.9.0' }),
    ])
  })

  test('a package that is deprecated is not vulnerable for that', async () => {
    const rows = await rowsIn(yarnAudit, lines(four({ ID: 'example (deprecation)' })))

    expect(rows).toEqual([
      { kind: 'PASSED_OVER', at: 'line 1', reason: 'example is deprecated, which is not a vulnerability' },
    ])
  })

  test('an advisory without installed versions speaks of its range', async () => {
    const observations = await observationsIn(yarnAudit, lines(four({ 'Tree Versions': null })))

    expect(observations).toMatchObject([{ affectedVersion: '<1.1.0' }])
  })
})

test('is recognised in both versions, and when yarn could not audit', () => {
  const error = { type: 'error', data: 'No connection' }

  expect(
    [summary, told('a'), error, four(), { type: 'info', data: 'Done' }].map((each) => recognisedBy(yarnAudit, each)),
  ).toEqual([true, true, true, true, false])
})

test.each([
  ['1', lines(told('a'), summary)],
  ['4', lines(four())],
])('never breaks by what the values of Yarn %s are, and keeps its other advisories', async (_, sound) => {
  const first = JSON.parse(sound.split('\n')[0] ?? '')
  await fc.assert(
    fc.asyncProperty(damaged(first), async (given) => {
      const rows = await rowsOrFault(yarnAudit, `${sound}\n${JSON.stringify(given)}`)

      expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'line 1' }))
    }),
  )
})
