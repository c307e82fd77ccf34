// How TruffleHog's JSON is read, and that no secret of it is kept.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { trufflehog } from './reader.ts'

const SECRET = 'AKIAYVP4CIPPERUVIFXG'

const three = (more: Record<string, unknown> = {}, line = 4) => ({
  SourceMetadata: {
    Data: {
      Github: {
        link: 'https://github.example/o/r/blob/abc/keys',
        repository: 'https://github.example/o/r.git',
        commit: 'abc',
        file: 'keys',
        line,
      },
    },
  },
  DetectorType: 2,
  DetectorName: 'AWS',
  Verified: true,
  Raw: SECRET,
  Redacted: SECRET,
  ExtraData: { rotation_guide: 'https://rotate.example/aws' },
  ...more,
})

const two = (more: Record<string, unknown> = {}) => ({
  branch: 'origin/main',
  commitHash: 'abc',
  diff: `+${SECRET}`,
  path: 'conf/a.env',
  printDiff: `+${SECRET}`,
  reason: 'AWS API Key',
  stringsFound: [SECRET],
  ...more,
})

const lines = (...documents: unknown[]) => documents.map((document) => JSON.stringify(document)).join('\n')

describe('a finding of TruffleHog', () => {
  test('of version 3 is an observation with all that it says, but the secret', async () => {
    const observations = await observationsIn(trufflehog, lines(three()))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SECRET_FINDING',
        toolName: 'TruffleHog',
        cweIds: [798],
        ruleId: 'AWS',
        title: 'Valid secret of AWS',
        description: expect.stringContaining('Found in https://github.example/o/r.git'),
        severity: 'CRITICAL',
        reference: 'https://github.example/o/r/blob/abc/keys\nhttps://rotate.example/aws',
        tags: ['verified', 'Github'],
        fileName: 'keys',
        line: 4,
        codeSnippet: 'AKI*****XG',
        firstLine: 4,
        commitRef: 'abc',
      },
    ])
  })

  test('that was not tried is MEDIUM', async () => {
    expect(await observationsIn(trufflehog, three({ Verified: false }))).toMatchObject([
      { severity: 'MEDIUM', tags: ['unverified', 'Github'] },
    ])
  })

  test('of an image names it', async () => {
    const Docker = { file: '/app/.env', image: 'shop', layer: 'sha256:1', tag: '1.2' }

    const observations = await observationsIn(trufflehog, three({ SourceMetadata: { Data: { Docker } } }))

    expect(observations).toMatchObject([{ fileName: 'app/.env', image: 'shop', tags: ['verified', 'Docker'] }])
  })

  test('of version 2 is one too', async () => {
    const observations = await observationsIn(trufflehog, lines(two(), two({ reason: 'High Entropy' })))

    expect(observations).toMatchObject([
      { ruleId: 'AWS API Key', severity: 'HIGH', fileName: 'conf/a.env', codeSnippet: 'AKI*****XG', commitRef: 'abc' },
      { ruleId: 'High Entropy', severity: 'LOW' },
    ])
  })

  test('keeps no secret in any text, also not one in base64', async () => {
    const raw = Buffer.from(SECRET).toString('base64')

    const rows = await rowsIn(
      trufflehog,
      lines(three(), two(), three({ Raw: raw, DetectorDescription: `Is ${SECRET}` }, 5)),
    )

    expect(rows).toHaveLength(3)
    expect(textsIn(rows).filter((text) => text.includes(SECRET) || text.includes(raw))).toEqual([])
  })

  test('told twice is left out the second time', async () => {
    const rows = await rowsIn(trufflehog, lines(three(), three(), three({}, 9)))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'PASSED_OVER', 'OBSERVATION'])
  })
})

describe('a report of TruffleHog', () => {
  test('is recognised in both versions', () => {
    expect([three(), two(), [three()], { reason: 'x' }].map((report) => recognisedBy(trufflehog, report))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  test('is read line by line, with the log between, or as an array', async () => {
    const log = { level: 'info-0', ts: '2026', msg: 'finished scanning' }

    const byLine = await rowsIn(trufflehog, lines(log, three(), 7, two()))
    const asArray = await rowsIn(trufflehog, [three(), two()])

    expect(byLine.map((row) => ('at' in row ? `${row.kind} ${row.at}` : row.kind))).toEqual([
      'OBSERVATION document 2',
      'LEFT_OUT document 3',
      'OBSERVATION document 4',
    ])
    expect(asArray.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'OBSERVATION'])
  })

  test('that breaks off gives what came before', async () => {
    const whole = lines(three(), two())

    const rows = await rowsIn(trufflehog, whole.slice(0, -10))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other findings', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged([three(), two(), three({}, 77)], (path) => path.startsWith('2')),
        async (given) => {
          const rows = await rowsOrFault(trufflehog, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: '[2]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})
