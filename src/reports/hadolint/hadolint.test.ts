// How Hadolint's JSON is read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { hadolint } from './reader.ts'

const fault = (more: Record<string, unknown> = {}) => ({
  code: 'DL3008',
  column: 1,
  file: 'docker/Dockerfile',
  level: 'warning',
  line: 9,
  message: 'Pin versions in apt get install.',
  ...more,
})

test('a fault is an observation with all that it says', async () => {
  expect(await observationsIn(hadolint, [fault()])).toEqual([
    {
      kind: 'CODE',
      type: 'IAC_FINDING',
      toolName: 'Hadolint',
      ruleId: 'DL3008',
      title: 'Pin versions in apt get install.',
      description: 'Pin versions in apt get install.',
      severity: 'MEDIUM',
      reference: 'https://github.com/hadolint/hadolint/wiki/DL3008',
      fileName: 'docker/Dockerfile',
      line: 9,
      column: 1,
    },
  ])
})

test('its levels are severities, and rules of ShellCheck have their page there', async () => {
  const faults = ['error', 'info', 'style'].map((level) => fault({ level, code: 'SC2086' }))

  const observations = await observationsIn(hadolint, faults)

  expect(observations.map(({ severity }) => severity)).toEqual(['HIGH', 'LOW', 'NOTIFICATION'])
  expect(observations).toMatchObject(faults.map(() => ({ reference: 'https://www.shellcheck.net/wiki/SC2086' })))
})

test('a file that Hadolint could not parse was not seen', async () => {
  const rows = await rowsIn(hadolint, [fault({ code: 'DL1000', level: 'error', message: 'missing whitespace' })])

  expect(rows).toEqual([
    {
      kind: 'UNSEEN_FILE',
      at: '[0]',
      fileName: 'docker/Dockerfile',
      reason: 'Hadolint did not read docker/Dockerfile: missing whitespace',
    },
  ])
})

test('is recognised by its rules, and without any by its file', () => {
  const reports = [[fault()], [fault({ code: 'X1' })], []]

  expect(reports.map((report) => recognisedBy(hadolint, report))).toEqual([true, false, false])
  expect(hadolint.recognises({ name: 'hadolint.json', text: '[]' })).toBe(true)
})

test('never breaks by what its values are, and keeps its other faults', async () => {
  await fc.assert(
    fc.asyncProperty(
      damaged([fault(), fault()], (path) => path.startsWith('1')),
      async (given) => {
        const rows = await rowsOrFault(hadolint, given)

        expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: '[1]' }))
      },
    ),
  )
})
