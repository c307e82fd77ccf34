// How Snyk's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { snyk } from './reader.ts'

const vulnerability = (more: Record<string, unknown> = {}) => ({
  id: 'SNYK-JS-QS-1',
  title: 'Prototype Pollution',
  CVSSv3: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:L',
  cvssScore: 6.5,
  severity: 'medium',
  description: '## Overview\nIt reads queries.\n## Remediation\nUpgrade `qs` to 6.5.3.\n## References\n- x\n',
  identifiers: { CVE: ['CVE-2022-24999'], CWE: ['CWE-1321'] },
  references: [{ title: 'Fix', url: 'https://qs.example/fix' }],
  packageName: 'qs',
  name: 'qs',
  version: '6.5.2',
  fixedIn: ['6.5.3'],
  from: ['app@1.0.0', 'express@4.0.0', 'qs@6.5.2'],
  upgradePath: [false, 'express@4.18.0'],
  isUpgradable: true,
  ...more,
})

const project = (more: Record<string, unknown> = {}, ...vulnerabilities: unknown[]) => ({
  vulnerabilities,
  ok: false,
  dependencyCount: 3,
  packageManager: 'npm',
  displayTargetFile: 'web\\package-lock.json',
  projectName: 'app',
  ...more,
})

describe('a vulnerability of Snyk', () => {
  test('is an observation with all that it and its project say', async () => {
    const observations = await observationsIn(snyk, project({}, vulnerability()))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'Snyk Open Source',
        ruleId: 'SNYK-JS-QS-1',
        title: 'Prototype Pollution in qs',
        description: 'Introduced through:\napp@1.0.0 > express@4.0.0 > qs@6.5.2\n\n## Overview\nIt reads queries.',
        severity: 'MEDIUM',
        cvssScore: 6.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:L',
        cweIds: [1321],
        vulnerabilityIds: ['CVE-2022-24999', 'SNYK-JS-QS-1'],
        reference: 'https://security.snyk.io/vuln/SNYK-JS-QS-1\nhttps://qs.example/fix',
        solution: 'Upgrade to express@4.18.0.\n\nUpgrade `qs` to 6.5.3.',
        package: 'qs',
        affectedVersion: '6.5.2',
        patchedVersion: '6.5.3',
        packageManager: 'npm',
        fileName: 'web/package-lock.json',
      },
    ])
  })

  test('that comes in by several ways is one, and in several projects several', async () => {
    const again = vulnerability({ from: ['app@1.0.0', 'qs@6.5.2'] })
    const other = project({ displayTargetFile: 'other/pom.xml' }, vulnerability())

    const observations = await observationsIn(snyk, [project({}, vulnerability(), again), other])

    expect(observations).toMatchObject([
      { fileName: 'web/package-lock.json', description: expect.stringContaining('app@1.0.0 > qs@6.5.2') },
      { fileName: 'other/pom.xml' },
    ])
  })

  test('of an image, and of an application in it, belongs to the image', async () => {
    const image = { packageManager: 'deb', projectName: 'docker-image|shop', platform: 'linux/amd64' }
    const applications = [project({ displayTargetFile: '/shop/package.json' }, vulnerability({ id: 'SNYK-JS-QS-2' }))]

    const observations = await observationsIn(snyk, project({ ...image, applications }, vulnerability()))

    expect(observations).toMatchObject([
      { type: 'CONTAINER_FINDING', toolName: 'Snyk Container', image: 'shop' },
      { type: 'CONTAINER_FINDING', toolName: 'Snyk Container', image: 'shop', fileName: '/shop/package.json' },
    ])
  })

  test.each([
    ['not-vulnerable', 'FALSE_POSITIVE'],
    ['wont-fix', 'RISK_ACCEPTED'],
    ['temporary-ignore', 'SUPPRESSED'],
  ])('ignored as %s is %s', async (reasonType, status) => {
    const ignored = vulnerability({ filtered: { ignored: [{ reason: 'No way in', reasonType }] } })

    const observations = await observationsIn(snyk, project({ filtered: { ignore: [ignored] } }))

    expect(observations).toMatchObject([{ decision: { status, reason: 'No way in' } }])
  })

  test('that is about a licence is left out', async () => {
    const rows = await rowsIn(snyk, project({}, vulnerability({ type: 'license' })))

    expect(rows).toMatchObject([{ kind: 'PASSED_OVER', at: 'vulnerabilities[0]' }])
  })
})

describe('a report of Snyk', () => {
  test('is recognised with and without vulnerabilities', () => {
    expect(
      [project({}, vulnerability()), [project()], { vulnerabilities: [] }].map((report) => recognisedBy(snyk, report)),
    ).toEqual([true, true, false])
  })

  test('of infrastructure code has its misconfigurations', async () => {
    const issue = {
      id: 'SNYK-CC-1',
      title: 'Open bucket',
      severity: 'high',
      lineNumber: 4,
      path: ['resource', 'b'],
      resolve: 'Close it',
      isIgnored: true,
    }

    const observations = await observationsIn(snyk, { infrastructureAsCodeIssues: [issue], targetFile: 'main.tf' })

    expect(observations).toMatchObject([
      {
        type: 'IAC_FINDING',
        severity: 'HIGH',
        fileName: 'main.tf',
        line: 4,
        solution: 'Close it',
        decision: { status: 'SUPPRESSED' },
      },
    ])
  })

  test('of a project that could not be tested is not all', async () => {
    const rows = await rowsIn(snyk, [project({}, vulnerability()), { ok: false, error: 'no lockfile' }])

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(project({}, vulnerability(), vulnerability({ id: 'SNYK-JS-B-2' })))

    const rows = await rowsIn(snyk, whole.slice(0, whole.lastIndexOf('Overview')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other vulnerabilities', async () => {
    const whole = [project({ filtered: { ignore: [vulnerability()] } }, vulnerability()), project({}, vulnerability())]

    await fc.assert(
      fc.asyncProperty(
        damaged(whole, (path) => path.startsWith('1')),
        async (given) => {
          const rows = await rowsOrFault(snyk, given)

          expect(rows).toContainEqual(expect.objectContaining({ at: '[1].vulnerabilities[0]', kind: 'OBSERVATION' }))
        },
      ),
    )
  })
})
