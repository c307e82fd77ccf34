// How a baseline of detect-secrets is read, and that nothing by which a secret could be guessed is kept.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { detectSecrets } from './reader.ts'

const HASH = '1cc2201d83debd0b3d45d3b78536a1d1f1a9f028'

const secret = (more: Record<string, unknown> = {}) => ({
  type: 'AWS Access Key',
  filename: 'src/a.py',
  hashed_secret: HASH,
  is_verified: false,
  line_number: 12,
  ...more,
})

const report = (results: Record<string, unknown>) => ({
  version: '1.5.0',
  plugins_used: [{ name: 'AWSKeyDetector' }],
  filters_used: [],
  results,
  generated_at: '2026-01-01T00:00:00Z',
})

test('a secret is an observation with all that is said of it, but its hash', async () => {
  const rows = await rowsIn(detectSecrets, report({ 'src/a.py': [secret()] }))

  expect(rows).toMatchObject([
    {
      at: 'results.src/a.py[0]',
      observation: {
        kind: 'CODE',
        type: 'SECRET_FINDING',
        toolName: 'detect-secrets',
        ruleId: 'AWS Access Key',
        title: 'Secret in the repository: AWS Access Key',
        severity: 'MEDIUM',
        cweIds: [798],
        fingerprint: expect.stringMatching(/^[0-9a-f]{6}$/),
        partialFingerprint: expect.stringMatching(/^[0-9a-f]{6}$/),
        fileName: 'src/a.py',
        line: 12,
      },
    },
  ])
  expect(textsIn(rows).filter((text) => text.includes(HASH.slice(0, 8)))).toEqual([])
})

test('one that answers is worse, and one that only looks random is less', async () => {
  const secrets = [secret({ is_verified: true }), secret({ type: 'Hex High Entropy String' })]

  const observations = await observationsIn(detectSecrets, report({ 'src/a.py': secrets }))

  expect(observations.map(({ severity }) => severity)).toEqual(['CRITICAL', 'LOW'])
})

test('what the audit of a baseline says is a decision', async () => {
  const secrets = [secret({ is_secret: false }), secret({ is_secret: true })]

  const observations = await observationsIn(detectSecrets, report({ 'src/a.py': secrets }))

  expect(observations).toMatchObject([{ decision: { status: 'FALSE_POSITIVE' } }, { tags: ['audited'] }])
  expect(observations[1]).not.toHaveProperty('decision')
})

test('the same secret is known by its hash in another line and in a renamed file', async () => {
  const [before] = await observationsIn(detectSecrets, report({ 'src/a.py': [secret()] }))
  const moved = secret({ line_number: 90, filename: 'src/b.py' })

  const [after] = await observationsIn(detectSecrets, report({ 'src/b.py': [moved] }))

  expect(after?.fingerprint).toBe(before?.fingerprint)
})

test('of a baseline before version 1 the file is the name of its list', async () => {
  const observations = await observationsIn(detectSecrets, report({ 'src/old.py': [secret({ filename: undefined })] }))

  expect(observations).toMatchObject([{ fileName: 'src/old.py' }])
})

test('is recognised with and without secrets', () => {
  const reports = [report({ a: [secret()] }), report({}), { results: {} }, { version: '1', plugins_used: [] }]

  expect(reports.map((each) => recognisedBy(detectSecrets, each))).toEqual([true, true, false, false])
})

test('never breaks by what its values are, and keeps its other secrets', async () => {
  const whole = report({ 'a.py': [secret()], 'b.py': [secret()] })

  await fc.assert(
    fc.asyncProperty(
      damaged(whole, (path) => path === 'results' || path.startsWith('results.b.py')),
      async (given) => {
        const rows = await rowsOrFault(detectSecrets, given)

        expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'results.b.py[0]' }))
      },
    ),
  )
})
