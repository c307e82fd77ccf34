// How OpenVEX is read: what is said of a vulnerability in a product.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { openvex } from './reader.ts'

const statement = (more: Record<string, unknown> = {}) => ({
  vulnerability: {
    '@id': 'https://nvd.example.org/CVE-2026-1001',
    name: 'CVE-2026-1001',
    description: 'It overflows.',
    aliases: ['GHSA-2345-6789-cfgh'],
  },
  products: [{ '@id': 'pkg:oci/shop', subcomponents: [{ '@id': 'pkg:npm/lib@1.0' }] }],
  status: 'affected',
  action_statement: 'Update it',
  ...more,
})

const document = (...statements: unknown[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'urn:1',
  statements,
})

describe('a statement', () => {
  test('is an observation of each component that it speaks of', async () => {
    const observations = await observationsIn(openvex, document(statement()))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'OpenVEX',
        ruleId: 'CVE-2026-1001',
        title: 'CVE-2026-1001 in lib',
        description: 'It overflows.',
        vulnerabilityIds: ['CVE-2026-1001', 'GHSA-2345-6789-cfgh'],
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

  test('of a product alone is one of the product, however it is named', async () => {
    const products = [
      'pkg:oci/shop@sha256',
      { identifiers: { purl: 'pkg:npm/a@1' } },
      { '@id': 'https://example.org/p' },
      { identifiers: { cpe23: 'cpe:2.3:a:b' } },
    ]

    const observations = await observationsIn(
      openvex,
      document(statement({ vulnerability: 'CVE-2026-1001', products })),
    )

    expect(observations.map((each) => [each.type, each.package])).toEqual([
      ['CONTAINER_FINDING', 'shop'],
      ['SCA_FINDING', 'a'],
      ['SCA_FINDING', 'https://example.org/p'],
      ['SCA_FINDING', 'cpe:2.3:a:b'],
    ])
  })

  test.each([
    [
      'not_affected',
      { status: 'FALSE_POSITIVE', reason: 'not affected: inline mitigations already exist; behind a proxy' },
    ],
    ['fixed', { status: 'FIX_ACCEPTED', reason: 'inline mitigations already exist; behind a proxy' }],
  ])('that says %s is decided so', async (status, decision) => {
    const said = { status, justification: 'inline_mitigations_already_exist', impact_statement: 'behind a proxy' }

    const observations = await observationsIn(openvex, document(statement(said)))

    expect(observations).toMatchObject([{ decision }])
  })

  test('that a newer one answers is left out, wherever they stand', async () => {
    const old = statement({ timestamp: '2026-01-01T00:00:00Z' })
    const fixed = statement({ timestamp: '2026-02-01T00:00:00Z', status: 'fixed' })

    const rows = [...(await rowsIn(openvex, document(old, fixed))), ...(await rowsIn(openvex, document(fixed, old)))]

    expect(rows).toMatchObject([
      { kind: 'PASSED_OVER', reason: 'statements[1] has a newer statement about it' },
      { kind: 'OBSERVATION', observation: { decision: { status: 'FIX_ACCEPTED' } } },
      { kind: 'OBSERVATION', observation: { decision: { status: 'FIX_ACCEPTED' } } },
      { kind: 'PASSED_OVER', reason: 'statements[0] has a newer statement about it' },
    ])
  })

  test('that is still under investigation closes nothing: it may be what seems to be absent', async () => {
    const rows = await rowsIn(openvex, document(statement({ status: 'under_investigation' })))

    expect(rows).toMatchObject([{ kind: 'LEFT_OUT', reason: 'It is still under investigation' }])
  })

  test('that says too little is left out, and the others come through', async () => {
    const asked = { status: 'under_investigation', products: ['pkg:npm/other@1'] }
    const bad = [{ vulnerability: [] }, { products: [] }, asked, { status: 'perhaps' }].map((more) => statement(more))

    const rows = await rowsIn(openvex, document(...bad, statement()))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'It names no vulnerability',
      'It names no product',
      'It is still under investigation',
      'It has no OpenVEX status',
      'OBSERVATION',
    ])
  })
})

describe('a document', () => {
  test('is recognised', () => {
    expect([document(), { statements: [] }].map((each) => recognisedBy(openvex, each))).toEqual([true, false])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(document(statement(), statement({ products: ['b'] })))

    const rows = await rowsIn(openvex, whole.slice(0, -30))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other statements', async () => {
    const last = statement({ products: ['last'] })

    await fc.assert(
      fc.asyncProperty(
        damaged(document(statement(), last), (path) => path === 'statements' || path.startsWith('statements.1')),
        async (given) => {
          const rows = await rowsOrFault(openvex, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'statements[1], last' }))
        },
      ),
    )
  })
})
