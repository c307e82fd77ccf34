// How the JSON of njsscan and mobsfscan is read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { njsscan } from './reader.ts'

const rule = (more: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) => ({
  files: [{ file_path: 'server.js', match_lines: [14, 15], match_position: [12, 38], match_string: '  eval(input)' }],
  metadata: {
    cwe: 'CWE-95: Eval Injection',
    description: 'Input in eval() may run as code',
    'owasp-web': 'A1: Injection',
    severity: 'ERROR',
    ...metadata,
  },
  ...more,
})

const report = (nodejs: Record<string, unknown>, errors: unknown[] = []) => ({
  errors,
  njsscan_version: '1.0.1',
  nodejs,
  templates: {},
})

test('a place of a rule is an observation with all that is said of it', async () => {
  expect(await observationsIn(njsscan, report({ eval_nodejs: rule() }))).toEqual([
    {
      kind: 'CODE',
      type: 'SAST_FINDING',
      toolName: 'nodejsscan',
      ruleId: 'eval_nodejs',
      title: 'Input in eval() may run as code',
      description: 'Input in eval() may run as code',
      severity: 'HIGH',
      cweIds: [95],
      tags: ['A1: Injection'],
      fileName: 'server.js',
      line: 14,
      column: 12,
      codeSnippet: '  eval(input)',
      firstLine: 14,
    },
  ])
})

test('a rule of mobsfscan without a place is one finding of the whole', async () => {
  const mobile = {
    mobsfscan_version: '0.4.0',
    errors: [],
    results: { android_root_detection: rule({ files: undefined }) },
  }

  expect(await observationsIn(njsscan, mobile)).toMatchObject([
    { toolName: 'mobsfscan', ruleId: 'android_root_detection' },
  ])
})

test('a password that it found is not kept', async () => {
  const files = [{ file_path: 'a.js', match_lines: [1, 1], match_string: "password = 'correct-horse-battery'" }]

  const rows = await rowsIn(njsscan, report({ node_password: rule({ files }, { cwe: 'CWE-798' }) }))

  expect(rows).toHaveLength(1)
  expect(textsIn(rows).filter((text) => text.includes('correct-horse'))).toEqual([])
})

test('files of its errors were not seen', async () => {
  const errors = [{ message: 'Syntax error', path: 'b.js' }, 'semgrep not found']

  expect(await rowsIn(njsscan, report({}, errors))).toMatchObject([
    { kind: 'UNSEEN_FILE', at: 'errors[0]', fileName: 'b.js' },
    { kind: 'LEFT_OUT', at: 'errors[1]', reason: 'nodejsscan did not read a file: semgrep not found' },
  ])
})

test('is recognised with and without findings', () => {
  expect([report({ a: rule() }), report({}), { nodejs: {} }].map((each) => recognisedBy(njsscan, each))).toEqual([
    true,
    true,
    false,
  ])
})

test('never breaks by what its values are, and keeps its other rules', async () => {
  await fc.assert(
    fc.asyncProperty(
      damaged(report({ a: rule(), b: rule() }), (path) => path === 'nodejs' || path.startsWith('nodejs.b')),
      async (given) => {
        const rows = await rowsOrFault(njsscan, given)

        expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'nodejs.b.files[0]' }))
      },
    ),
  )
})
