// How OSV-Scanner's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { osvScanner } from './reader.ts'

const record = (more: Record<string, unknown> = {}) => ({
  id: 'GHSA-2345-6789-cfgh',
  aliases: ['CVE-2026-1001'],
  summary: 'Overflow in example',
  details: 'It overflows.',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [
    {
      package: { name: 'example', ecosystem: 'npm' },
      ranges: [
        { type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.1.0' }] },
        { type: 'GIT', events: [{ fixed: 'abcdef' }] },
      ],
    },
    { package: { name: 'other' }, ranges: [{ type: 'SEMVER', events: [{ fixed: '9.0.0' }] }] },
  ],
  references: [{ type: 'WEB', url: 'https://example.org/advisory' }],
  database_specific: { severity: 'HIGH', cwe_ids: ['CWE-787'] },
  ...more,
})

const found = (more: Record<string, unknown> = {}) => ({
  package: { name: 'example', version: '1.0.0', ecosystem: 'npm' },
  vulnerabilities: [record()],
  groups: [{ ids: ['GHSA-2345-6789-cfgh'], aliases: ['PYSEC-2026-1'], max_severity: '9.8' }],
  ...more,
})

const report = (packages: unknown[], more: Record<string, unknown> = {}) => ({
  results: [{ source: { path: 'package-lock.json', type: 'lockfile' }, packages }],
  ...more,
})

describe('a vulnerability', () => {
  test('is an observation of the package with all that the record says of it', async () => {
    const observations = await observationsIn(osvScanner, report([found()]))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'OSV-Scanner',
        ruleId: 'GHSA-2345-6789-cfgh',
        title: 'Overflow in example',
        description: 'Overflow in example\n\nIt overflows.',
        severity: 'HIGH',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        cweIds: [787],
        vulnerabilityIds: ['GHSA-2345-6789-cfgh', 'CVE-2026-1001', 'PYSEC-2026-1'],
        reference: 'https://osv.dev/GHSA-2345-6789-cfgh\nhttps://example.org/advisory',
        solution: 'Update example to 1.1.0.',
        package: 'example',
        affectedVersion: '1.0.0',
        patchedVersion: '1.1.0',
        packageManager: 'npm',
        fileName: 'package-lock.json',
      },
    ])
  })

  test('that another database tells of the same package is left out', async () => {
    const both = found({
      vulnerabilities: [record(), record({ id: 'PYSEC-2026-1' })],
      groups: [{ ids: ['GHSA-2345-6789-cfgh', 'PYSEC-2026-1'] }],
    })

    const rows = await rowsIn(osvScanner, report([both]))

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION' },
      { kind: 'PASSED_OVER', reason: 'It is the same vulnerability as GHSA-2345-6789-cfgh of the same package' },
    ])
  })

  test('of code that is not called has a tag that says so', async () => {
    const group = { ids: ['GHSA-2345-6789-cfgh'], experimentalAnalysis: { 'GHSA-2345-6789-cfgh': { called: false } } }

    const observations = await observationsIn(osvScanner, report([found({ groups: [group] })]))

    expect(observations).toMatchObject([{ tags: ['not called'] }])
  })

  test('of an image is one of a container', async () => {
    const observations = await observationsIn(osvScanner, report([found()], { image_metadata: { os: 'Debian 12' } }))

    expect(observations).toMatchObject([{ type: 'CONTAINER_FINDING' }])
  })

  test('of malware is critical', async () => {
    const observations = await observationsIn(osvScanner, report([found({ vulnerabilities: [{ id: 'MAL-2026-1' }] })]))

    expect(observations).toMatchObject([{ severity: 'CRITICAL', title: 'MAL-2026-1 in example' }])
  })

  test('without an id, or in no package, is left out', async () => {
    const rows = await rowsIn(osvScanner, report([found({ vulnerabilities: [{}] }), { package: {} }, found()]))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'It names no vulnerability',
      'It names no package',
      'OBSERVATION',
    ])
  })
})

describe('a report of OSV-Scanner', () => {
  test('is recognised, and others that list packages are not', () => {
    const image = { name: 'example:1', packages: [{ type: 'os', name: 'bash', version: '5.2' }] }

    expect(
      [report([found()]), { results: [], experimental_config: {} }, { results: [] }, { results: [image] }].map((each) =>
        recognisedBy(osvScanner, each),
      ),
    ).toEqual([true, true, false, false])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report([found(), found()]))

    const rows = await rowsIn(osvScanner, whole.slice(0, whole.lastIndexOf('groups')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other packages', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report([found(), found()]), (path) => /^results(\.0(\.packages(\.1.*)?)?)?$/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(osvScanner, given)

          expect(rows).toContainEqual(
            expect.objectContaining({ kind: 'OBSERVATION', at: 'results[0].packages[1].vulnerabilities[0]' }),
          )
        },
      ),
    )
  })
})
