// How Checkov's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { checkov } from './reader.ts'

const check = (more: Record<string, unknown> = {}) => ({
  check_id: 'CKV_AWS_20',
  check_name: 'Ensure the bucket is not public',
  check_result: { result: 'FAILED' },
  code_block: [
    [3, 'resource "aws_s3_bucket" "b" {\n'],
    [4, '}\n'],
  ],
  file_path: '/main.tf',
  repo_file_path: '/infra/main.tf',
  file_line_range: [3, 4],
  resource: 'aws_s3_bucket.b',
  severity: 'HIGH',
  guideline: 'https://docs.example/ckv_aws_20',
  ...more,
})

const report = (failed: unknown[], more: Record<string, unknown> = {}, check_type = 'terraform') => ({
  check_type,
  results: { passed_checks: [check()], failed_checks: failed, skipped_checks: [], parsing_errors: [], ...more },
  summary: { failed: failed.length, checkov_version: '3.0.0' },
})

describe('a failed check', () => {
  test('is an observation with all that it says', async () => {
    const observations = await observationsIn(checkov, report([check()]))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'IAC_FINDING',
        toolName: 'Checkov',
        ruleId: 'CKV_AWS_20',
        title: 'Ensure the bucket is not public',
        description: 'Ensure the bucket is not public\n\nResource: aws_s3_bucket.b',
        severity: 'HIGH',
        reference: 'https://docs.example/ckv_aws_20',
        tags: ['terraform'],
        fileName: 'infra/main.tf',
        line: 3,
        codeSnippet: 'resource "aws_s3_bucket" "b" {\n}\n',
        firstLine: 3,
      },
    ])
  })

  test('of a module names the file that uses it as it names its own', async () => {
    const caller = { caller_file_path: '/infra/shop.tf', caller_file_line_range: [7, 9] }

    const [observation] = await observationsIn(checkov, report([check(caller)]))

    expect(observation?.description).toContain('Used by infra/shop.tf:7')
  })

  test('of secrets does not keep them', async () => {
    const code_block = [[1, 'token = "abcdefghijklmnop"\n']]

    const observations = await observationsIn(
      checkov,
      report([check({ check_id: 'CKV_SECRET_6', code_block })], {}, 'secrets'),
    )

    expect(observations).toMatchObject([{ type: 'SECRET_FINDING', codeSnippet: 'token = "abc*****op"\n' }])
  })

  test('of a package is a component', async () => {
    const vulnerability_details = {
      id: 'CVE-2020-1',
      package_name: 'django',
      package_version: '1.2',
      lowest_fixed_version: '1.3',
      cvss: 9.8,
      severity: 'critical',
    }

    const observations = await observationsIn(checkov, report([check({ vulnerability_details })], {}, 'sca_package'))

    expect(observations).toMatchObject([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        package: 'django',
        affectedVersion: '1.2',
        patchedVersion: '1.3',
        severity: 'CRITICAL',
        ruleId: 'CVE-2020-1',
      },
    ])
  })
})

describe('a report of Checkov', () => {
  test('may be a list, and says what it did not check', async () => {
    const skipped_checks = [check({ check_result: { result: 'SKIPPED', suppress_comment: 'public on purpose' } })]

    const rows = await rowsIn(checkov, [report([check()]), report([], { skipped_checks, parsing_errors: ['/bad.tf'] })])

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION', at: '[0].results.failed_checks[0]' },
      { kind: 'PASSED_OVER', reason: 'The check was skipped: public on purpose' },
      { kind: 'UNSEEN_FILE', fileName: 'bad.tf', reason: 'Checkov did not read bad.tf' },
    ])
  })

  test('is recognised in each of its shapes', () => {
    const empty = { passed: 0, failed: 0, checkov_version: '2.1.269' }

    expect(
      [report([check()]), [report([])], empty, { results: {} }].map((each) => recognisedBy(checkov, each)),
    ).toEqual([true, true, true, false])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report([check(), check()]))

    const rows = await rowsIn(checkov, whole.slice(0, whole.lastIndexOf('CKV_AWS_20')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other checks', async () => {
    const vulnerability_details = { id: 'CVE-2020-1', package_name: 'django' }
    const whole = [report([check(), check({ vulnerability_details })]), report([check()])]

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => path.startsWith('1')),
        async (given) => {
          const rows = await rowsOrFault(checkov, given)

          expect(rows).toContainEqual(
            expect.objectContaining({ at: '[1].results.failed_checks[0]', kind: 'OBSERVATION' }),
          )
        },
      ),
    )
  })
})
