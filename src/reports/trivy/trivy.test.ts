// How Trivy's JSON is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { trivy } from './reader.ts'

const vulnerability = (more: Record<string, unknown> = {}) => ({
  VulnerabilityID: 'CVE-2026-1001',
  VendorIDs: ['DSA-1001-1'],
  PkgName: 'libexample1',
  PkgPath: 'usr/lib/a.jar',
  PkgIdentifier: { PURL: 'pkg:deb/debian/libexample1@1.0-1' },
  InstalledVersion: '1.0-1',
  FixedVersion: '1.0-2',
  Severity: 'HIGH',
  SeveritySource: 'debian',
  Title: 'libexample: overflow',
  Description: 'It overflows.',
  CweIDs: ['CWE-787'],
  PrimaryURL: 'https://example.org/1001',
  References: ['https://example.org/more'],
  CVSS: {
    debian: { V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', V3Score: 7.5 },
    nvd: { V3Score: 9.8 },
  },
  ...more,
})

const secret = {
  RuleID: 'aws-access-key-id',
  Category: 'AWS',
  Severity: 'CRITICAL',
  Title: 'AWS Access Key ID',
  StartLine: 3,
  Match: 'key = ********',
}

const misconfiguration = (more: Record<string, unknown> = {}) => ({
  ID: 'DS002',
  AVDID: 'AVD-DS-0002',
  Title: 'The image runs as root',
  Description: 'Root may do anything.',
  Message: 'Name a user',
  Resolution: 'Add USER',
  Severity: 'HIGH',
  Status: 'FAIL',
  CauseMetadata: {
    StartLine: 2,
    Code: {
      Lines: [
        { Number: 2, Content: 'FROM debian' },
        { Number: 3, Content: 'USER root', FirstCause: true },
      ],
    },
  },
  ...more,
})

const image = (results: unknown[]) => ({
  SchemaVersion: 2,
  ArtifactName: 'shop:1.2',
  ArtifactType: 'container_image',
  Results: results,
})

const packages = (...found: unknown[]) => ({
  Target: 'shop:1.2 (debian 12)',
  Class: 'os-pkgs',
  Type: 'debian',
  Vulnerabilities: found,
})

describe('a vulnerability', () => {
  test('of an image is an observation with all that it says, rated by the source that Trivy took', async () => {
    const observations = await observationsIn(trivy, image([packages(vulnerability())]))

    expect(observations).toEqual([
      {
        kind: 'COMPONENT',
        type: 'CONTAINER_FINDING',
        toolName: 'Trivy',
        ruleId: 'CVE-2026-1001',
        title: 'libexample: overflow',
        description: 'It overflows.\n\nCVSS by other sources: nvd 9.8',
        severity: 'HIGH',
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001', 'DSA-1001-1'],
        reference: 'https://example.org/1001\nhttps://example.org/more',
        solution: 'Update libexample1 to 1.0-2.',
        package: 'libexample1',
        affectedVersion: '1.0-1',
        patchedVersion: '1.0-2',
        packageManager: 'debian',
        purl: 'pkg:deb/debian/libexample1@1.0-1',
        fileName: 'usr/lib/a.jar',
        image: 'shop:1.2',
      },
    ])
  })

  test('of a folder is one of a dependency, in the file that names it', async () => {
    const lockfile = {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: [vulnerability({ PkgPath: '' })],
    }

    const [observation] = await observationsIn(trivy, {
      SchemaVersion: 2,
      ArtifactType: 'filesystem',
      Results: [lockfile],
    })

    expect(observation).toMatchObject({ type: 'SCA_FINDING', fileName: 'package-lock.json', packageManager: 'npm' })
    expect(observation).not.toHaveProperty('image')
  })

  test.each([
    ['a cluster', { ClusterName: 'c', Resources: [{ Results: [packages(vulnerability())] }] }],
    [
      'a cluster, as it was written before',
      { ClusterName: 'c', Vulnerabilities: [{ Results: [packages(vulnerability())] }] },
    ],
    ['a report without a schema', [packages(vulnerability())]],
  ])('of %s is read too', async (_, report) => {
    const rows = await rowsIn(trivy, report)

    expect(rows).toMatchObject([{ kind: 'OBSERVATION', observation: { type: 'CONTAINER_FINDING' } }])
    expect(recognisedBy(trivy, report)).toBe(true)
  })

  test('of another scanner that has a target and vulnerabilities is not taken for one of Trivy', () => {
    const others = { Target: { Url: 'https://example.org/' }, Vulnerabilities: [{ Name: 'Weak cipher' }] }

    expect(recognisedBy(trivy, others)).toBe(false)
  })

  test('that names no package is left out, and the others come through', async () => {
    const rows = await rowsIn(trivy, image([packages(vulnerability({ PkgName: null }), vulnerability())]))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'Results[0].Vulnerabilities[0]', reason: 'It names no vulnerability, or no package' },
      { kind: 'OBSERVATION', at: 'Results[0].Vulnerabilities[1]' },
    ])
  })
})

