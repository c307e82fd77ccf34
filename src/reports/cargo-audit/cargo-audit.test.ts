// How `cargo audit --json` is read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { cargoAudit } from './reader.ts'

const found = (more: Record<string, unknown> = {}) => ({
  advisory: {
    id: 'RUSTSEC-2026-0001',
    title: 'Overflow in example',
    description: 'It overflows.',
    aliases: ['CVE-2026-1001'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    url: 'https://example.org/advisory',
    references: ['https://example.org/more'],
  },
  versions: { patched: ['>=1.1.0'], unaffected: [] },
  package: { name: 'example', version: '1.0.0' },
  ...more,
})

const report = (list: unknown[], warnings: unknown = {}) => ({
  database: { 'advisory-count': 1 },
  lockfile: { 'dependency-count': 2 },
  vulnerabilities: { found: list.length > 0, count: list.length, list },
  warnings,
})

test('a vulnerability is an observation of the version that is locked', async () => {
  const observations = await observationsIn(cargoAudit, report([found()]))

  expect(observations).toEqual([
    {
      kind: 'COMPONENT',
      type: 'SCA_FINDING',
      toolName: 'cargo audit',
      ruleId: 'RUSTSEC-2026-0001',
      title: 'Overflow in example',
      description: 'Overflow in example\n\nIt overflows.',
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      vulnerabilityIds: ['RUSTSEC-2026-0001', 'CVE-2026-1001'],
      reference:
        'https://example.org/advisory\nhttps://rustsec.org/advisories/RUSTSEC-2026-0001.html\nhttps://example.org/more',
      solution: 'Update example to >=1.1.0.',
      package: 'example',
      affectedVersion: '1.0.0',
      patchedVersion: '>=1.1.0',
      packageManager: 'crates.io',
      fileName: 'Cargo.lock',
    },
  ])
})

test.each([
  ['by kind', (warning: object) => ({ unmaintained: [warning] })],
  ['as a list', (warning: object) => [warning]],
])('what RustSec warns of, told %s, is a notification', async (_, told) => {
  const observations = await observationsIn(cargoAudit, report([], told(found({ kind: 'unmaintained' }))))

  expect(observations).toMatchObject([{ severity: 'NOTIFICATION', cweIds: [1104], tags: ['unmaintained'] }])
})

test('a version that was withdrawn is passed over, and what names nothing is left out', async () => {
  const rows = await rowsIn(
    cargoAudit,
    report([found({ package: null }), found({ advisory: null })], {
      yanked: [found({ kind: 'yanked', advisory: null })],
    }),
  )

  expect(rows).toEqual([
    { kind: 'LEFT_OUT', at: 'vulnerabilities.list[0]', reason: 'It names no package' },
    { kind: 'LEFT_OUT', at: 'vulnerabilities.list[1]', reason: 'It names no vulnerability' },
    {
      kind: 'PASSED_OVER',
      at: 'warnings.yanked[0]',
      reason: 'This version of example was withdrawn, which is not a vulnerability',
    },
  ])
})

test('is recognised, with findings and without', () => {
  expect(
    [report([found()]), report([]), { vulnerabilities: { list: [] } }].map((each) => recognisedBy(cargoAudit, each)),
  ).toEqual([true, true, false])
})

test('never breaks by what its values are, and keeps its other findings', async () => {
  await fc.assert(
    fc.asyncProperty(
      damaged(
        report([found(), found()]),
        (path) => path === 'vulnerabilities' || /^vulnerabilities\.list(?:\.1|$)/.test(path),
      ),
      async (given) => {
        const rows = await rowsOrFault(cargoAudit, given)

        expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'vulnerabilities.list[1]' }))
      },
    ),
  )
})
