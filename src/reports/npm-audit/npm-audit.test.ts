// How `npm audit --json` is read, of npm 7 and later and of npm 6.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { npmAudit } from './reader.ts'

const advisory = (more: Record<string, unknown> = {}) => ({
  source: 1001,
  name: 'example',
  dependency: 'example',
  title: 'Overflow in example',
  url: 'https://github.com/advisories/GHSA-2345-6789-cfgh',
  severity: 'moderate',
  cwe: ['CWE-787'],
  cvss: { score: 7.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
  range: '<1.1.0',
  ...more,
})

const seven = (vulnerabilities: Record<string, unknown>) => ({ auditReportVersion: 2, vulnerabilities })

const entry = (more: Record<string, unknown> = {}) => ({
  name: 'example',
  severity: 'moderate',
  via: [advisory()],
  nodes: ['node_modules/example'],
  fixAvailable: { name: 'parent', version: '2.0.0', isSemVerMajor: true },
  ...more,
})

const six = (more: Record<string, unknown> = {}) => ({
  actions: [],
  advisories: {
    1001: {
      id: 1001,
      module_name: 'example',
      title: 'Overflow in example',
      severity: 'high',
      overview: 'It overflows.',
      recommendation: 'Update it',
      vulnerable_versions: '<1.1.0',
      patched_versions: '>=1.1.0',
      cwe: 'CWE-787',
      cves: ['CVE-2026-1001'],
      references: 'https://example.org/a\nhttps://example.org/b',
      url: 'https://npmjs.com/advisories/1001',
      findings: [
        { version: '1.0.0', paths: ['a>example'] },
        { version: '0.9.0', paths: ['b>example', 'example'] },
      ],
      ...more,
    },
  },
})

describe('of npm 7', () => {
  test.each([
    [{ name: 'parent', version: '2.0.0' }, 'Update parent to 2.0.0.'],
    [{ name: 'parent' }, 'Update parent.'],
    [true, 'Run npm audit fix.'],
    [false, undefined],
  ])('a fix that is told as %j is the solution in a sentence', async (fixAvailable, solution) => {
    const [observation] = await observationsIn(npmAudit, seven({ example: entry({ fixAvailable }) }))

    expect(observation?.solution).toBe(solution)
  })

  test('an advisory is an observation of the package that it names', async () => {
    const observations = await observationsIn(npmAudit, seven({ example: entry() }))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'npm audit',
        ruleId: 'GHSA-2345-6789-cfgh',
        title: 'Overflow in example',
        description: 'Overflow in example\n\nexample <1.1.0\n\nInstalled at node_modules/example',
        severity: 'MEDIUM',
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        cweIds: [787],
        vulnerabilityIds: ['GHSA-2345-6789-cfgh'],
        reference: 'https://github.com/advisories/GHSA-2345-6789-cfgh',
        solution: 'Update parent to 2.0.0.',
        package: 'example',
        affectedVersion: '<1.1.0',
        packageManager: 'npm',
        fileName: 'node_modules/example',
      },
    ])
  })

  test('a package that is vulnerable through others alone is left out with their names', async () => {
    const rows = await rowsIn(
      npmAudit,
      seven({ parent: entry({ via: ['example', 'other'] }), odd: entry({ via: 5 }), example: entry() }),
    )

    expect(rows).toMatchObject([
      {
        kind: 'PASSED_OVER',
        at: 'vulnerabilities.parent',
        reason: 'It is vulnerable only through example, other, reported separately',
      },
      { kind: 'LEFT_OUT', at: 'vulnerabilities.odd', reason: 'It does not say what makes the package vulnerable' },
      { kind: 'OBSERVATION', at: 'vulnerabilities.example.via[0]' },
    ])
  })
})

describe('of npm 6', () => {
  test('an advisory is an observation of each version that is installed', async () => {
    const observations = await observationsIn(npmAudit, six())

    expect(observations).toMatchObject([
      {
        ruleId: '1001',
        affectedVersion: '1.0.0',
        patchedVersion: '>=1.1.0',
        severity: 'HIGH',
        solution: 'Update it',
        description: 'It overflows.\n\nThrough a>example',
        reference: 'https://npmjs.com/advisories/1001\nhttps://example.org/a\nhttps://example.org/b',
        vulnerabilityIds: ['CVE-2026-1001'],
        cweIds: [787],
      },
      { affectedVersion: '0.9.0' },
    ])
  })

  test('an advisory is known by its id at GitHub, for its number changes with it', async () => {
    const github = { github_advisory_id: 'GHSA-2345-6789-cfgh' }
    const findings = [{ version: '1.0.0', paths: ['a>example'] }]

    const before = await observationsIn(npmAudit, six({ ...github, findings }))
    const after = await observationsIn(npmAudit, six({ ...github, findings, id: 1002 }))

    expect(before).toMatchObject([{ ruleId: 'GHSA-2345-6789-cfgh' }])
    expect(after).toMatchObject([{ ruleId: 'GHSA-2345-6789-cfgh' }])
  })

  test('an advisory without findings speaks of its range', async () => {
    const observations = await observationsIn(npmAudit, six({ findings: null }))

    expect(observations).toMatchObject([{ affectedVersion: '<1.1.0' }])
  })
})

describe('a report of npm audit', () => {
  test('is recognised in both versions, and when npm could not audit', () => {
    const failed = { message: 'no lockfile', error: { code: 'ENOLOCK', summary: 'This command requires a lockfile.' } }

    expect([seven({}), six(), failed, { vulnerabilities: {} }].map((each) => recognisedBy(npmAudit, each))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  test('is recognised where npm repeats what the registry answered, and says what that was', async () => {
    const refused = {
      message: '503 Service Unavailable - POST https://npm.example.org/-/npm/v1/security/advisories/bulk',
      method: 'POST',
      headers: { date: ['today'] },
      statusCode: 503,
      body: '',
      error: { summary: '', detail: '' },
    }

    expect(recognisedBy(npmAudit, refused)).toBe(true)
    expect(await rowsIn(npmAudit, refused)).toEqual([
      { kind: 'TRUNCATED', reason: `npm could not audit: ${refused.message}` },
    ])
  })

  test('that says npm could not audit counts as cut short', async () => {
    const rows = await rowsIn(npmAudit, { error: { code: 'ENOLOCK', summary: 'This command requires a lockfile.' } })

    expect(rows).toEqual([{ kind: 'TRUNCATED', reason: 'npm could not audit: This command requires a lockfile.' }])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(seven({ a: entry(), b: entry() }))

    const rows = await rowsIn(npmAudit, whole.slice(0, whole.lastIndexOf('range')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other advisories', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(
          seven({ a: entry(), b: entry() }),
          (path) => path === 'vulnerabilities' || path.startsWith('vulnerabilities.b'),
        ),
        async (given) => {
          const rows = await rowsOrFault(npmAudit, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'vulnerabilities.b.via[0]' }))
        },
      ),
    )
  })
})
