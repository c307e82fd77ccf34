// How findings in a plain form are read, JSON and CSV.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { generic } from './reader.ts'

const finding = (more: Record<string, unknown> = {}) => ({
  title: 'Overflow in parse',
  description: 'It overflows.',
  impact: 'Anybody gets in.',
  severity: 'High',
  cwe: 787,
  cve: 'CVE-2026-1001',
  vulnerability_ids: ['GHSA-2345-6789-cfgh'],
  cvssv3: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvssv3_score: 9.8,
  epss_score: 0.5,
  references: 'see https://example.org/advisory',
  mitigation: 'Check it',
  tags: ['a', 'b,c'],
  unique_id_from_tool: 'id-1',
  vuln_id_from_tool: 'R1',
  file_path: 'src/lib.c',
  line: 12,
  ...more,
})

const report = (...findings: unknown[]) => ({ name: 'ours', type: 'Our scanner', findings })

describe('a finding', () => {
  test('in a file is an observation with all that it says', async () => {
    const observations = await observationsIn(
      generic,
      report(finding({ codeSnippet: 'parse(a)', firstLine: 12, column: 3 })),
    )

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'Our scanner',
        ruleId: 'R1',
        title: 'Overflow in parse',
        description: 'It overflows.\n\nAnybody gets in.',
        severity: 'HIGH',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001', 'GHSA-2345-6789-cfgh'],
        exploitProbability: 0.5,
        reference: 'https://example.org/advisory',
        solution: 'Check it',
        tags: ['a', 'b', 'c'],
        originalIssueIdFromTool: 'id-1',
        fileName: 'src/lib.c',
        line: 12,
        column: 3,
        codeSnippet: 'parse(a)',
        firstLine: 12,
      },
    ])
  })

  test('with a component is one of it, with an address one of a service', async () => {
    const component = finding({ component_name: 'lib', component_version: '1.0', fix_version: '1.1' })
    const exchange = {
      Title: 'Header',
      Severity: 'Low',
      endpoints: [{ protocol: 'https', host: 'shop.example.org', port: 8443, path: 'a' }, 'x'],
      request: 'GET /\nCookie: a=abcdef0123456789',
    }

    const observations = await observationsIn(generic, report(component, exchange))

    expect(observations).toMatchObject([
      { kind: 'COMPONENT', type: 'SCA_FINDING', package: 'lib', affectedVersion: '1.0', patchedVersion: '1.1' },
      { kind: 'EXCHANGE', type: 'DAST_FINDING', request: 'GET /\nCookie: a=*****' },
    ])
    expect(textsIn(observations)).toContain('x')
  })

  test.each([
    ['IAC', 'CODE', 'IAC_FINDING'],
    ['dast_finding', 'EXCHANGE', 'DAST_FINDING'],
    ['Mast', 'CODE', 'MAST_FINDING'],
    ['CONTAINER', 'COMPONENT', 'CONTAINER_FINDING'],
  ])('of type %s is %s', async (type, kind, expected) => {
    const observations = await observationsIn(generic, report(finding({ type, package: 'lib' })))

    expect(observations).toMatchObject([{ kind, type: expected }])
  })

  test.each([
    [
      { false_p: true, reason: 'seen' },
      { status: 'FALSE_POSITIVE', reason: 'seen' },
    ],
    [{ risk_accepted: 'true' }, { status: 'RISK_ACCEPTED', reason: 'Decided in the report.' }],
    [{ is_mitigated: 'TRUE' }, { status: 'FIX_ACCEPTED', reason: 'Decided in the report.' }],
    [{ out_of_scope: true }, { status: 'SUPPRESSED', reason: 'Decided in the report.' }],
    [
      { status: 'FIX_ACCEPTED', statusReason: 'Gone' },
      { status: 'FIX_ACCEPTED', reason: 'Gone' },
    ],
    [
      { status: 'risk_accepted', riskAcceptedUntil: '2999-01-01T00:00:00Z' },
      { status: 'RISK_ACCEPTED', until: '2999-01-01T00:00:00Z' },
    ],
  ])('with %j is decided', async (more, decision) => {
    const observations = await observationsIn(generic, report(finding(more)))

    expect(observations).toMatchObject([{ decision }])
  })

  test('that is a secret keeps none of it', async () => {
    const SECRET = 'abcdef0123456789'

    const observations = await observationsIn(
      generic,
      report(
        finding({ type: 'SECRET', snippet: `key = "${SECRET}"` }),
        finding({ cwe: 798, snippet: `key = "${SECRET}"` }),
      ),
    )

    expect(observations.map(({ codeSnippet }) => codeSnippet)).toEqual(['key = "abc*****89"', 'key = "abc*****89"'])
  })

  test('without a title, or marked as a duplicate, is left out, and the others come through', async () => {
    const rows = await rowsIn(generic, report(finding({ title: [] }), 5, finding({ duplicate: true }), finding()))

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'It has no title',
      'It is not an object',
      'It is marked as a duplicate',
      'OBSERVATION',
    ])
  })
})

describe('a row of CSV', () => {
  const HEADER = 'Date,Title,CweId,Url,Severity,Description,FalsePositive'

  test('is a finding by the names of its columns', async () => {
    const observations = await observationsIn(
      generic,
      `${HEADER}\n2026-01-01,Header is missing,693,https://a/b,Low,"It is, here.",TRUE\n`,
    )

    expect(observations).toMatchObject([
      {
        kind: 'EXCHANGE',
        toolName: 'Generic',
        title: 'Header is missing',
        cweIds: [693],
        url: 'https://a/b',
        severity: 'LOW',
        description: 'It is, here.',
        decision: { status: 'FALSE_POSITIVE' },
      },
    ])
  })

  test('that is cut by the end of the file makes the report one that is cut short', async () => {
    const rows = await rowsIn(generic, `${HEADER}\n,a,,,Low,,\n,b,,`)

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION' },
      { kind: 'TRUNCATED', reason: 'It ends in the middle of row 3' },
    ])
  })
})

describe('a report in the plain form', () => {
  test('is recognised', () => {
    expect(
      [report(), { findings: [] }, 'Title;Severity\n', '"severity"\t"title"', { results: [] }, 'Name,Severity'].map(
        (each) => recognisedBy(generic, each),
      ),
    ).toEqual([true, true, true, true, false, false])
  })

  test('is not taken for one where most of what it says would be lost', () => {
    const other = {
      id: '1',
      title: 'a',
      severity: 'High',
      weakness: 'b',
      bounty: '1',
      reporter: 'c',
      asset: { title: '' },
    }

    const reports = [
      { findings: [other] },
      'IP,OS,QID,Title,Severity,Port,FQDN,Instance\n',
      'Title,Severity,Owner,Team\n',
    ]

    expect(reports.map((each) => recognisedBy(generic, each))).toEqual([false, false, true])
  })

  test('says of a severity without a word that it cannot be read', async () => {
    expect(await rowsIn(generic, report(finding({ severity: 5 })))).toEqual([
      {
        kind: 'LEFT_OUT',
        at: 'findings[0]',
        reason: 'Its severity is 5, not one of CRITICAL, HIGH, MEDIUM, LOW or NOTIFICATION',
      },
    ])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(report(finding(), finding()))

    const rows = await rowsIn(generic, whole.slice(0, -30))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other findings', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report(finding(), finding()), (path) => path === 'findings' || path.startsWith('findings.1')),
        async (given) => {
          const rows = await rowsOrFault(generic, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'findings[1]' }))
        },
      ),
    )
  })
})