describe('a misconfiguration', () => {
  test('is an observation at the line that Trivy marks; one that passed is none', async () => {
    const result = {
      Target: 'Dockerfile',
      Class: 'config',
      Misconfigurations: [misconfiguration(), misconfiguration({ Status: 'PASS' })],
    }

    const observations = await observationsIn(trivy, image([result]))

    expect(observations).toEqual([
      {
        kind: 'CODE',
        type: 'IAC_FINDING',
        toolName: 'Trivy',
        ruleId: 'AVD-DS-0002',
        title: 'The image runs as root',
        description: 'Name a user\n\nRoot may do anything.',
        severity: 'HIGH',
        solution: 'Add USER',
        fileName: 'Dockerfile',
        image: 'shop:1.2',
        line: 3,
        firstLine: 2,
        codeSnippet: 'FROM debian\nUSER root',
      },
    ])
  })
})

describe('a secret', () => {
  test('is an observation with the masked match', async () => {
    const observations = await observationsIn(trivy, image([{ Target: 'app.env', Class: 'secret', Secrets: [secret] }]))

    expect(observations).toMatchObject([
      {
        type: 'SECRET_FINDING',
        ruleId: 'aws-access-key-id',
        severity: 'CRITICAL',
        cweIds: [798],
        line: 3,
        firstLine: 3,
        codeSnippet: 'key = ********',
        image: 'shop:1.2',
      },
    ])
  })

  test('of a folder is of no image', async () => {
    const folder = { SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem' }

    const [observation] = await observationsIn(trivy, { ...folder, Results: [{ Target: 'a.env', Secrets: [secret] }] })

    expect(observation).toMatchObject({ type: 'SECRET_FINDING', fileName: 'a.env' })
    expect(observation).not.toHaveProperty('image')
  })
})

describe('what was set aside', () => {
  test.each([
    ['ignored', 'SUPPRESSED'],
    ['not_affected', 'FALSE_POSITIVE'],
    ['fixed', 'FIX_ACCEPTED'],
  ])('as %s has the decision %s with the reason', async (status, decision) => {
    const modified = {
      Type: 'vulnerability',
      Status: status,
      Statement: 'not reachable',
      Source: '.trivyignore.yaml',
      Finding: vulnerability(),
    }

    const observations = await observationsIn(
      trivy,
      image([{ ...packages(), ExperimentalModifiedFindings: [modified] }]),
    )

    expect(observations).toMatchObject([
      { decision: { status: decision, reason: 'not reachable, by .trivyignore.yaml' } },
    ])
  })
})

describe('a report of Trivy', () => {
  test('that breaks off gives what came before', async () => {
    const whole = JSON.stringify(image([packages(vulnerability(), vulnerability())]))

    const rows = await rowsIn(trivy, whole.slice(0, whole.lastIndexOf('PkgName')))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('never breaks by what its values are, and keeps its other findings', async () => {
    const report = image([
      packages(vulnerability(), vulnerability()),
      { Target: 'a', Misconfigurations: [misconfiguration()], Secrets: [secret] },
    ])

    await fc.assert(
      fc.asyncProperty(
        damaged(report, (path) => /^Results(\.0(\.Vulnerabilities(\.1.*)?)?)?$/.test(path)),
        async (given) => {
          const rows = await rowsOrFault(trivy, given)

          expect(rows).toContainEqual(
            expect.objectContaining({ kind: 'OBSERVATION', at: 'Results[0].Vulnerabilities[1]' }),
          )
        },
      ),
    )
  })
})
