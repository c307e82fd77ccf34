// How Bandit's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { bandit } from './reader.ts'

const result = (more: Record<string, unknown> = {}) => ({
  code: '11 import pickle\n12 pickle.loads(data)\n',
  col_offset: 4,
  filename: './app/a.py',
  issue_confidence: 'HIGH',
  issue_cwe: { id: 502, link: 'https://cwe.mitre.org/data/definitions/502.html' },
  issue_severity: 'MEDIUM',
  issue_text: 'Pickle reads whatever it is given.',
  line_number: 12,
  more_info: 'https://bandit.example/b301',
  test_id: 'B301',
  test_name: 'blacklist',
  ...more,
})

const report = (...results: unknown[]) => ({ errors: [], metrics: { _totals: { 'CONFIDENCE.HIGH': 1 } }, results })

describe('a result of Bandit', () => {
  test('is an observation with all that it says', async () => {
    const observations = await observationsIn(bandit, report(result()))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'Bandit',
        ruleId: 'B301',
        title: 'Pickle reads whatever it is given.',
        description: 'Pickle reads whatever it is given.',
        severity: 'MEDIUM',
        cweIds: [502],
        reference: 'https://bandit.example/b301\nhttps://cwe.mitre.org/data/definitions/502.html',
        tags: ['blacklist', 'confidence: high'],
        fileName: 'app/a.py',
        line: 12,
        column: 5,
        codeSnippet: 'pickle.loads(data)',
        firstLine: 12,
        around: { code: 'import pickle\npickle.loads(data)', firstLine: 11 },
      },
    ])
  })

  test('has the lines of its statement as its code, and those that Bandit shows around them apart', async () => {
    const found = { code: '11 a\n12 run(\n13   b)\n14 c\n', line_number: 12, line_range: [12, 13] }

    const [observation] = await observationsIn(bandit, report(result(found)))

    expect(observation).toMatchObject({
      codeSnippet: 'run(\n  b)',
      firstLine: 12,
      around: { code: 'a\nrun(\n  b)\nc', firstLine: 11 },
    })
  })

  test('that is a password does not keep it', async () => {
    const password = 'correct-horse-battery'
    const found = {
      test_id: 'B105',
      issue_text: `Possible hardcoded password: '${password}'`,
      code: `3 password = '${password}'\n`,
    }

    const rows = await rowsIn(bandit, report(result(found)))

    expect(textsIn(rows).filter((text) => text.includes(password))).toEqual([])
    expect(rows).toMatchObject([{ observation: { codeSnippet: "password = 'cor*****ry'" } }])
  })
})

describe('a report of Bandit', () => {
  test('is recognised with and without results', () => {
    expect(recognisedBy(bandit, report(result()))).toBe(true)
    expect(recognisedBy(bandit, report())).toBe(true)
    expect(recognisedBy(bandit, { results: [] })).toBe(false)
  })

  test('is none where Bandit wrote SARIF, which has the same metrics', () => {
    const properties = { metrics: { _totals: { 'CONFIDENCE.HIGH': 1 } }, issue_severity: 'LOW', test_id: 'B301' }

    expect(recognisedBy(bandit, { runs: [{ properties }], version: '2.1.0' })).toBe(false)
  })

  test('tells the files that Bandit could not read', async () => {
    const errors = [{ filename: 'b.py', reason: 'syntax error while parsing AST' }]

    const rows = await rowsIn(bandit, { ...report(), errors })

    expect(rows).toEqual([
      {
        kind: 'UNSEEN_FILE',
        at: 'errors[0]',
        fileName: 'b.py',
        reason: 'Bandit did not read b.py: syntax error while parsing AST',
      },
    ])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report(result(), result()))

    const rows = await rowsIn(bandit, whole.slice(0, whole.lastIndexOf('B301')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other results', async () => {
    const whole = report(result(), result({ filename: 'good.py' }))

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => /^(?:results$|results\.1)/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(bandit, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: 'results[1]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})
