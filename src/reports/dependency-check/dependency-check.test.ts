// How OWASP Dependency-Check's reports are read, XML and JSON.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { dependencyCheck } from './reader.ts'

const vulnerability = (more: Record<string, unknown> = {}) => ({
  source: 'NVD',
  name: 'CVE-2026-1001',
  severity: 'CRITICAL',
  cvssv2: { score: 7.5, severity: 'HIGH' },
  cvssv3: {
    baseScore: 9.8,
    attackVector: 'NETWORK',
    attackComplexity: 'LOW',
    privilegesRequired: 'NONE',
    userInteraction: 'NONE',
    scope: 'UNCHANGED',
    confidentialityImpact: 'HIGH',
    integrityImpact: 'HIGH',
    availabilityImpact: 'HIGH',
    baseSeverity: 'CRITICAL',
    version: '3.1',
  },
  cwes: ['CWE-787'],
  description: 'It overflows.',
  references: [{ source: 'MISC', url: 'https://example.org/advisory', name: 'a' }],
  ...more,
})

const dependency = (more: Record<string, unknown> = {}) => ({
  fileName: 'lib-1.0.jar',
  filePath: '/builds/group/shop/lib/lib-1.0.jar',
  packages: [{ id: 'pkg:maven/org.example/lib@1.0', confidence: 'HIGH' }],
  vulnerabilities: [vulnerability()],
  ...more,
})

const report = (...dependencies: unknown[]) => ({
  reportSchema: '1.1',
  scanInfo: { engineVersion: '12.1.0' },
  dependencies,
})

const XML_VULNERABILITY =
  '<vulnerability source="NVD"><name>CVE-2026-1001</name><severity>HIGH</severity><cvssV3><baseScore>9.8</baseScore></cvssV3><cwes><cwe>CWE-787</cwe><cwe>CWE-121</cwe></cwes><references><reference><url>https://example.org/a</url></reference><reference><url>https://example.org/b</url></reference></references></vulnerability>'

const xml = (vulnerabilities: string) =>
  `<?xml version="1.0"?><analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.4.1.xsd"><dependencies><dependency><fileName>lib-1.0.jar</fileName><filePath>/builds/group/shop/lib/lib-1.0.jar</filePath><identifiers><package><id>pkg:maven/org.example/lib@1.0</id></package></identifiers><vulnerabilities>${vulnerabilities}</vulnerabilities></dependency></dependencies></analysis>`

describe('a vulnerability', () => {
  test('of JSON is an observation of the dependency, its vector put together', async () => {
    const observations = await observationsIn(dependencyCheck, report(dependency()))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'Dependency-Check',
        ruleId: 'CVE-2026-1001',
        title: 'CVE-2026-1001 in org.example:lib 1.0',
        description: 'It overflows.',
        severity: 'CRITICAL',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001'],
        reference: 'https://example.org/advisory',
        package: 'org.example:lib',
        affectedVersion: '1.0',
        packageManager: 'maven',
        purl: 'pkg:maven/org.example/lib@1.0',
        fileName: 'lib/lib-1.0.jar',
      },
    ])
  })

  test('of XML is one too, alone or among others', async () => {
    const one = await observationsIn(dependencyCheck, xml(XML_VULNERABILITY))
    const two = await observationsIn(dependencyCheck, xml(XML_VULNERABILITY + XML_VULNERABILITY))

    expect(one).toMatchObject([
      {
        severity: 'HIGH',
        cvssScore: 9.8,
        cweIds: [787, 121],
        reference: 'https://example.org/a\nhttps://example.org/b',
        package: 'org.example:lib',
      },
    ])
    expect(two).toHaveLength(2)
  })

  test('of CVSS 4 has that vector, and one without a word the severity of its rating', async () => {
    const four = 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

    const observations = await observationsIn(
      dependencyCheck,
      report(
        dependency({
          vulnerabilities: [
            vulnerability({ cvssv4: { baseScore: 9.3, vector: four } }),
            vulnerability({ severity: undefined }),
          ],
        }),
      ),
    )

    expect(observations).toMatchObject([{ cvssScore: 9.3, cvssVector: `CVSS:4.0/${four}` }, { severity: 'CRITICAL' }])
  })

  test('that is suppressed is decided, with the note on it', async () => {
    const json = await observationsIn(
      dependencyCheck,
      report(
        dependency({ vulnerabilities: [], suppressedVulnerabilities: [vulnerability({ notes: 'not reachable' })] }),
      ),
    )
    const element = await observationsIn(
      dependencyCheck,
      xml(XML_VULNERABILITY.replaceAll('vulnerability', 'suppressedVulnerability')),
    )

    expect([...json, ...element]).toMatchObject([
      { decision: { status: 'SUPPRESSED', reason: 'not reachable' } },
      { decision: { status: 'SUPPRESSED', reason: 'A suppression of the scanner covers it.' } },
    ])
  })

  test('of a file that is no package is known by the file', async () => {
    const observations = await observationsIn(dependencyCheck, report(dependency({ packages: null })))

    expect(observations).toMatchObject([{ package: 'lib-1.0.jar', title: 'CVE-2026-1001 in lib-1.0.jar' }])
  })

  test('without a name is left out, and the others come through', async () => {
    const rows = await rowsIn(dependencyCheck, report(dependency({ vulnerabilities: [{ name: {} }, vulnerability()] })))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'dependencies[0].vulnerabilities[0]', reason: 'It names no vulnerability, or no file' },
      { kind: 'OBSERVATION' },
    ])
  })
})

describe('a report of Dependency-Check', () => {
  test('is recognised', () => {
    expect([xml(''), report(), '<analysis>'].map((each) => recognisedBy(dependencyCheck, each))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report(dependency(), dependency()))

    const rows = await rowsIn(dependencyCheck, whole.slice(0, -30))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other dependencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(
          report(dependency(), dependency()),
          (path) => path === 'dependencies' || path.startsWith('dependencies.1'),
        ),
        async (given) => {
          const rows = await rowsOrFault(dependencyCheck, given)

          expect(rows).toContainEqual(
            expect.objectContaining({ kind: 'OBSERVATION', at: 'dependencies[1].vulnerabilities[0]' }),
          )
        },
      ),
    )
  })
})
