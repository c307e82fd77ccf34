// How gosec's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { gosec } from './reader.ts'

const issue = (more: Record<string, unknown> = {}) => ({
  severity: 'MEDIUM',
  confidence: 'HIGH',
  cwe: { id: '327', url: 'https://cwe.mitre.org/data/definitions/327.html' },
  rule_id: 'G401',
  details: 'Use of weak cryptographic primitive',
  file: '/builds/shop/api/user.go',
  code: '159: func sum() {\n160: \th := md5.New()\n161: }\n',
  line: '160',
  column: '7',
  nosec: false,
  suppressions: null,
  ...more,
})

const report = (...Issues: unknown[]) => ({ 'Golang errors': {}, Issues, Stats: { files: 1 }, GosecVersion: 'dev' })

describe('an issue of gosec', () => {
  test('is an observation with all that it says', async () => {
    expect(await observationsIn(gosec, report(issue()))).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'gosec',
        ruleId: 'G401',
        title: 'Use of weak cryptographic primitive',
        description: 'Use of weak cryptographic primitive',
        severity: 'MEDIUM',
        cweIds: [327],
        reference: 'https://cwe.mitre.org/data/definitions/327.html',
        tags: ['confidence: high'],
        fileName: 'user.go',
        line: 160,
        column: 7,
        codeSnippet: '\th := md5.New()',
        firstLine: 160,
        around: { code: 'func sum() {\n\th := md5.New()\n}', firstLine: 159 },
      },
    ])
  })

  test('of several lines stands at the first, and has the code alone where versions before 2.2 wrote it so', async () => {
    const observations = await observationsIn(gosec, report(issue({ line: '12-14', code: 'md5.New()' })))

    expect(observations).toMatchObject([{ line: 12, codeSnippet: 'md5.New()', firstLine: 12 }])
  })

  test('that the code marks is suppressed', async () => {
    const marked = issue({ nosec: true, suppressions: [{ kind: 'inSource', justification: 'no password' }] })

    const observations = await observationsIn(gosec, report(marked, issue({ nosec: true })))

    expect(observations).toMatchObject([
      { decision: { status: 'SUPPRESSED', reason: 'no password' } },
      { decision: { status: 'SUPPRESSED', reason: 'It is marked #nosec in the code.' } },
    ])
  })

  test('that is a password does not keep it', async () => {
    const found = issue({ rule_id: 'G101', cwe: { id: '798' }, code: '3: password := "correct-horse-battery"\n' })

    const rows = await rowsIn(gosec, report(found))

    expect(rows).toMatchObject([{ observation: { codeSnippet: 'password := "cor*****ry"' } }])
    expect(textsIn(rows).filter((text) => text.includes('correct-horse'))).toEqual([])
  })
})

describe('a report of gosec', () => {
  test('tells the files that could not be compiled', async () => {
    const errors = { '/builds/shop/api/bad.go': [{ line: 3, column: 1, error: 'expected declaration' }] }

    expect(await rowsIn(gosec, { ...report(), 'Golang errors': errors })).toMatchObject([
      {
        kind: 'UNSEEN_FILE',
        at: 'Golang errors./builds/shop/api/bad.go',
        fileName: 'bad.go',
        reason: 'gosec did not read bad.go: expected declaration',
      },
    ])
  })

  test('is recognised with and without issues', () => {
    expect([report(issue()), report(), { Issues: [] }].map((each) => recognisedBy(gosec, each))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('never breaks by what its values are, and keeps its other issues', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report(issue(), issue()), (path) => path === 'Issues' || path.startsWith('Issues.1')),
        async (given) => {
          const rows = await rowsOrFault(gosec, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'Issues[1]' }))
        },
      ),
    )
  })
})
