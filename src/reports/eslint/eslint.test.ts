// How ESLint's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { eslint } from './reader.ts'

const message = (more: Record<string, unknown> = {}) => ({
  ruleId: 'security/detect-eval-with-expression',
  severity: 1,
  message: 'eval with argument of type Identifier',
  line: 2,
  column: 3,
  endLine: 2,
  endColumn: 10,
  ...more,
})

const file = (messages: unknown, more: Record<string, unknown> = {}) => ({
  filePath: '/builds/shop/web/src/a.js',
  messages,
  suppressedMessages: [],
  errorCount: 0,
  warningCount: 1,
  source: 'const x = 1\r\n  eval(x)\r\n',
  ...more,
})

describe('a message of ESLint', () => {
  test('is an observation with its line of code', async () => {
    expect(await observationsIn(eslint, [file([message()])])).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'ESLint',
        ruleId: 'security/detect-eval-with-expression',
        title: 'eval with argument of type Identifier',
        description: 'eval with argument of type Identifier',
        severity: 'MEDIUM',
        fileName: 'src/a.js',
        line: 2,
        column: 3,
        codeSnippet: '  eval(x)',
        firstLine: 2,
      },
    ])
  })

  test('is an error where its rule is one, and has no code where the report has none', async () => {
    const [observation] = await observationsIn(eslint, [file([message({ severity: 2 })], { source: undefined })])

    expect(observation).toMatchObject({ severity: 'HIGH' })
    expect(observation).not.toHaveProperty('codeSnippet')
  })

  test('that the code disables is suppressed, with the reason that stands there', async () => {
    const suppressed = [
      message({ suppressions: [{ kind: 'directive', justification: 'checked above' }] }),
      message({ suppressions: [{ kind: 'directive', justification: '' }] }),
    ]

    const observations = await observationsIn(eslint, [file([], { suppressedMessages: suppressed })])

    expect(observations).toMatchObject([
      { decision: { status: 'SUPPRESSED', reason: 'checked above' } },
      { decision: { status: 'SUPPRESSED', reason: 'It is disabled in the code.' } },
    ])
  })

  test('of no rule is no finding, and of a file that could not be parsed says so', async () => {
    const messages = [
      message({ ruleId: null, message: 'Unused eslint-disable directive.' }),
      message({ ruleId: null, fatal: true, severity: 2, message: 'Parsing error: Unexpected token (' }),
    ]

    expect(await rowsIn(eslint, [file(messages)])).toEqual([
      { kind: 'PASSED_OVER', at: '[0].messages[0]', reason: 'Unused eslint-disable directive.' },
      {
        kind: 'UNSEEN_FILE',
        at: '[0].messages[1]',
        fileName: 'src/a.js',
        reason: expect.stringMatching(/^ESLint did not read .*: Parsing error: Unexpected token \($/),
      },
    ])
  })

  test('of a rule that looks for secrets keeps none', async () => {
    const [secret, ruleId] = ['AKIAQRSTUVWXYZ234567', 'no-secrets/no-secrets']
    const source = `\nconst key = '${secret}'\n`

    const rows = await rowsIn(eslint, [file([message({ ruleId, message: `Found "${secret}"` })], { source })])

    expect(rows).toHaveLength(1)
    expect(textsIn(rows).filter((text) => text.includes(secret))).toEqual([])
  })
})

describe('a report of ESLint', () => {
  test('is recognised with and without messages, and none of Secretlint is', () => {
    const clean = file([], { source: undefined })
    const other = { filePath: '/a', messages: [{ ruleId: '@secretlint/secretlint-rule-aws', data: {} }] }

    expect([[file([message()])], [clean], [other], []].map((each) => recognisedBy(eslint, each))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('never breaks by what its values are, and keeps its other files', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged([file([message()]), file([message()])], (path) => path.startsWith('1')),
        async (given) => {
          const rows = await rowsOrFault(eslint, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: '[1].messages[0]' }))
        },
      ),
    )
  })
})
