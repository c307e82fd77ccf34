// How findings in AWS's form are read, as Security Hub, Inspector and Prowler write them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { asff } from './reader.ts'

const BUCKET = 'arn:aws:s3:::shop'

const finding = (more: Record<string, unknown> = {}) => ({
  SchemaVersion: '2018-10-08',
  Id: 'prowler-s3_public-111111111111-eu-west-1-abc',
  ProductArn: 'arn:aws:securityhub:eu-west-1::product/prowler/prowler',
  ProductFields: { ProviderName: 'Prowler' },
  GeneratorId: 'prowler-s3_public',
  AwsAccountId: '111111111111',
  Types: ['Software and Configuration Checks'],
  Severity: { Label: 'HIGH' },
  Title: 'Buckets should block public access',
  Description: 'The bucket is open.',
  Resources: [{ Type: 'AwsS3Bucket', Id: BUCKET, Region: 'eu-west-1' }],
  Compliance: { Status: 'FAILED', RelatedRequirements: ['CIS-1.5 2.1'] },
  Remediation: { Recommendation: { Text: 'Block it.', Url: 'https://docs.aws.example/s3' } },
  RecordState: 'ACTIVE',
  ...more,
})

const vulnerable = (packages: unknown[], more: Record<string, unknown> = {}) =>
  finding({
    Id: 'arn:aws:inspector2:eu-west-1:111111111111:finding/1',
    ProductName: 'Inspector',
    GeneratorId: 'AWSInspector',
    Title: 'CVE-2026-1001 - openssl',
    Compliance: undefined,
    Vulnerabilities: [
      {
        Id: 'CVE-2026-1001',
        VulnerablePackages: packages,
        Cvss: [
          { Version: '2.0', BaseScore: 5 },
          { Version: '3.1', BaseScore: 7.5, BaseVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
        ],
        EpssScore: 0.01,
        ReferenceUrls: ['https://example.org/advisory'],
      },
    ],
    ...more,
  })

const openssl = {
  Name: 'openssl',
  Version: '1.1.1n',
  Epoch: '0',
  Release: '0+deb11u4',
  PackageManager: 'OS',
  FixedInVersion: '0:1.1.1n-0+deb11u5',
  Remediation: 'apt-get upgrade',
}

describe('a finding of a resource', () => {
  test('is an observation that stands at the resource', async () => {
    expect(await observationsIn(asff, { Findings: [finding()] })).toEqual([
      {
        kind: 'CODE',
        type: 'IAC_FINDING',
        toolName: 'Prowler',
        ruleId: 'prowler-s3_public',
        title: 'Buckets should block public access',
        description: `The bucket is open.\n\nResources: AwsS3Bucket ${BUCKET} eu-west-1\n\nRequired by CIS-1.5 2.1`,
        severity: 'HIGH',
        reference: 'https://docs.aws.example/s3',
        solution: 'Block it.',
        tags: ['Software and Configuration Checks'],
        originalIssueIdFromTool: 'prowler-s3_public-111111111111-eu-west-1-abc',
        fileName: BUCKET,
      },
    ])
  })

  test('without a word for its severity has that of its number', async () => {
    const numbers = [95, 70, 40, 1, 0].map((Normalized) => finding({ Severity: { Normalized } }))

    const observations = await observationsIn(asff, numbers)

    expect(observations.map(({ severity }) => severity)).toEqual(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION'])
  })

  test('that passed, is resolved or archived is none, and of one that was not checked nobody knows', async () => {
    const rows = await rowsIn(asff, [
      finding({ Compliance: { Status: 'PASSED' } }),
      finding({ Workflow: { Status: 'RESOLVED' } }),
      finding({ RecordState: 'ARCHIVED' }),
      finding({ Compliance: { Status: 'NOT_AVAILABLE' } }),
    ])

    expect(rows).toMatchObject([
      { kind: 'PASSED_OVER', at: '[1]' },
      { kind: 'PASSED_OVER', at: '[2]' },
      { kind: 'LEFT_OUT', at: '[3]', isUndecided: true },
    ])
  })

  test('that is suppressed in Security Hub is, with the note', async () => {
    const suppressed = finding({ Workflow: { Status: 'SUPPRESSED' }, Note: { Text: 'a public site' } })

    expect(await observationsIn(asff, [suppressed])).toMatchObject([
      { decision: { status: 'SUPPRESSED', reason: 'a public site' } },
    ])
  })

  test('whose generator is a thing of one account has the kind of finding for its rule', async () => {
    const found = finding({ GeneratorId: 'arn:aws:guardduty:eu-west-1:1:detector/1', Types: ['TTPs/Discovery'] })

    expect(await observationsIn(asff, [found])).toMatchObject([{ ruleId: 'TTPs/Discovery' }])
  })
})

describe('a vulnerability', () => {
  test('is an observation of the package that it is in', async () => {
    expect(await observationsIn(asff, [vulnerable([openssl])])).toMatchObject([
      {
        kind: 'COMPONENT',
        type: 'SCA_FINDING',
        toolName: 'Inspector',
        ruleId: 'CVE-2026-1001',
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        exploitProbability: 0.01,
        vulnerabilityIds: ['CVE-2026-1001'],
        solution: 'apt-get upgrade',
        package: 'openssl',
        affectedVersion: '1.1.1n-0+deb11u4',
        patchedVersion: '0:1.1.1n-0+deb11u5',
        fileName: BUCKET,
        originalIssueIdFromTool: 'arn:aws:inspector2:eu-west-1:111111111111:finding/1',
      },
    ])
  })

  test('of an image is one of the image, whichever build of it was scanned', async () => {
    const image = {
      Type: 'AwsEcrContainerImage',
      Id: 'arn:aws:ecr:eu-west-1:1:repository/shop/sha256:abc',
      Details: { AwsEcrContainerImage: { RepositoryName: 'shop', ImageTags: ['main'] } },
    }

    expect(await observationsIn(asff, [vulnerable([openssl], { Resources: [image] })])).toMatchObject([
      { type: 'CONTAINER_FINDING', image: 'shop:main' },
    ])
  })

  test('of two machines is one of each, though the file has the same name on both', async () => {
    const jar = { ...openssl, FilePath: '/opt/app/lib.jar' }
    const machines = ['i-1', 'i-2'].map((Id) => vulnerable([jar], { Resources: [{ Type: 'AwsEc2Instance', Id }] }))

    expect(await observationsIn(asff, machines)).toMatchObject([
      { fileName: 'i-1', description: 'The bucket is open.\n\nIn /opt/app/lib.jar' },
      { fileName: 'i-2' },
    ])
  })

  test('of several packages is one observation each, which the id of the finding cannot tell apart', async () => {
    const rows = await rowsIn(asff, [vulnerable([openssl, { ...openssl, Name: 'libssl1.1' }])])

    expect(rows).toMatchObject([
      { at: '[0], package 1', observation: { package: 'openssl', originalIssueIdFromTool: undefined } },
      { at: '[0], package 2', observation: { package: 'libssl1.1', originalIssueIdFromTool: undefined } },
    ])
  })
})

describe('a report in the form of AWS', () => {
  test('is recognised as a list and in what Security Hub answers, and other lists of findings are not', () => {
    const reports = [[finding()], { Findings: [finding()] }, { findings: [finding()] }, { findings: [{ title: 'a' }] }]

    expect(reports.map((each) => recognisedBy(asff, each))).toEqual([true, true, true, false])
  })

  test('never breaks by what its values are, and keeps its other findings', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged([vulnerable([openssl]), finding()], (path) => path.startsWith('1')),
        async (given) => {
          const rows = await rowsOrFault(asff, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: '[1]' }))
        },
      ),
    )
  })
})
