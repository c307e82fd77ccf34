// How CycloneDX is read, JSON and XML: components, vulnerabilities, and what was decided of them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { cyclonedx } from './reader.ts'

const library = (more: Record<string, unknown> = {}) => ({
  'bom-ref': 'a',
  type: 'library',
  group: 'org.example',
  name: 'lib',
  version: '1.0',
  purl: 'pkg:maven/org.example/lib@1.0',
  licenses: [{ license: { id: 'MIT' } }, { expression: 'Apache-2.0' }],
  ...more,
})

const vulnerability = (more: Record<string, unknown> = {}) => ({
  id: 'CVE-2026-1001',
  source: { url: 'https://nvd.example.org/CVE-2026-1001' },
  references: [{ id: 'GHSA-2345-6789-cfgh' }],
  ratings: [
    { severity: 'low', method: 'other' },
    { score: 9.8, severity: 'critical', method: 'CVSSv31', vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  ],
  cwes: [787],
  description: 'It overflows.',
  detail: 'At length.',
  recommendation: 'Update it',
  workaround: 'Do not use it',
  advisories: [{ url: 'https://example.org/advisory' }],
  affects: [{ ref: 'a' }],
  ...more,
})

const bom = (components: unknown[], vulnerabilities: unknown[], more: Record<string, unknown> = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  ...more,
  vulnerabilities,
  components,
})

const xml = (inner: string) =>
  `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1">${inner}</bom>`

describe('a component', () => {
  test('is a row of its own, those inside it too', async () => {
    const rows = await rowsIn(cyclonedx, bom([library({ components: [{ name: 'inner' }] })], []))

    expect(rows).toMatchObject([
      {
        kind: 'COMPONENT',
        at: 'components[0]',
        component: {
          name: 'org.example:lib',
          version: '1.0',
          purl: 'pkg:maven/org.example/lib@1.0',
          packageManager: 'maven',
          license: 'MIT AND Apache-2.0',
          technology: 'library',
        },
      },
      { kind: 'COMPONENT', at: 'components[0].components[0]', component: { name: 'inner' } },
    ])
  })

  test('without a name is left out, and the others come through', async () => {
    const rows = await rowsIn(cyclonedx, bom([{ name: [] }, library()], []))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'The component has no name',
      'COMPONENT',
    ])
  })
})

