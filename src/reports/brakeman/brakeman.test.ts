// How Brakeman's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { brakeman } from './reader.ts'

const warning = (more: Record<string, unknown> = {}) => ({
  warning_type: 'SQL Injection',
  warning_code: 0,
  fingerprint: '2f63d663e9f35ba6',
  check_name: 'SQL',
  message: 'Possible SQL injection',
  file: 'app/models/user.rb',
  line: 33,
  link: 'https://brakemanscanner.org/docs/warning_types/sql_injection/',
  code: 'where("name = #{params[:name]}")',
  render_path: null,
  location: { type: 'method', class: 'User', method: 'named' },
  user_input: 'params[:name]',
  confidence: 'High',
  cwe_id: [89],
  ...more,
})

const report = (...warnings: unknown[]) => ({
  scan_info: { app_path: '/app', brakeman_version: '6.2.0' },
  warnings,
  ignored_warnings: [],
  errors: [],
  obsolete: [],
})

describe('a warning of Brakeman', () => {
  test('is an observation with all that it says, under the rule that its SARIF names', async () => {
    expect(await observationsIn(brakeman, report(warning()))).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'Brakeman',
        ruleId: 'BRAKE0000',
        title: 'SQL Injection: Possible SQL injection',
        description: 'Possible SQL injection\n\nInput: params[:name]\n\nIn User#named',
        severity: 'HIGH',
        cweIds: [89],
        reference: 'https://brakemanscanner.org/docs/warning_types/sql_injection/',
        tags: ['SQL', 'confidence: high'],
        fingerprint: '2f63d663e9f35ba6',
        fileName: 'app/models/user.rb',
        line: 33,
        codeSnippet: 'where("name = #{params[:name]}")',
        firstLine: 33,
        source: 'params[:name]',
      },
    ])
  })

  test('of a vulnerable version of Rails names the vulnerability', async () => {
    const old = warning({ message: 'Rails 3.2.3 does not escape single quotes (CVE-2012-3464).', confidence: 'Weak' })

    expect(await observationsIn(brakeman, report(old))).toMatchObject([
      { vulnerabilityIds: ['CVE-2012-3464'], severity: 'LOW' },
    ])
  })

  test('that is ignored is suppressed with its note', async () => {
    const ignored = [warning({ note: 'only staff come here' }), warning({ note: '' })]

    expect(await observationsIn(brakeman, { ...report(), ignored_warnings: ignored })).toMatchObject([
      { decision: { status: 'SUPPRESSED', reason: 'only staff come here' } },
      { decision: { status: 'SUPPRESSED', reason: 'It is ignored by Brakeman’s configuration.' } },
    ])
  })
})

describe('a report of Brakeman', () => {
  test('tells the files that it could not read, and that a check failed', async () => {
    const errors = [
      { error: 'app/models/bad.rb:3 :: parse error on value "end"', location: 'app/models/bad.rb:3' },
      { error: 'undefined method', location: null },
    ]

    expect(await rowsIn(brakeman, { ...report(), errors })).toMatchObject([
      { kind: 'UNSEEN_FILE', at: 'errors[0]', fileName: 'app/models/bad.rb' },
      { kind: 'LEFT_OUT', at: 'errors[1]', reason: 'Brakeman failed: undefined method' },
    ])
  })

  test('is recognised with and without warnings', () => {
    expect([report(warning()), report(), { warnings: [] }].map((each) => recognisedBy(brakeman, each))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('never breaks by what its values are, and keeps its other warnings', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report(warning(), warning()), (path) => path === 'warnings' || path.startsWith('warnings.1')),
        async (given) => {
          const rows = await rowsOrFault(brakeman, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'warnings[1]' }))
        },
      ),
    )
  })
})
