// How Grype's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { grype } from './reader.ts'

const match = (more: Record<string, unknown> = {}) => ({
  vulnerability: {
    id: 'GHSA-2345-6789-cfgh',
    dataSource: 'https://github.com/advisories/GHSA-2345-6789-cfgh',
    severity: 'High',
    urls: ['https://example.org/a'],
    description: 'It overflows.',
    cvss: [
      { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', metrics: { baseScore: 9.8 } },
      { version: '2.0', vector: 'AV:N', metrics: { baseScore: 7.5 } },
    ],
    epss: [{ cve: 'CVE-2026-1001', epss: 0.25 }],
    cwes: [{ cwe: 'CWE-787' }],
    fix: { versions: ['1.1', '2.0'], state: 'fixed' },
  },
  relatedVulnerabilities: [
    { id: 'CVE-2026-1001', description: 'It overflows, says another.', urls: ['https://example.org/b'] },
  ],
  artifact: {
    name: 'example',
    version: '1.0',
    type: 'npm',
    purl: 'pkg:npm/example@1.0',
    locations: [{ path: '/app/package-lock.json' }],
  },
  ...more,
})

const report = (matches: unknown[], more: Record<string, unknown> = {}) => ({
  matches,
  source: { type: 'image', target: { userInput: 'shop:1.2', imageID: 'sha256:1' } },
  ...more,
})

describe('a match', () => {
  test('is an observation with all that it says, and with what related vulnerabilities say', async () => {
    const observations = await observationsIn(grype, report([match()]))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'CONTAINER_FINDING',
        toolName: 'Grype',
        ruleId: 'GHSA-2345-6789-cfgh',
        title: 'GHSA-2345-6789-cfgh in example 1.0',
        description: 'It overflows.\n\nIt overflows, says another.',
        severity: 'HIGH',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        cweIds: [787],
        vulnerabilityIds: ['GHSA-2345-6789-cfgh', 'CVE-2026-1001'],
        exploitProbability: 0.25,
        reference: 'https://github.com/advisories/GHSA-2345-6789-cfgh\nhttps://example.org/a\nhttps://example.org/b',
        solution: 'Update example to 1.1, 2.0.',
        package: 'example',
        affectedVersion: '1.0',
        patchedVersion: '1.1, 2.0',
        packageManager: 'npm',
        purl: 'pkg:npm/example@1.0',
        fileName: '/app/package-lock.json',
        image: 'shop:1.2',
      },
    ])
  })

  test('of a folder is one of a dependency', async () => {
    const [observation] = await observationsIn(
      grype,
      report([match()], { source: { type: 'directory', target: '/app' } }),
    )

    expect(observation).toMatchObject({ type: 'SCA_FINDING' })
    expect(observation).not.toHaveProperty('image')
  })

  test.each([
    [{ reason: 'not reachable' }, { status: 'SUPPRESSED', reason: 'not reachable' }],
    [
      { 'vex-status': 'not_affected', 'vex-justification': 'no code' },
      { status: 'FALSE_POSITIVE', reason: 'no code' },
    ],
    [{ 'vex-status': 'fixed' }, { status: 'FIX_ACCEPTED', reason: 'A rule of the scanner ignores it.' }],
  ])('that is ignored by %j is decided', async (rule, decision) => {
    const observations = await observationsIn(
      grype,
      report([], { ignoredMatches: [match({ appliedIgnoreRules: [rule] })] }),
    )

    expect(observations).toMatchObject([{ decision }])
  })

  test('without a component is left out, and the others come through', async () => {
    const rows = await rowsIn(grype, report([match({ artifact: null }), match()]))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'matches[0]', reason: 'It names no vulnerability, or no component' },
      { kind: 'OBSERVATION', at: 'matches[1]' },
    ])
  })
})

describe('a report of Grype', () => {
  test('is recognised, also with nothing in it', () => {
    expect(
      [
        report([match()]),
        { matches: [], ignoredMatches: [] },
        { matches: [], descriptor: { name: 'grype' } },
        { matches: [] },
      ].map((each) => recognisedBy(grype, each)),
    ).toEqual([true, true, true, false])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report([match(), match()]))

    const rows = await rowsIn(grype, whole.slice(0, whole.lastIndexOf('artifact')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('that breaks off before it says what was scanned knows an image by its layers', async () => {
    const layered = match()
    layered.artifact.locations = [{ path: '/app/package-lock.json', layerID: 'sha256:2' }] as never
    const whole = JSON.stringify(report([layered, match()]))

    const [row] = await rowsIn(grype, whole.slice(0, whole.lastIndexOf('artifact')))

    expect(row).toMatchObject({ kind: 'OBSERVATION', observation: { type: 'CONTAINER_FINDING' } })
  })

  test('never breaks by what its values are, and keeps its other matches', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report([match(), match()]), (path) => path === 'matches' || path.startsWith('matches.1')),
        async (given) => {
          const rows = await rowsOrFault(grype, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'matches[1]' }))
        },
      ),
    )
  })
})
