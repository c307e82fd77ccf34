// How SPDX JSON is read: packages of 2 and 3, advisories of 2, what 3 says of vulnerabilities.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { spdx } from './reader.ts'

const two = (...packages: unknown[]) => ({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', packages })

const advisory = (locator: unknown) => ({
  referenceCategory: 'SECURITY',
  referenceType: 'advisory',
  referenceLocator: locator,
  comment: 'It overflows.',
})

const ofTwo = (more: Record<string, unknown> = {}) => ({
  name: 'lib',
  versionInfo: '1.0',
  licenseConcluded: 'NOASSERTION',
  licenseDeclared: 'MIT',
  primaryPackagePurpose: 'LIBRARY',
  externalRefs: [
    { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: 'pkg:npm/lib@1.0' },
    advisory('https://nvd.example.org/CVE-2026-1001'),
  ],
  ...more,
})

const three = (...elements: unknown[]) => ({
  '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
  '@graph': elements,
})

const lib = {
  type: 'software_Package',
  spdxId: 'urn:a',
  name: 'lib',
  software_packageVersion: '1.0',
  software_primaryPurpose: 'library',
  externalIdentifier: [{ externalIdentifierType: 'packageUrl', identifier: 'pkg:npm/lib@1.0' }],
}

const overflow = {
  type: 'security_Vulnerability',
  spdxId: 'urn:v',
  summary: 'Overflow',
  description: 'It overflows.',
  externalIdentifier: [
    {
      externalIdentifierType: 'cve',
      identifier: 'CVE-2026-1001',
      identifierLocator: ['https://nvd.example.org/CVE-2026-1001'],
    },
    { externalIdentifierType: 'cwe', identifier: 'CWE-787' },
  ],
}

const rating = {
  type: 'security_CvssV3VulnAssessmentRelationship',
  from: 'urn:v',
  to: ['urn:a'],
  security_score: 9.8,
  security_severity: 'critical',
  security_vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
}

const vex = (status: string, more: Record<string, unknown> = {}) => ({
  type: `security_Vex${status}VulnAssessmentRelationship`,
  from: 'urn:v',
  to: ['urn:product'],
  security_assessedElement: 'urn:a',
  ...more,
})

describe('of SPDX 2', () => {
  test('a package is a component, and an advisory that names a vulnerability an observation', async () => {
    const rows = await rowsIn(spdx, two(ofTwo()))

    expect(rows).toMatchObject([
      {
        kind: 'COMPONENT',
        component: {
          name: 'lib',
          version: '1.0',
          purl: 'pkg:npm/lib@1.0',
          packageManager: 'npm',
          license: 'MIT',
          technology: 'library',
        },
      },
      {
        kind: 'OBSERVATION',
        at: 'packages[0].externalRefs[1]',
        observation: {
          type: 'SCA_FINDING',
          ruleId: 'CVE-2026-1001',
          title: 'CVE-2026-1001 in lib',
          description: 'It overflows.',
          vulnerabilityIds: ['CVE-2026-1001'],
          reference: 'https://nvd.example.org/CVE-2026-1001',
          package: 'lib',
          affectedVersion: '1.0',
          purl: 'pkg:npm/lib@1.0',
        },
      },
    ])
  })

  test('a package without a name and an advisory without an id are left out', async () => {
    const rows = await rowsIn(
      spdx,
      two({}, ofTwo({ externalRefs: [advisory('https://example.org/news'), advisory(5)] })),
    )

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'The package has no name',
      'COMPONENT',
      'The advisory names no vulnerability',
      'The advisory names no vulnerability',
    ])
  })
})

describe('of SPDX 3', () => {
  test('a vulnerability that affects a package is an observation with its rating, in any order', async () => {
    const observations = await observationsIn(
      spdx,
      three(vex('Affected', { security_actionStatement: 'Update it' }), rating, overflow, lib),
    )

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'SPDX',
        ruleId: 'CVE-2026-1001',
        title: 'CVE-2026-1001 in lib 1.0',
        description: 'Overflow\n\nIt overflows.',
        severity: 'CRITICAL',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001'],
        reference: 'https://nvd.example.org/CVE-2026-1001',
        solution: 'Update it',
        package: 'lib',
        affectedVersion: '1.0',
        packageManager: 'npm',
        purl: 'pkg:npm/lib@1.0',
        statement: { status: 'AFFECTED', reason: 'affected' },
      },
    ])
  })

  test.each([
    ['NotAffected', { status: 'FALSE_POSITIVE', reason: 'not affected: vulnerableCodeNotPresent; never called' }],
    ['Fixed', { status: 'FIX_ACCEPTED', reason: 'vulnerableCodeNotPresent; never called' }],
  ])('one that is %s is decided so', async (status, decision) => {
    const said = { security_justificationType: 'vulnerableCodeNotPresent', security_impactStatement: 'never called' }

    const observations = await observationsIn(spdx, three(lib, overflow, vex(status, said)))

    expect(observations).toMatchObject([{ decision }])
  })

  test('one that is only associated is open, unless a VEX relationship speaks of the same', async () => {
    const associated = {
      type: 'Relationship',
      relationshipType: 'hasAssociatedVulnerability',
      from: 'urn:a',
      to: ['urn:v'],
    }

    const alone = await observationsIn(spdx, three(lib, overflow, associated))
    const both = await observationsIn(spdx, three(lib, overflow, associated, vex('Fixed')))

    expect(alone).toHaveLength(1)
    expect(alone[0]).not.toHaveProperty('decision')
    expect(both).toMatchObject([{ decision: { status: 'FIX_ACCEPTED' } }])
  })

  test('one that is investigated, or that the document does not hold, is left out', async () => {
    const rows = await rowsIn(spdx, three(lib, vex('UnderInvestigation'), vex('Affected', { from: 'urn:unknown' })))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'COMPONENT',
      'It is still under investigation',
      'The document does not contain the vulnerability that it refers to',
    ])
  })
})

describe('a document', () => {
  test('is recognised in both versions', () => {
    expect(
      [two(), three(), { '@graph': [{ spdxId: 'a', specVersion: '3.0.1' }] }, { packages: [] }].map((each) =>
        recognisedBy(spdx, each),
      ),
    ).toEqual([true, true, true, false])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(two(ofTwo({ externalRefs: [] }), ofTwo()))

    const rows = await rowsIn(spdx, whole.slice(0, -30))

    expect(rows.map(({ kind }) => kind)).toEqual(['COMPONENT', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other elements', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(
          three(overflow, rating, vex('Affected'), lib, { ...lib, spdxId: 'urn:b' }),
          (path) => path === '@graph' || path.startsWith('@graph.4'),
        ),
        damaged(two(ofTwo(), ofTwo()), (path) => path === 'packages' || path.startsWith('packages.1')),
        async (graph, packages) => {
          const rows = [...(await rowsOrFault(spdx, graph)), ...(await rowsOrFault(spdx, packages))]

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'COMPONENT', at: '@graph[4]' }))
          expect(rows).toContainEqual(
            expect.objectContaining({ kind: 'OBSERVATION', at: 'packages[1].externalRefs[1]' }),
          )
        },
      ),
    )
  })
})
