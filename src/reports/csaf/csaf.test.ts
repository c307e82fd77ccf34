// How CSAF is read, 2.0 and 2.1: which products a vulnerability affects, and which it does not.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { csaf } from './reader.ts'

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const rating = { version: '3.1', vectorString: VECTOR, baseScore: 9.8, baseSeverity: 'CRITICAL' }

const tree = {
  branches: [
    {
      category: 'vendor',
      name: 'Example',
      branches: [
        {
          category: 'product_version',
          name: '1.0',
          product: { product_id: 'P1', name: 'lib 1.0', product_identification_helper: { purl: 'pkg:npm/lib@1.0' } },
        },
        {
          category: 'product_version',
          name: '2.0',
          product: { product_id: 'P2', name: 'lib 2.0', product_identification_helper: { purls: ['pkg:npm/lib@2.0'] } },
        },
      ],
    },
  ],
  full_product_names: [{ product_id: 'P3', name: 'Shop' }],
  relationships: [
    {
      category: 'default_component_of',
      product_reference: 'P1',
      relates_to_product_reference: 'P3',
      full_product_name: { product_id: 'P3:P1', name: 'lib 1.0 in Shop' },
    },
  ],
  product_groups: [{ group_id: 'G', product_ids: ['P1', 'P2'] }],
}

const vulnerability = (more: Record<string, unknown> = {}) => ({
  cve: 'CVE-2026-1001',
  ids: [{ system_name: 'GitHub', text: 'GHSA-2345-6789-cfgh' }],
  title: 'Overflow in lib',
  cwe: { id: 'CWE-787', name: 'Out-of-bounds Write' },
  notes: [{ category: 'description', text: 'It overflows.' }],
  product_status: { known_affected: ['P1'] },
  scores: [{ products: ['P1'], cvss_v3: rating }],
  references: [{ url: 'https://example.org/advisory' }],
  remediations: [
    { category: 'vendor_fix', details: 'Update it', group_ids: ['G'] },
    { category: 'workaround', details: 'Another product', product_ids: ['P3'] },
  ],
  ...more,
})

const advisory = (vulnerabilities: unknown[], version = '2.0') => ({
  document: { category: 'csaf_vex', csaf_version: version, publisher: { name: 'Example Inc' }, title: 'Overflow' },
  product_tree: tree,
  vulnerabilities,
})

describe('a vulnerability', () => {
  test('is an observation of each product that it affects', async () => {
    const observations = await observationsIn(csaf, advisory([vulnerability()]))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'Example Inc',
        ruleId: 'CVE-2026-1001',
        title: 'Overflow in lib',
        description: 'It overflows.',
        severity: 'CRITICAL',
        cvssScore: 9.8,
        cvssVector: VECTOR,
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001', 'GHSA-2345-6789-cfgh'],
        reference: 'https://example.org/advisory',
        solution: 'Update it',
        package: 'lib',
        affectedVersion: '1.0',
        packageManager: 'npm',
        purl: 'pkg:npm/lib@1.0',
        statement: { status: 'AFFECTED', reason: 'known affected' },
      },
    ])
  })

  test('of 2.1 has its ratings below metrics, several weaknesses, and products with several package URLs', async () => {
    const newer = vulnerability({
      cwe: undefined,
      cwes: [{ id: 'CWE-787' }, { id: 'CWE-121' }],
      scores: undefined,
      metrics: [{ products: ['P2'], content: { cvss_v3: rating } }],
      product_status: { known_affected: ['P2'] },
    })

    const observations = await observationsIn(csaf, advisory([newer], '2.1'))

    expect(observations).toMatchObject([
      { cweIds: [787, 121], cvssScore: 9.8, purl: 'pkg:npm/lib@2.0', solution: 'Update it' },
    ])
  })

  test('of a component of a product is one of the component', async () => {
    const observations = await observationsIn(
      csaf,
      advisory([vulnerability({ product_status: { known_affected: ['P3:P1', 'unknown'] } })]),
    )

    expect(observations).toMatchObject([{ package: 'lib', purl: 'pkg:npm/lib@1.0' }, { package: 'unknown' }])
  })

  test.each([
    [
      'known_not_affected',
      { status: 'FALSE_POSITIVE', reason: 'known not affected; vulnerable code not present; Nothing happens' },
    ],
    ['fixed', { status: 'FIX_ACCEPTED', reason: 'fixed; vulnerable code not present; Nothing happens' }],
  ])('that is %s is decided so', async (name, decision) => {
    const said = {
      flags: [{ label: 'vulnerable_code_not_present', product_ids: ['P1'] }],
      threats: [{ category: 'impact', details: 'Nothing happens' }],
    }

    const observations = await observationsIn(
      csaf,
      advisory([vulnerability({ product_status: { [name]: ['P1'] }, ...said })]),
    )

    expect(observations).toMatchObject([{ decision }])
  })

  test('that is rated by a word alone has its severity', async () => {
    const threats = [{ category: 'impact', details: 'Important', product_ids: ['P1'] }]

    const observations = await observationsIn(csaf, advisory([vulnerability({ scores: [], threats })]))

    expect(observations).toMatchObject([{ severity: 'HIGH' }])
  })

  test('that says too little is left out, and the others come through', async () => {
    const bad = [
      vulnerability({ cve: 5, ids: {}, title: null }),
      vulnerability({ product_status: { under_investigation: ['P1'] } }),
      vulnerability({ product_status: 'P1' }),
    ]

    const rows = await rowsIn(csaf, advisory([...bad, vulnerability()]))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'OBSERVATION',
      'It is still under investigation',
      'It has no product status',
      'OBSERVATION',
    ])
  })
})

describe('a document', () => {
  test('is recognised', () => {
    expect([advisory([]), { document: {} }].map((each) => recognisedBy(csaf, each))).toEqual([true, false])
  })

  test.each([advisory([], '1.2'), { document: { title: 'no version' } }])(
    'of another version is refused',
    async (given) => {
      await expect(rowsIn(csaf, given)).rejects.toThrow('CSAF')
    },
  )

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(advisory([vulnerability(), vulnerability()]))

    const rows = await rowsIn(csaf, whole.slice(0, -30))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other vulnerabilities', async () => {
    const kept = /^(document(\.csaf_version)?|vulnerabilities(\.1.*)?)$/

    await fc.assert(
      fc.asyncProperty(
        damaged(advisory([vulnerability(), vulnerability()]), (path) => kept.test(path)),
        async (given) => {
          const rows = await rowsOrFault(csaf, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'vulnerabilities[1], P1' }))
        },
      ),
    )
  })
})
