// How Semgrep's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { semgrep } from './reader.ts'

const result = (more: Record<string, unknown> = {}, extra: Record<string, unknown> = {}) => ({
  check_id: 'js.security.eval',
  path: 'src/a.js',
  start: { line: 4, col: 3, offset: 40 },
  end: { line: 4, col: 20, offset: 57 },
  ...more,
  extra: { message: 'Code is made of input. It runs as it is.', severity: 'ERROR', lines: '  eval(input)', ...extra },
})

const report = (...results: unknown[]) => ({ version: '1.60.0', results, errors: [], paths: { scanned: [] } })

describe('a result of Semgrep', () => {
  test('is an observation with all that it says', async () => {
    const extra = {
      fingerprint: 'abc_0',
      fix: 'run(input)',
      metadata: {
        cwe: ['CWE-95: Eval Injection'],
        owasp: ['A03:2021 - Injection'],
        references: ['https://example.org/eval'],
        technology: ['javascript'],
      },
      dataflow_trace: {
        taint_source: ['CliLoc', [{ path: 'src/in.js', start: { line: 1 } }, 'read()']],
        intermediate_vars: [{ content: 'name', location: { path: 'src/a.js', start: { line: 2 } } }],
        taint_sink: ['CliCall', [[{ path: 'src/a.js', start: { line: 4 } }, 'eval']]],
      },
    }

    const observations = await observationsIn(semgrep, report(result({}, extra)))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'Semgrep',
        ruleId: 'js.security.eval',
        title: 'Code is made of input. It runs as it is.',
        description: 'Code is made of input. It runs as it is.',
        severity: 'HIGH',
        cweIds: [95],
        reference: 'https://example.org/eval',
        solution: 'Semgrep proposes this code:\nrun(input)',
        tags: ['A03:2021 - Injection', 'javascript'],
        partialFingerprint: 'abc',
        fileName: 'src/a.js',
        line: 4,
        column: 3,
        codeSnippet: '  eval(input)',
        firstLine: 4,
        source: 'src/in.js:1',
        sink: 'src/a.js:4',
        flow: [
          { path: 'src/in.js', line: 1, text: 'read()' },
          { path: 'src/a.js', line: 2, text: 'name' },
          { path: 'src/a.js', line: 4, text: 'eval' },
        ],
      },
    ])
  })

  test.each([
    ['ERROR', 'HIGH'],
    ['WARNING', 'MEDIUM'],
    ['INFO', 'LOW'],
    ['CRITICAL', 'CRITICAL'],
    ['INVENTORY', 'NOTIFICATION'],
  ])('of severity %s is %s', async (severity, expected) => {
    const observations = await observationsIn(semgrep, report(result({}, { severity })))

    expect(observations).toMatchObject([{ severity: expected }])
  })

  test('of a version that numbers no matches has its fingerprint as it is', async () => {
    const [observation] = await observationsIn(semgrep, report(result({}, { fingerprint: 'abc' })))

    expect(observation).toMatchObject({ fingerprint: 'abc' })
  })

  test('has neither code nor fingerprint where Semgrep wants a login for them', async () => {
    const [observation] = await observationsIn(
      semgrep,
      report(result({}, { lines: 'requires login', fingerprint: 'requires login' })),
    )

    expect(observation).not.toHaveProperty('codeSnippet')
    expect(observation).not.toHaveProperty('fingerprint')
  })

  test('that is ignored in the source is suppressed', async () => {
    const observations = await observationsIn(semgrep, report(result({}, { is_ignored: true })))

    expect(observations).toMatchObject([{ decision: { status: 'SUPPRESSED' } }])
  })

  test('of the supply chain is a component', async () => {
    const found_dependency = { package: 'lodash', version: '4.17.4', ecosystem: 'npm' }
    const sca_info = { dependency_match: { found_dependency, lockfile: 'package-lock.json' } }
    const metadata = { 'sca-vuln-database-identifier': 'CVE-2019-10744', 'sca-fix-versions': [{ lodash: '4.17.12' }] }

    const observations = await observationsIn(semgrep, report(result({}, { sca_info, metadata })))

    expect(observations).toMatchObject([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        package: 'lodash',
        affectedVersion: '4.17.4',
        patchedVersion: '4.17.12',
        packageManager: 'npm',
        vulnerabilityIds: ['CVE-2019-10744'],
        fileName: 'package-lock.json',
      },
    ])
  })

  test('that is a secret does not keep it', async () => {
    const secret = { check_id: 'generic.secrets.security.detected-token' }

    const observations = await observationsIn(semgrep, report(result(secret, { lines: 'token = "abcdefghijklmnop"' })))

    expect(observations).toMatchObject([{ type: 'SECRET_FINDING', codeSnippet: 'token = "abc*****op"' }])
  })

  test('told twice is left out the second time', async () => {
    const rows = await rowsIn(semgrep, report(result(), result(), result({ path: 'src/b.js' })))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'PASSED_OVER', 'OBSERVATION'])
    expect(rows[1]).toMatchObject({ at: 'results[1]', reason: 'It is the same finding as results[0]' })
  })
})

describe('a report of Semgrep', () => {
  test('names the files that Semgrep did not see, and is not whole where it failed otherwise', async () => {
    const errors = [
      {
        code: 3,
        level: 'warn',
        type: 'Syntax error',
        message: 'Syntax error at line 3:\n `(` was unexpected',
        path: './src/b.js',
      },
      { code: 2, level: 'error', type: 'SemgrepError', message: 'Rules could not be fetched' },
      { code: 2, level: 'warn', type: 'Other', message: 'Nothing that matters' },
    ]

    const rows = await rowsIn(semgrep, { ...report(result()), errors })

    expect(rows.slice(1)).toEqual([
      {
        kind: 'UNSEEN_FILE',
        at: 'errors[0]',
        fileName: 'src/b.js',
        reason: 'Semgrep did not read src/b.js: Syntax error at line 3:',
      },
      { kind: 'TRUNCATED', reason: 'Rules could not be fetched' },
    ])
  })

  test('is recognised with and without results, and Checkov’s is not', () => {
    expect(recognisedBy(semgrep, report(result()))).toBe(true)
    expect(recognisedBy(semgrep, report())).toBe(true)
    expect(
      recognisedBy(semgrep, {
        check_type: 'terraform',
        results: { failed_checks: [{ check_id: 'CKV_1', extra: {} }] },
      }),
    ).toBe(false)
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report(result(), result({ path: 'src/b.js' })))

    const rows = await rowsIn(semgrep, whole.slice(0, whole.lastIndexOf('eval')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other results', async () => {
    const sca_info = { dependency_match: { found_dependency: { package: 'a' } } }
    const whole = report(result({}, { metadata: { cwe: ['CWE-1'] }, sca_info }), result({ path: 'good.js' }))

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => /^(?:results$|results\.1)/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(semgrep, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: 'results[1]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})