describe('a vulnerability', () => {
  test('is an observation of each component that it affects, though they stand behind it', async () => {
    const observations = await observationsIn(
      cyclonedx,
      bom([library()], [vulnerability()], { metadata: { tools: [{ name: 'scanner' }] } }),
    )

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'scanner',
        ruleId: 'CVE-2026-1001',
        title: 'CVE-2026-1001 in org.example:lib 1.0',
        description: 'It overflows.\n\nAt length.',
        severity: 'CRITICAL',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001', 'GHSA-2345-6789-cfgh'],
        reference: 'https://nvd.example.org/CVE-2026-1001\nhttps://example.org/advisory',
        solution: 'Update it\n\nDo not use it',
        package: 'org.example:lib',
        affectedVersion: '1.0',
        packageManager: 'maven',
        purl: 'pkg:maven/org.example/lib@1.0',
      },
    ])
  })

  test('of an image is one of a container', async () => {
    const observations = await observationsIn(
      cyclonedx,
      bom([library()], [vulnerability()], { metadata: { component: { type: 'container', name: 'shop:1.2' } } }),
    )

    expect(observations).toMatchObject([{ type: 'CONTAINER_FINDING', image: 'shop:1.2' }])
  })

  test('of a component of another document is known by its reference', async () => {
    const affects = [{ ref: 'urn:cdx:1/1#a' }, { ref: 'pkg:npm/other@2.0' }, { ref: 'somewhere' }]

    const observations = await observationsIn(cyclonedx, bom([library()], [vulnerability({ affects })]))

    expect(observations.map((each) => [each.package, each.affectedVersion])).toEqual([
      ['org.example:lib', '1.0'],
      ['other', '2.0'],
      ['somewhere', undefined],
    ])
  })

  test.each([
    [
      'not_affected',
      { status: 'FALSE_POSITIVE', reason: 'not affected: code_not_reachable; never called; will_not_fix' },
    ],
    [
      'false_positive',
      { status: 'FALSE_POSITIVE', reason: 'false positive: code_not_reachable; never called; will_not_fix' },
    ],
    ['resolved', { status: 'FIX_ACCEPTED', reason: 'code_not_reachable; never called; will_not_fix' }],
    ['in_triage', undefined],
    ['exploitable', undefined],
  ])('with the analysis %s is decided so', async (state, decision) => {
    const analysis = { state, justification: 'code_not_reachable', detail: 'never called', response: ['will_not_fix'] }

    const [observation] = await observationsIn(cyclonedx, bom([library()], [vulnerability({ analysis })]))

    expect(observation?.decision).toEqual(decision)
  })

  test('without an id, or that affects nothing, is left out', async () => {
    const rows = await rowsIn(cyclonedx, bom([], [vulnerability({ id: {} }), vulnerability({ affects: [] }), 5]))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'The vulnerability has no id',
      'It affects no component of the document',
      'It is not an object',
    ])
  })

  test('of XML is one too, also of the extension before 1.4', async () => {
    const inside =
      '<v:vulnerabilities><v:vulnerability ref="a"><v:id>CVE-2026-1001</v:id><v:ratings><v:rating><v:score><v:base>9.8</v:base></v:score><v:severity>Critical</v:severity><v:method>CVSSv3</v:method></v:rating></v:ratings></v:vulnerability></v:vulnerabilities>'
    const component = (more: string) =>
      `<components xmlns:v="urn:v"><component type="library" bom-ref="a"><name>lib</name><version>1.0</version>${more}</component></components>`
    const now =
      '<vulnerabilities><vulnerability><id>CVE-2026-1001</id><ratings><rating><score>9.8</score><severity>critical</severity><method>CVSSv3</method></rating></ratings><cwes><cwe>787</cwe></cwes><affects><target><ref>a</ref></target></affects><analysis><state>resolved</state></analysis></vulnerability></vulnerabilities>'

    const observations = [
      ...(await observationsIn(cyclonedx, xml(component(inside)))),
      ...(await observationsIn(cyclonedx, xml(component('') + now))),
    ]

    const same = {
      ruleId: 'CVE-2026-1001',
      package: 'lib',
      affectedVersion: '1.0',
      severity: 'CRITICAL',
      cvssScore: 9.8,
    }
    expect(observations).toMatchObject([same, { ...same, cweIds: [787], decision: { status: 'FIX_ACCEPTED' } }])
  })
})

describe('a document', () => {
  test('is recognised', () => {
    expect([bom([], []), xml(''), '<bom>'].map((each) => recognisedBy(cyclonedx, each))).toEqual([true, true, false])
  })

  test('that breaks off gives what came before', async () => {
    const json = JSON.stringify({ bomFormat: 'CycloneDX', components: [library(), library()] })

    const rows = [
      ...(await rowsIn(cyclonedx, json.slice(0, json.lastIndexOf('version')))),
      ...(await rowsIn(cyclonedx, xml('<components><component><name>a</name></component><component><name>b'))),
    ]

    expect(rows.map(({ kind }) => kind)).toEqual(
      ['COMPONENT', 'TRUNCATED', 'COMPONENT', 'LEFT_OUT', 'TRUNCATED'].filter((kind) => kind !== 'LEFT_OUT'),
    )
  })

  test('whose components are nested too deeply says which were left out', async () => {
    const depth = 60
    const nested = (left: number): object => ({ name: `c${left}`, components: left > 0 ? [nested(left - 1)] : [] })
    const nestedXml = '<component><name>c</name><components>'.repeat(depth)

    const json = await rowsIn(cyclonedx, bom([nested(depth)], []))
    const ofXml = await rowsIn(
      cyclonedx,
      xml(`<components>${nestedXml}${'</components></component>'.repeat(depth)}</components>`),
    )

    for (const rows of [json, ofXml]) {
      const left = rows.filter(({ kind }) => kind === 'LEFT_OUT')
      expect(left).toEqual([expect.objectContaining({ reason: 'It is nested more than 50 deep' })])
    }
  })

  test('never breaks by what its values are, and keeps its other vulnerabilities', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(
          bom([library(), library()], [vulnerability(), vulnerability()]),
          (path) => path === 'vulnerabilities' || path.startsWith('vulnerabilities.1'),
        ),
        async (given) => {
          const rows = await rowsOrFault(cyclonedx, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'vulnerabilities[1]' }))
        },
      ),
    )
  })
})
