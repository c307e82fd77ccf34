// How Gitleaks' JSON is read, and that no secret of it is kept.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { gitleaks } from './reader.ts'

const SECRET = 'dfjksdjfs3294dfjlsdaf213'

const eight = (more: Record<string, unknown> = {}) => ({
  Description: 'Generic API Key',
  StartLine: 21,
  EndLine: 21,
  StartColumn: 10,
  EndColumn: 46,
  Match: `apikey = "${SECRET}"`,
  Secret: SECRET,
  File: 'src/api.py',
  Commit: 'abc123',
  Author: 'A Person',
  Email: 'person@example.org',
  Date: '2026-01-02T03:04:05Z',
  Message: `adds ${SECRET}`,
  Tags: ['api'],
  RuleID: 'generic-api-key',
  Fingerprint: 'abc123:src/api.py:generic-api-key:21',
  ...more,
})

const seven = (more: Record<string, unknown> = {}) => ({
  line: `export TOKEN="${SECRET}"`,
  lineNumber: 3,
  offender: SECRET,
  commit: 'abc123',
  repo: '.',
  rule: 'Github',
  commitMessage: 'adds it',
  author: 'A Person',
  file: '.bashrc',
  date: '2020-04-04T15:52:59-07:00',
  tags: 'key, Github',
  ...more,
})

describe('a leak', () => {
  test('of version 8 is an observation with all that it says, but the secret', async () => {
    const observations = await observationsIn(gitleaks, [eight()])

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SECRET_FINDING',
        toolName: 'Gitleaks',
        severity: 'HIGH',
        cweIds: [798],
        ruleId: 'generic-api-key',
        title: 'Secret in the repository: Generic API Key',
        description: expect.stringContaining('Introduced in commit abc123 by A Person on 2026-01-02T03:04:05Z.'),
        tags: ['api'],
        fingerprint: 'abc123:src/api.py:generic-api-key:21',
        fileName: 'src/api.py',
        line: 21,
        column: 10,
        codeSnippet: 'apikey = "dfj*****13"',
        firstLine: 21,
        commitRef: 'abc123',
      },
    ])
  })

  test('of version 7 is one too', async () => {
    const observations = await observationsIn(gitleaks, [seven()])

    expect(observations).toMatchObject([
      {
        ruleId: 'Github',
        line: 3,
        fileName: '.bashrc',
        tags: ['key', 'Github'],
        codeSnippet: 'export TOKEN="dfj*****13"',
      },
    ])
  })

  test('keeps no secret in any text, redacted or not', async () => {
    const rows = await rowsIn(gitleaks, [
      eight(),
      seven(),
      eight({ Description: `Found ${SECRET} in the code of it` }),
      eight({ Secret: 'REDACTED', Match: 'apikey = "REDACTED"' }),
      eight({ Secret: undefined }),
      seven({ offender: 'REDACTED' }),
    ])

    expect(rows).toHaveLength(6)
    expect(textsIn(rows).filter((text) => text.includes(SECRET))).toEqual([])
  })

  test('has no fingerprint without a commit, for it would hold a line that moves', async () => {
    const [observation] = await observationsIn(gitleaks, [eight({ Commit: '' })])

    expect(observation).not.toHaveProperty('fingerprint')
  })
})

describe('a report of Gitleaks', () => {
  test('is recognised in both versions', () => {
    expect([[eight()], [seven()], [{ RuleID: 'x' }], []].map((report) => recognisedBy(gitleaks, report))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(gitleaks.recognises({ name: 'gitleaks-report.json', text: '[]\n' })).toBe(true)
  })

  test('of nothing has no rows', async () => {
    expect([await rowsIn(gitleaks, 'null'), await rowsIn(gitleaks, '[]')]).toEqual([[], []])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify([eight(), eight()])

    const rows = await rowsIn(gitleaks, whole.slice(0, whole.lastIndexOf('RuleID')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other leaks', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged([eight(), seven(), eight()], (path) => path.startsWith('2')),
        async (given) => {
          const rows = await rowsOrFault(gitleaks, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: '[2]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})
